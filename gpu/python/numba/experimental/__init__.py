"""jitclass: the class stays what it is."""

from numba.experimental import structref
from numba.types import ClassType


def jitclass(cls_or_spec=None, spec=None):
    """@jitclass, @jitclass(spec), jitclass(cls, spec): fields are not typed."""
    if isinstance(cls_or_spec, type):
        cls_or_spec.class_type = ClassType(cls_or_spec)
        return cls_or_spec
    return jitclass
