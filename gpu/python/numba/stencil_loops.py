"""The text of a stencil's loops: its kernel with indices made absolute, put into loops over the places of the result."""

import ast
import copy
from types import CodeType, FunctionType

import _kiln

Offsets = tuple[tuple[int, int], ...]

_PREFIX = "_stencil_"  # of the names that loops have beside the kernel's
_SPECIAL = 0x2AC  # of code flags: *arguments, **named, generators, coroutines
_definitions: dict[CodeType, ast.AST | None] = {}
_written: dict[tuple[CodeType, tuple[str, ...], int], CodeType | None] = {}


class UnknownOffsets(Exception):
    """The kernel's indices are not all constants, or its text cannot be had."""


class _CannotWrite(Exception):
    """The kernel uses an array otherwise than by indexing it."""


class Neighbours:
    """Stands for an array in a kernel: indices count from `place`."""

    def __init__(self, array) -> None:
        self.array = array
        self.place: tuple[int, ...] = ()

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        return self.array[tuple(_moved(part, here) for part, here in zip(parts, self.place, strict=True))]

    def __getattr__(self, name: str):
        return getattr(self.array, name)

    def __len__(self) -> int:
        return len(self.array)


def _moved(part, here: int):
    if not isinstance(part, slice):
        return part + here
    start = None if part.start is None else part.start + here
    return slice(start, None if part.stop is None else part.stop + here, part.step)


def _definition(kernel: FunctionType):
    """The node of its definition; None where its text cannot be had."""
    code = kernel.__code__
    if code not in _definitions:
        _definitions[code] = _kiln.function_definition(kernel)
    return _definitions[code]


def find_offsets(kernel: FunctionType, relative: tuple[str, ...], ndim: int) -> Offsets:
    """The least and the greatest index in each dimension, 0 among them. UnknownOffsets where they are no constants."""
    definition = _definition(kernel)
    if definition is None:
        raise UnknownOffsets("the kernel's text cannot be had")
    constants = _constants(kernel, definition)
    lows, highs = [0] * ndim, [0] * ndim
    for node in ast.walk(definition):
        if not _is_access(node, relative):
            continue
        parts = _parts(node)
        if len(parts) != ndim:
            raise UnknownOffsets(f"{ast.unparse(node)} has {len(parts)} indices for {ndim} dimensions")
        for axis, part in enumerate(parts):
            offset = _constant(part, constants)
            lows[axis], highs[axis] = min(lows[axis], offset), max(highs[axis], offset)
    return tuple(zip(lows, highs))


def _is_access(node, relative: tuple[str, ...]) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in relative


