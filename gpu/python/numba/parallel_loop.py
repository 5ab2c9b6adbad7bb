"""A loop over prange that runs on all cores: what its function calls in its stead."""

import ast
import operator
import sys
from types import FunctionType

import _kiln
from numba.core import config

_BLOCKS = 256  # that the iterations are cut into, however many cores there are: so float sums are the same on all machines
_FEW = 2048  # iterations of a body without loops and calls: they take less time than waking other threads
_FAR = 2**62  # beyond it, ends of blocks may not fit 64 bits
_MOST_REFUSALS = 16
_PLAIN = {"bool", "int64", "uint64", "float64", "complex128"}
_COMBINE = {"+": operator.add, "*": operator.mul, "^": operator.xor, "|": operator.or_, "&": operator.and_, "min": min, "max": max}


class ParallelLoop:
    """Called with the range and the values of `names`: a tuple with what the loop's results are, or None: it must run in order."""

    def __init__(self, function: FunctionType, loop: ast.For, options: dict) -> None:
        self.names: list[str] = []
        self._function = function
        self._loop = loop
        self._options = options
        self._native: dict[bool, object] = {}
        self._refused: set | None = set()
        self._is_flat = not any(isinstance(node, (ast.For, ast.While, ast.Call)) for part in loop.body for node in ast.walk(part))

    def refuse(self, reason: str) -> None:
        """It runs in order, and the report says why."""
        self._refused = None
        self._tell(reason)

    def _tell(self, reason: str) -> None:
        code = self._function.__code__
        _kiln.note_loop_in_order(self._function.__qualname__, code.co_filename, self._loop.lineno, reason)

    def plan(self, names: list[str], combined: dict, kept: list[str], gives_target: bool) -> None:
        """names: of its arguments; combined: of its results that all iterations have a part in, with how; kept: of those of the last one."""
        self.names = names
        self._combined = [(names.index(name), *how) for name, how in combined.items()]
        self._kept = len(kept)
        self._gives_target = gives_target
        self._results = [*combined, *kept]

    def __call__(self, iterations: range, values: tuple):
        count = len(iterations)
        if count == 0 or self._refused is None or not -_FAR < iterations[0] < _FAR or not -_FAR < iterations[-1] < _FAR:
            return None
        if self._refused and _kinds(values) in self._refused:
            return None
        given = list(values)
        for place, _, first in self._combined:
            if first is not None:
                if isinstance(given[place], int) and not -(2**63) <= given[place] < 2**63:
                    return None
                given[place] = _like(given[place], first)
        made = self._run(iterations, count, given)
        if isinstance(made, str):
            self._note(values, made)
            return None
        results = [_whole(values[place], kind, name, parts) for (place, kind, _), (name, parts) in zip(self._combined, made)]
        results += [_typed(parts[-1], name) for name, parts in made[len(self._combined) :]]
        return (*results, iterations[-1]) if self._gives_target else tuple(results)

    def _run(self, iterations: range, count: int, given: list):
        from numba.parallel import get_parallel_chunksize

        cores = config.NUMBA_NUM_THREADS
        size = get_parallel_chunksize() or -(-count // _BLOCKS)
        blocks = -(-count // size)
        if blocks >= 2**31:
            return "there are too many chunks"
        if blocks == 1 or (self._is_flat and count < _FEW):
            cores = 1
        goes_up = iterations.step == 1 and iterations.start >= 0
        if goes_up not in self._native:
            self._native[goes_up] = self._compiled(goes_up)
        return self._native[goes_up].run(iterations.start, iterations.step, count, size, blocks, cores, *given)

    def _note(self, values: tuple, reason: str) -> None:
        self._tell(reason)
        self._refused.add(_kinds(values))
        if len(self._refused) > _MOST_REFUSALS:
            self._refused = None

    def _compiled(self, goes_up: bool):
        """Its native form; `goes_up`: for ranges from 0 or more with a step of 1."""
        code = self._function.__code__
        body = FunctionType(code, self._function.__globals__, code.co_name, None, self._function.__closure__)
        body._kiln_definition = self._body_definition(goes_up)
        body.py_func = body
        return _kiln.parallel_loop_type()(body, self._driver(body), self._options.get("error_model") == "numpy", bool(self._options.get("fastmath")))

    def _body_definition(self, goes_up: bool) -> ast.FunctionDef:
        """The loop over a part of the range, as a function that returns the results."""
        made = ast.parse(f"def body({', '.join(['_prange_first', '_prange_end', '_prange_step', *self.names])}): pass").body[0]
        made.name = self._function.__name__
        first, end, step = (ast.Name(f"_prange_{part}", ast.Load()) for part in ("first", "end", "step"))
        bounds = [ast.Call(ast.Constant(max), [first, ast.Constant(0)], []), end] if goes_up else [first, end, step]
        loop = ast.For(self._loop.target, ast.Call(ast.Constant(range), bounds, []), self._loop.body, [])
        made.body = [loop]
        if self._results:
            made.body.append(ast.Return(ast.Tuple([ast.Name(name, ast.Load()) for name in self._results], ast.Load())))
        for part in ast.walk(made):
            if "lineno" in part._attributes and not hasattr(part, "lineno"):
                ast.copy_location(part, self._loop)
        return made

    def _driver(self, body: FunctionType) -> FunctionType:
        """The kernel whose blocks run the body for their parts of the range."""
        from numba.cuda import blockIdx
        from numba.prange_random import begin

        inputs = [f"x{place}" for place in range(len(self.names))]
        outputs = [f"out{place}" for place in range(len(self._results))]
        stores = "".join(f"\n    {name}[blockIdx.x] = results[{place}]" for place, name in enumerate(outputs))
        text = f"""
def driver({', '.join([*inputs, 'first', 'step', 'count', 'size', 'numpy_seed', 'python_seed', *outputs])}):
    begin(blockIdx.x, numpy_seed, python_seed)
    start = blockIdx.x * size
    end = min(start + size, count)
    results = body({', '.join(['first + start * step', 'first + end * step', 'step', *inputs])}){stores}
"""
        if not outputs:
            text = text.replace("results = ", "")
        code = self._function.__code__
        name = self._function.__qualname__
        own = _template.__code__.replace(co_filename=code.co_filename, co_name="prange", co_qualname=f"{name}, prange", co_firstlineno=self._loop.lineno)
        made = FunctionType(own, {"body": body, "begin": begin, "blockIdx": blockIdx, "min": min})
        made._kiln_definition = ast.parse(text).body[0]
        return made


def _template(*arguments) -> None:
    """Whose code a driver has: it runs from its definition."""


def _kinds(values: tuple) -> tuple:
    """What their types depend on, roughly."""
    return tuple((type(value), getattr(value, "dtype", None), getattr(value, "ndim", None)) for value in values)


def _like(value, number: int):
    """The number with the type of a value; as it is where the type does not make numbers."""
    kind = type(value)
    if kind in (int, float, complex) or (kind.__module__ == "numpy" and hasattr(kind, "dtype") and getattr(value, "ndim", 1) == 0):
        return kind(number)
    return number if kind is bool else value


def _typed(number, name: str):
    """A number of a type by its name: one of Python's, or where Python has none, of NumPy's."""
    numpy = sys.modules.get("numpy")
    return number if name in _PLAIN or numpy is None else getattr(numpy, name)(number)


def _whole(value, kind: str, name: str, parts: list):
    """What a value has become by what the blocks gave."""
    combine = _COMBINE[kind]
    if name.startswith("float") or name.startswith("complex"):
        value = value.item() if hasattr(value, "item") else value
        for part in parts:
            value = combine(value, part)
        return _typed(float(value) if name.startswith("float") else complex(value), name)
    value = int(value)
    for part in parts:
        value = combine(value, part)
    bits = 1 if name == "bool" else int(name.lstrip("uint"))
    value &= (1 << bits) - 1
    if name == "bool":
        return bool(value)
    return _typed(value - (1 << bits) if name[0] == "i" and value >> (bits - 1) else value, name)
