"""Functions that are chosen by the types of arguments: what overload() and generated_jit() make."""

from collections.abc import Callable
from types import CodeType, FunctionType

from numba.core.errors import TypingError


class ByTypes:
    """A function whose implementations are given by others, which are called with the types of the arguments."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self._choosers: list[Callable] = []
        self._chosen: dict[tuple, Callable] = {}

    def add(self, chooser: Callable) -> None:
        """Adds a function that gives the implementation for types, or None. The last one is asked first."""
        self._choosers.insert(0, chooser)
        self._chosen.clear()

    def __call__(self, *arguments, **named):
        from numba.typing import typeof

        kinds = tuple(map(typeof, arguments))
        named_kinds = {name: typeof(value) for name, value in named.items()}
        chosen = self._find(kinds, named_kinds)
        asked = _asked_literally(chosen)
        if asked:
            given = dict(zip(chosen.__code__.co_varnames, arguments)) | named
            kinds = tuple(_literal(given[name]) if name in asked else kind for name, kind in zip(chosen.__code__.co_varnames, kinds))
            named_kinds = {name: _literal(given[name]) if name in asked else kind for name, kind in named_kinds.items()}
            chosen = self._find(kinds, named_kinds)
        return chosen(*arguments, **named)

    def _find(self, kinds: tuple, named_kinds: dict) -> Callable:
        key = kinds, tuple(named_kinds.items())
        if key not in self._chosen:
            self._chosen[key] = self._choose(kinds, named_kinds)
        return self._chosen[key]

    def _choose(self, kinds: tuple, named_kinds: dict) -> Callable:
        for chooser in self._choosers:
            found = chooser(*kinds, **named_kinds)
            if found is not None:
                return found
        raise TypingError(f"No implementation of function {self.__name__} found for {kinds}")


def _literal(value):
    from numba.types import literal

    return literal(value)


def _asked_literally(implementation: Callable) -> tuple:
    """The parameters of which an implementation asks the values by literally(), so that it is chosen anew by these."""
    code = getattr(implementation, "__code__", None)
    if code is None or "literally" not in code.co_names:
        return ()
    import dis

    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PUSH_NULL")]
    return tuple(after.argval for step, after in zip(steps, steps[1:]) if step.argval == "literally" and after.opname.startswith("LOAD_FAST"))


def dispatch(function: FunctionType, chooser: Callable) -> None:
    """Has calls of a function that does nothing itself go to what `chooser` gives; any other function stays what it is."""
    chosen = vars(function).get("_kiln_by_types")
    if chosen is None:
        if not _is_placeholder(function):
            return
        chosen = ByTypes(function.__name__)
        _call_instead(function, chosen)
        function._kiln_by_types = chosen
    chosen.add(chooser)


def _empty():
    pass


def _documented():
    """Nothing."""


def _missing():
    raise NotImplementedError


def _is_placeholder(function: FunctionType) -> bool:
    """Whether a function has no code of its own: it returns None at once, or raises NotImplementedError."""
    code = function.__code__
    if code.co_freevars:
        return False
    if code.co_code in (_empty.__code__.co_code, _documented.__code__.co_code) and not code.co_names:
        return code.co_consts[-1] is None
    return code.co_names == ("NotImplementedError",) and not any(isinstance(part, CodeType) for part in code.co_consts)


_TARGET = "what is called"  # a constant in its place


def _pass_on(*arguments, **named):
    call = "what is called"
    return call(*arguments, **named)


def _call_instead(function: FunctionType, called: Callable) -> None:
    """Gives a function code that calls something else, wherever the function was imported to."""
    import inspect

    function.__signature__ = inspect.signature(function)
    function.__defaults__ = function.__kwdefaults__ = None
    code = _pass_on.__code__
    constants = tuple(called if part == _TARGET else part for part in code.co_consts)
    old = function.__code__
    function.__code__ = code.replace(co_consts=constants, co_name=old.co_name, co_qualname=old.co_qualname, co_filename=old.co_filename,
                                     co_firstlineno=old.co_firstlineno)