def _parts(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _constants(kernel: FunctionType, definition) -> dict:
    """What names stand for: those that the kernel assigns once, what it captures, and globals."""
    stored: dict[str, list] = {}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored.setdefault(node.id, []).append(None)
    known = dict(kernel.__globals__)
    for name, cell in zip(kernel.__code__.co_freevars, kernel.__closure__ or ()):
        known[name] = cell.cell_contents
    for name in (*kernel.__code__.co_varnames, *stored):
        known.pop(name, None)
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if len(stored[node.targets[0].id]) == 1:
                try:
                    known[node.targets[0].id] = _constant(node.value, known)
                except UnknownOffsets:
                    pass
    return known


def _constant(node, known: dict) -> int:
    """The integer that an expression always is."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    allowed = (ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context)
    if all(isinstance(part, allowed) for part in ast.walk(node)) and all(isinstance(known.get(name), int) for name in names):
        try:
            found = eval(compile(ast.Expression(node), "<stencil>", "eval"), {"__builtins__": {}}, known)
        except ArithmeticError:
            found = None
        if isinstance(found, int):
            return found
    raise UnknownOffsets(f"index {ast.unparse(node)}")


def write_loops(kernel: FunctionType, relative: tuple[str, ...], ndim: int) -> FunctionType | None:
    """loops(out, start, stop, ..., arguments), with a start and a stop for each dimension. None if they can't be written."""
    key = kernel.__code__, relative, ndim
    if key not in _written:
        try:
            _written[key] = _loops_code(kernel, relative, ndim)
        except _CannotWrite:
            _written[key] = None
    code = _written[key]
    if code is None:
        return None
    cells = dict(zip(kernel.__code__.co_freevars, kernel.__closure__ or ()))
    loops = FunctionType(code, kernel.__globals__, kernel.__name__, None, tuple(cells[name] for name in code.co_freevars))
    hint = getattr(_kiln, "hint", None)
    if hint is not None:
        hint(loops)
    return loops


def _loops_code(kernel: FunctionType, relative: tuple[str, ...], ndim: int) -> CodeType:
    definition = copy.deepcopy(_definition(kernel))
    code = kernel.__code__
    if definition is None or code.co_kwonlyargcount or code.co_flags & _SPECIAL:
        raise _CannotWrite
    body = [ast.Return(definition.body)] if isinstance(definition, ast.Lambda) else definition.body
    places = [f"{_PREFIX}{axis}" for axis in range(ndim)]
    body = [_MakeAbsolute(relative, places).visit(statement) for statement in body]
    parameters = list(code.co_varnames[: code.co_argcount])
    target = f"{_PREFIX}out[{', '.join(places)}]"
    inner: list[ast.stmt] = []
    if _is_straight(body, parameters):
        innermost = [*body[:-1], _assignment(target, body[-1].value)]
    else:
        inner = [_function(f"{_PREFIX}kernel", [*parameters, *places], body)]
        innermost = ast.parse(f"{target} = {_PREFIX}kernel({', '.join([*parameters, *places])})").body
    for place in reversed(places):
        loop = ast.parse(f"for {place} in range({place}_start, {place}_stop): pass").body[0]
        loop.body = innermost
        innermost = [loop]
    bounds = [f"{place}_{end}" for place in places for end in ("start", "stop")]
    loops = _function(kernel.__name__ if kernel.__name__.isidentifier() else "stencil", [f"{_PREFIX}out", *bounds, *parameters],
                      [*inner, *innermost])
    outer = _function(f"{_PREFIX}scope", list(code.co_freevars), [loops])
    module = ast.fix_missing_locations(ast.copy_location(ast.Module([outer], []), definition))
    scope = _code_in(compile(module, code.co_filename, "exec", dont_inherit=True))
    return _code_in(scope).replace(co_qualname=kernel.__qualname__)


def _function(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    made = ast.parse(f"def {name}({', '.join(parameters)}): pass").body[0]
    made.body = body
    return made


def _assignment(target: str, value) -> ast.stmt:
    made = ast.parse(f"{target} = None").body[0]
    made.value = value
    return ast.copy_location(made, value)


def _code_in(code: CodeType) -> CodeType:
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _is_straight(body: list[ast.stmt], parameters: list[str]) -> bool:
    """Whether statements can stand in the loops as they are: one return, at the end, and no name keeps a value from place to place."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal, ast.Delete, ast.NamedExpr,
              ast.Import, ast.ImportFrom, ast.Try, ast.With, ast.Match)
    if not isinstance(body[-1], ast.Return) or body[-1].value is None or any(isinstance(node, scopes) for node in nodes):
        return False
    if sum(isinstance(node, ast.Return) for node in nodes) != 1:
        return False
    always = {target.id for statement in body if isinstance(statement, ast.Assign) for target in statement.targets
              if isinstance(target, ast.Name)}
    counted = {node.target.id for node in nodes if isinstance(node, ast.For) and isinstance(node.target, ast.Name)}
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored.isdisjoint(parameters) and stored <= always | counted


class _MakeAbsolute(ast.NodeTransformer):
    """Adds the place to the indices of relatively indexed arrays. _CannotWrite where one is used otherwise."""

    def __init__(self, relative: tuple[str, ...], places: list[str]) -> None:
        self.relative = relative
        self.places = places

    def visit_Subscript(self, node: ast.Subscript):
        if not _is_access(node, self.relative):
            return self.generic_visit(node)
        parts = _parts(node)
        if len(parts) != len(self.places) or not isinstance(node.ctx, ast.Load):
            raise _CannotWrite
        moved = [self._moved(part, place) for part, place in zip(parts, self.places)]
        node.slice = ast.copy_location(ast.Tuple(moved, ast.Load()), node.slice) if len(moved) > 1 else moved[0]
        return node

    def visit_Name(self, node: ast.Name):
        if node.id in self.relative or node.id.startswith(_PREFIX):
            raise _CannotWrite
        return node

    def _moved(self, part, place: str):
        if isinstance(part, ast.Slice):
            bounds = [bound if bound is None else self._moved(bound, place) for bound in (part.lower, part.upper)]
            return ast.copy_location(ast.Slice(*bounds, part.step), part)
        if isinstance(part, ast.Constant) and part.value == 0:
            return ast.copy_location(ast.Name(place, ast.Load()), part)
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub) and isinstance(part.operand, ast.Constant):
            return ast.copy_location(ast.BinOp(ast.Name(place, ast.Load()), ast.Sub(), part.operand), part)
        return ast.copy_location(ast.BinOp(ast.Name(place, ast.Load()), ast.Add(), self.visit(part)), part)
