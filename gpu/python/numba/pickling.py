"""Pickling of kernels and of what @vectorize makes: by name where the name leads to them, as functions are; else with their code.

What is rebuilt has the globals and the captured values that its code names, as they were, and its definition: the source need not be there. A
function may refer to itself, so that what it refers to comes after it.
"""

import builtins
import marshal
import operator
import pickle
import sys
import types
from collections.abc import Callable

import _kiln
from numba.decorators import mark


class _ByName:
    """Stands for a module, or for a function that a module has."""

    def __init__(self, module: str, name: str = "") -> None:
        self.module, self.name = module, name

    def found(self):
        """What it stands for."""
        __import__(self.module)
        thing = sys.modules[self.module]
        for part in self.name.split(".") if self.name else ():
            thing = getattr(thing, part)
        return thing


class _ByCode:
    """Stands for a function that no module has."""

    def __init__(self, function: types.FunctionType) -> None:
        self.py_func = function

    def __reduce__(self):
        return _standing, (_shell_of(self.py_func),), (_content_of(self.py_func), ()), None, None, _complete

    def found(self) -> types.FunctionType:
        """The function."""
        return self.py_func


def _standing(shell: tuple) -> _ByCode:
    return _ByCode(_made(shell))


def _shell_of(function: types.FunctionType) -> tuple:
    """A function without what it refers to."""
    definition = _kiln.function_definition(function)
    is_marked = hasattr(function, "py_func")  # by njit and its kin
    return marshal.dumps(function.__code__), function.__module__, function.__name__, function.__qualname__, definition, is_marked


def _made(shell: tuple) -> types.FunctionType:
    code, module, name, qualname, definition, is_marked = shell
    code = marshal.loads(code)
    cells = tuple(types.CellType() for _ in code.co_freevars)
    function = types.FunctionType(code, {"__builtins__": builtins, "__name__": module}, name, None, cells)
    function.__qualname__ = qualname
    if definition is not None:
        function._kiln_definition = definition
    return mark(function) if is_marked else function


def _content_of(function: types.FunctionType) -> tuple:
    """Globals, contents of cells and defaults. A cell without a value is an empty tuple."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append((_stand_in(cell.cell_contents),))
        except ValueError:
            cells.append(())
    names = {name: _stand_in(function.__globals__[name]) for name in _names_in(function.__code__) if name in function.__globals__}
    return names, cells, function.__defaults__, function.__kwdefaults__


def _complete(thing, state: tuple) -> None:
    """Gives a function, in what was made of it, what it refers to, and then the signatures."""
    (names, cells, defaults, keyword_defaults), signatures = state
    function = thing.py_func
    function.__globals__.update((name, _resolved(value)) for name, value in names.items())
    for cell, content in zip(function.__closure__ or (), cells):
        if content:
            cell.cell_contents = _resolved(content[0])
    function.__defaults__, function.__kwdefaults__ = defaults, keyword_defaults
    for signature in signatures:
        thing._take_signature(signature)


def _names_in(code: types.CodeType) -> set[str]:
    """The names that code looks up, and the functions in it."""
    return set(code.co_names).union(*(_names_in(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)))


def _stand_in(value):
    if isinstance(value, types.ModuleType):
        return _ByName(value.__name__)
    if isinstance(value, types.FunctionType):
        return _ByName(value.__module__, value.__qualname__) if _is_named(value, value) else _ByCode(value)
    return value


def _resolved(value):
    return value.found() if isinstance(value, (_ByName, _ByCode)) else value


def _is_named(thing, function: types.FunctionType) -> bool:
    """Whether the function's module has this thing by the function's name."""
    found = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is thing


def _remade(maker: Callable, shell: tuple, details: tuple):
    return maker(_made(shell), *details)


def reduced(thing, maker: Callable, details: tuple, signatures: list):
    """What __reduce__ of a compiled function returns. Where no name leads to it, maker(function, *details) makes it again, and its
    _take_signature() takes the signatures."""
    function = thing.py_func
    if _is_named(thing, function):
        return function.__qualname__
    return _remade, (maker, _shell_of(function), details), (_content_of(function), tuple(signatures)), None, None, _complete


def launcher_parts(launcher):
    """How kernel[grid, block] is pickled. PicklingError for one with callbacks."""
    if launcher.pre_launch_callbacks:
        raise pickle.PicklingError("Cannot pickle configured launches with pre-launch callbacks")
    return operator.getitem, (launcher.dispatcher, (launcher.griddim, launcher.blockdim, launcher.stream, launcher.sharedmem))
