"""jitclass: the class stays what it is."""


def jitclass(cls_or_spec=None, spec=None):
    """@jitclass, @jitclass(spec), jitclass(cls, spec): fields are not typed."""
    if isinstance(cls_or_spec, type):
        return cls_or_spec
    return lambda cls: cls
