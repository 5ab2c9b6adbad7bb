"""numba.core.typing.templates: the classes that say what functions and attributes give, and where they are registered."""

from numba.core.typing import signature
from numba.structures import add_attributes, add_typer, lower, lower_attribute


class AttributeTemplate:
    """Gives the types of attributes of values of type `key`, by methods resolve_NAME(type)."""

    key = None

    def __init__(self, context=None) -> None:
        self.context = context

    def generic_resolve(self, kind, name: str):
        """The type of any other attribute; None for what it has not."""
        return None


class ConcreteTemplate:
    """A function that has the signatures of `cases`."""

    cases: list = []

    def __init__(self, context=None) -> None:
        self.context = context

    def _typer(self, *kinds):
        return next((case for case in self.cases if tuple(case.args) == kinds), None)


class AbstractTemplate:
    """A function whose generic(types, keywords) gives a signature, or None."""

    def __init__(self, context=None) -> None:
        self.context = context

    def _typer(self, *kinds):
        return self.generic(kinds, {})


class CallableTemplate(AbstractTemplate):
    """A function whose generic() gives a function from types to the result's type."""

    def _typer(self, *kinds):
        return self.generic()(*kinds)


class Registry:
    """What decorators register; all registries are one in kiln."""

    def register(self, template: type) -> type:
        """A template, for its `key`."""
        add_typer(template.key, template(None)._typer)
        return template

    def register_attr(self, template: type) -> type:
        """A template of attributes."""
        return add_attributes(template)

    def register_global(self, value=None, typ=None, **options):
        """@register_global(function): a template, for a function."""

        def decorate(template: type) -> type:
            add_typer(value, template(None)._typer)
            return template

        return decorate

    resolves_global = register_global

    def lower(self, callee, *kinds):
        """@lower(function, types...)."""
        return lower(callee, *kinds)

    def lower_getattr(self, kind, name: str):
        """@lower_getattr(type, name)."""
        return lower_attribute(kind, name)

    def lower_getattr_generic(self, kind):
        """@lower_getattr_generic(type)."""
        return lower_attribute(kind, None)


builtin_registry = Registry()
infer, infer_getattr, infer_global = builtin_registry.register, builtin_registry.register_attr, builtin_registry.register_global
