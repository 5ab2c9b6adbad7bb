"""Functions that are chosen by the types of arguments: what overload() and generated_jit() make."""

import sys
from collections.abc import Callable
from types import CodeType, FunctionType

from numba.call_text import written_arguments
from numba.container_types import literal_type, type_of_argument
from numba.core.errors import TypingError


class ByTypes:
    """A function whose implementations are given by others, which are called with the types of the arguments."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self._choosers: list[Callable] = []
        self._chosen: dict[tuple, Callable | None] = {}
        self._prefers_literal = False

    def add(self, chooser: Callable, prefers_literal: bool = False) -> None:
        """Adds a function that gives the implementation for types, or None. The last one is asked first.

        It is asked with the types of literals in a call's text where there is none without, or before, as `prefers_literal` says.
        """
        self._choosers.insert(0, chooser)
        self._chosen.clear()
        self._prefers_literal = self._prefers_literal or prefers_literal

    def __call__(self, *arguments, **named):
        given = dict(enumerate(arguments)) | named
        kinds = {place: type_of_argument(value) for place, value in given.items()}
        chosen = None if self._prefers_literal else self._find(kinds)
        if chosen is None:
            chosen = self._find(kinds | _written_kinds(given, self._written())) or self._find(kinds)
        if chosen is None:
            raise TypingError(f"No implementation of function {self.__name__} found for {tuple(kinds.values())}")
        asked = _asked_literally(chosen)
        if asked:
            names = dict(enumerate(chosen.__code__.co_varnames))
            wanted = {place: value for place, value in given.items() if names.get(place, place) in asked}
            written = self._written() if any(type(value) in (list, dict) for value in wanted.values()) else {}
            kinds |= {place: literal_type(value, written.get(place)) for place, value in wanted.items()}
            chosen = self._find(kinds) or chosen
        return chosen(*arguments, **named)

    def _written(self) -> dict:
        """The literals among the arguments of the call at hand, by place, as far as its text shows any."""
        frame = sys._getframe(2)
        if any(constant is self for constant in frame.f_code.co_consts):  # the function that passes the call on
            frame = frame.f_back
        return written_arguments(frame.f_code, frame.f_lasti)

    def _find(self, kinds: dict) -> Callable | None:
        key = tuple(kinds.items())
        if key not in self._chosen:
            self._chosen[key] = self._choose(kinds)
        return self._chosen[key]

    def _choose(self, kinds: dict) -> Callable | None:
        arguments = [kind for place, kind in kinds.items() if type(place) is int]
        named = {place: kind for place, kind in kinds.items() if type(place) is str}
        chosen = (chooser(*arguments, **named) for chooser in self._choosers)
        return next((found for found in chosen if found is not None), None)


def _written_kinds(given: dict, written: dict) -> dict:
    """Literal types of the arguments that are literals in the text."""
    return {place: literal_type(given[place], value) for place, value in written.items() if type(value) in (int, bool, str, list, dict)}


def _asked_literally(implementation: Callable) -> tuple:
    """The parameters of which an implementation asks the values by literally(), so that it is chosen anew by these."""
    code = getattr(implementation, "__code__", None)
    if code is None or "literally" not in code.co_names:
        return ()
    import dis

    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PUSH_NULL")]
    return tuple(after.argval for step, after in zip(steps, steps[1:]) if step.argval == "literally" and after.opname.startswith("LOAD_FAST"))


def dispatch(function: FunctionType, chooser: Callable, prefers_literal: bool = False) -> None:
    """Has calls of a function that does nothing itself go to what `chooser` gives; any other function stays what it is."""
    chosen = vars(function).get("_kiln_by_types")
    if chosen is None:
        if not _is_placeholder(function):
            return
        chosen = ByTypes(function.__name__)
        _call_instead(function, chosen)
        function._kiln_by_types = chosen
    chosen.add(chooser, prefers_literal)


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
