"""A loop over prange that runs on all cores: what its function calls in its stead."""

import ast
import operator
import sys
from types import FunctionType

import _kiln
from numba.core import config
from numba.prange_own import OwnThings

_BLOCKS = 256  # that the iterations are cut into, however many cores there are: so float sums are the same on all machines
_FEW = 2048  # iterations of a body without loops and calls: they take less time than waking other threads
_FAR = 2**62  # beyond it, ends of blocks may not fit 64 bits
_PART_BYTES = 2**26  # of the parts of an array that all blocks add to
_MOST_REFUSALS = 16
_PLAIN = {"bool", "int64", "uint64", "float64", "complex128"}
_COMBINE = {"+": operator.add, "*": operator.mul, "^": operator.xor, "|": operator.or_, "&": operator.and_, "min": min, "max": max}


class ParallelLoop:
    """Called with the range and the values of `names`, and the arrays that are its own: a tuple with what the loop's results are, or None:
    it must run in order."""

    def __init__(self, function: FunctionType, loop: ast.For, own: OwnThings, options: dict) -> None:
        self.names: list[str] = []
        self._function = function
        self._loop = loop
        self._own = own
        self._options = options
        self._native: dict[tuple, object] = {}
        self._refused: set | None = set()
        self._is_flat = not any(isinstance(node, (ast.For, ast.While, ast.Call)) for part in loop.body for node in ast.walk(part))

    def refuse(self, reason: str) -> None:
        """It runs in order, and the report says why."""
        self._refused = None
        self._tell(reason)

    def _tell(self, reason: str) -> None:
        code = self._function.__code__
        _kiln.note_loop_in_order(self._function.__qualname__, code.co_filename, self._loop.lineno, reason)

    def plan(self, names: list[str], combined: dict, rebound: set[str], kept: list[str], gives_target: bool) -> None:
        """names: of its arguments; combined: of its results that all iterations have a part in, with how; rebound: of those that are not
        only changed in place; kept: of those of the last one."""
        self.names = names
        self._rebound = rebound
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
        given = list(values[: len(self.names)])
        sums = {}  # of arrays: how their parts come together, by place
        for place, kind, first in self._combined:
            if _is_array(given[place]):
                if self.names[place] in self._rebound or not (given[place].size and given[place].flags.writeable):
                    self._note(values, f"{self.names[place]!r} is not an array that is only added to in place")
                    return None
                sums[place] = kind, first
            elif first is not None:
                if isinstance(given[place], int) and not -(2**63) <= given[place] < 2**63:
                    return None
                given[place] = _like(given[place], first)
        made = self._run(iterations, count, given, values[len(self.names) :], sums)
        if isinstance(made, str):
            self._note(values, made)
            return None
        parts = iter(made)
        results = [values[place] if place in sums else _whole(values[place], kind, *next(parts)) for place, kind, _ in self._combined]
        results += [_typed(last[-1], name) for name, last in parts]
        return (*results, iterations[-1]) if self._gives_target else tuple(results)

    def _run(self, iterations: range, count: int, given: list, models: tuple, sums: dict):
        from numba.parallel import get_parallel_chunksize

        cores = config.NUMBA_NUM_THREADS
        largest = max((given[place].nbytes for place in sums), default=0)
        size = get_parallel_chunksize() or -(-count // max(1, min(_BLOCKS, _PART_BYTES // largest if largest else _BLOCKS)))
        blocks = -(-count // size)
        if blocks >= 2**31 or blocks * largest > 2 * _PART_BYTES + largest:
            return "there are too many chunks"
        if blocks == 1 or (self._is_flat and count < _FEW):
            cores = 1
        whole = {place: given[place] for place in sums}
        for place, (_, first) in sums.items():
            given[place] = _parts(given[place], first, blocks)
        form = iterations.step == 1 and iterations.start >= 0, frozenset(sums)
        if form not in self._native:
            self._native[form] = self._compiled(*form)
        own = self._own.values(models, config.NUMBA_NUM_THREADS)
        made = self._native[form].run(iterations.start, iterations.step, count, size, blocks, cores, *given, *own)
        if not isinstance(made, str):
            for place, (kind, _) in sums.items():
                _add(whole[place], kind, given[place])
        return made

    def _note(self, values: tuple, reason: str) -> None:
        self._tell(reason)
        self._refused.add(_kinds(values))
        if len(self._refused) > _MOST_REFUSALS:
            self._refused = None

    def _compiled(self, goes_up: bool, sums: frozenset):
        """Its native form; `goes_up`: for ranges from 0 or more with a step of 1; `sums`: the places of arrays that are added to."""
        code = self._function.__code__
        body = FunctionType(code, self._function.__globals__, code.co_name, None, self._function.__closure__)
        names = {self.names[place]: f"_prange_parts_{self.names[place]}" for place in sums}
        results = [name for name in self._results if name not in names]
        body._kiln_definition = self._body_definition(goes_up, names, results)
        body.py_func = body
        return _kiln.parallel_loop_type()(
            body, self._driver(body, len(results)), self._options.get("error_model") == "numpy", _reorders(self._options.get("fastmath"))
        )

    def _body_definition(self, goes_up: bool, sums: dict[str, str], results: list[str]) -> ast.FunctionDef:
        """The loop over a part of the range, as a function that returns the results. sums: its parts of arrays, by their names."""
        names = [*(f"_prange_{part}" for part in ("first", "end", "step", "block")), *(sums.get(name, name) for name in self.names), *self._own.names()]
        made = ast.parse(f"def body({', '.join(names)}): pass").body[0]
        made.name = self._function.__name__
        first, end, step = (ast.Name(f"_prange_{part}", ast.Load()) for part in ("first", "end", "step"))
        bounds = [ast.Call(ast.Constant(max), [first, ast.Constant(0)], []), end] if goes_up else [first, end, step]
        loop = ast.For(self._loop.target, ast.Call(ast.Constant(range), bounds, []), self._own.body, [])
        made.body = [*ast.parse("".join(f"{name} = {parts}[_prange_block]\n" for name, parts in sums.items())).body, *self._own.framed(loop)]
        if results:
            made.body.append(ast.Return(ast.Tuple([ast.Name(name, ast.Load()) for name in results], ast.Load())))
        own = set(ast.walk(loop))
        for part in ast.walk(made):
            if "lineno" in part._attributes and (not hasattr(part, "lineno") or part not in own):
                ast.copy_location(part, self._loop)
        return made

    def _driver(self, body: FunctionType, results: int) -> FunctionType:
        """The kernel whose blocks run the body for their parts of the range."""
        from numba.cuda import blockIdx
        from numba.prange_random import begin
        from numba.types import int64

        inputs = [f"x{place}" for place in range(len(self.names) + len(self._own.names()))]
        outputs = [f"out{place}" for place in range(results)]
        stores = "".join(f"\n    {name}[blockIdx.x] = results[{place}]" for place, name in enumerate(outputs))
        text = f"""
def driver({', '.join([*inputs, 'first', 'step', 'count', 'size', 'numpy_seed', 'python_seed', *outputs])}):
    begin(blockIdx.x, numpy_seed, python_seed)
    start = blockIdx.x * size
    end = min(start + size, count)
    results = body({', '.join(['first + start * step', 'first + end * step', 'step', 'int64(blockIdx.x)', *inputs])}){stores}
"""
        if not outputs:
            text = text.replace("results = ", "")
        code = self._function.__code__
        name = self._function.__qualname__
        own = _template.__code__.replace(co_filename=code.co_filename, co_name="prange", co_qualname=f"{name}, prange", co_firstlineno=self._loop.lineno)
        made = FunctionType(own, {"body": body, "begin": begin, "blockIdx": blockIdx, "int64": int64, "min": min})
        made._kiln_definition = ast.parse(text).body[0]
        return made


def _template(*arguments) -> None:
    """Whose code a driver has: it runs from its definition."""


def _kinds(values: tuple) -> tuple:
    """What their types depend on, roughly."""
    return tuple((type(value), getattr(value, "dtype", None), getattr(value, "ndim", None)) for value in values)


def _reorders(fastmath) -> bool:
    """What the option says of the order of float operations: True, or names of LLVM's flags."""
    return bool({"fast", "reassoc"} & set(fastmath)) if isinstance(fastmath, (set, frozenset, dict)) else bool(fastmath)


def _is_array(value) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray and value.ndim > 0


def _parts(array, first: int | None, blocks: int):
    """An array like it for each block, to which nothing was added yet; first: None where that is the array itself."""
    numpy = sys.modules["numpy"]
    parts = numpy.empty((blocks, *array.shape), array.dtype)
    parts[...] = array if first is None else first
    return parts


def _add(array, kind: str, parts) -> None:
    """To the array, what the blocks have."""
    numpy = sys.modules["numpy"]
    combine = {"+": numpy.add, "*": numpy.multiply, "^": numpy.bitwise_xor, "|": numpy.bitwise_or, "&": numpy.bitwise_and}[kind]
    with numpy.errstate(all="ignore"):
        for part in parts:
            combine(array, part, out=array)


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
