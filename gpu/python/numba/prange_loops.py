"""Functions with parallel=True: each of their outermost loops over prange becomes a call, with the loop itself for where that cannot run."""

import ast
import builtins
import copy
import linecache
import types
from types import CodeType, FunctionType

import _kiln
from numba.parallel_loop import ParallelLoop
from numba.prange_names import Iteration, Liveness, Unsuited, reassigned, reductions, stored
from numba.prange_own import OwnThings

_PREFIX = "_prange_"  # of the names that the function has beside its own
_SPECIAL = 0x2A0  # of code flags: generators, coroutines


def parallelise(function: FunctionType, options: dict) -> None:
    """Gives the function code that runs its loops over prange on all cores. It stays as it is where it has none, or no text."""
    code = function.__code__
    aliases = _aliases(function)
    if code.co_flags & _SPECIAL or not ({"prange"} | aliases) & {*code.co_names, *code.co_freevars}:
        return
    definition = _kiln.function_definition(function)
    if not isinstance(definition, ast.FunctionDef) or _has_private_names(definition):
        return
    rewriter = _Rewriter(function, definition, aliases, options)
    changed = rewriter.visit(copy.deepcopy(definition))
    if not rewriter.loops:
        return
    made = _compiled(changed, code)
    if made.co_freevars != code.co_freevars:
        return
    function._kiln_definition = definition
    loops = {f"{_PREFIX}loop{number}": loop for number, loop in enumerate(rewriter.loops)}
    function.__code__ = made.replace(
        co_qualname=code.co_qualname,
        co_consts=tuple(loops.get(constant, constant) if isinstance(constant, str) else constant for constant in made.co_consts),
    )


def _aliases(function: FunctionType) -> set[str]:
    """Other names that the text of its module gives to numba's prange, which is range: so their values do not tell."""
    code = function.__code__
    names = {name for name in code.co_names if name != "range" and function.__globals__.get(name) is range}
    names |= {name for name, cell in zip(code.co_freevars, function.__closure__ or ()) if _content(cell) is range}
    names.discard("prange")
    if not names:
        return names
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename, function.__globals__)))
    except (SyntaxError, ValueError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "numba":
            found |= {alias.asname for alias in node.names if alias.name == "prange"}
        elif isinstance(node, ast.Assign) and (getattr(node.value, "attr", None) or getattr(node.value, "id", None)) == "prange":
            found |= stored(node)
    return names & found


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # it is empty
        return None


def _has_private_names(definition: ast.FunctionDef) -> bool:
    """Names that a class around the function would change."""
    names = (getattr(node, "id", None) or getattr(node, "attr", None) or "" for node in ast.walk(definition))
    return any(name.startswith("__") and not name.endswith("__") for name in names)


def _compiled(definition: ast.FunctionDef, code: CodeType) -> CodeType:
    definition.decorator_list = [ast.copy_location(ast.Constant(None), node) for node in definition.decorator_list]  # the code begins there
    outer = ast.parse(f"def {_PREFIX}scope({', '.join(code.co_freevars)}): pass").body[0]
    outer.body = [definition]
    module = ast.fix_missing_locations(ast.copy_location(ast.Module([outer], []), definition))
    flags = code.co_flags & 0x1FF0000  # of __future__ imports
    scope = next(made for made in compile(module, code.co_filename, "exec", flags, True).co_consts if isinstance(made, CodeType))
    return next(made for made in scope.co_consts if isinstance(made, CodeType))


class _Rewriter(ast.NodeTransformer):
    """Replaces the loops. What is nested in another function, or in a loop over prange, stays."""

    def __init__(self, function: FunctionType, definition: ast.FunctionDef, aliases: set[str], options: dict) -> None:
        self.loops: list[ParallelLoop] = []
        self._aliases = aliases
        self._function = function
        self._options = options
        code = function.__code__
        self._locals = {*code.co_varnames, *code.co_cellvars}
        self._shared = {name for node in ast.walk(definition) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
        self._outer = definition
        self._originals = [node for node in ast.walk(definition) if isinstance(node, ast.For)]
        self._copies: list[ast.For] = []
        self._liveness = Liveness(definition)

    def visit_FunctionDef(self, node: ast.FunctionDef):
        if self._copies:
            return node
        self._copies = [part for part in ast.walk(node) if isinstance(part, ast.For)]
        return self.generic_visit(node)

    def _stays(self, node):
        return node

    visit_Lambda = visit_ClassDef = visit_AsyncFunctionDef = _stays

    def visit_For(self, node: ast.For):
        if not self._is_prange(node.iter):
            return self.generic_visit(node)
        number = len(self.loops)
        live = self._liveness.after.get(self._originals[self._copies.index(node)], self._locals)
        own = OwnThings(node, set().union({node.target.id} if isinstance(node.target, ast.Name) else (), *map(stored, node.body)), self._locals, self._meaning_of)
        loop = ParallelLoop(self._function, node, own, self._options)
        self.loops.append(loop)
        try:
            results = self._plan(loop, node, live)
        except Unsuited as reason:
            loop.refuse(str(reason))
            return node
        values = [*loop.names, *map(ast.unparse, own.arrays)]
        return _call_or_loop(node, f"{_PREFIX}loop{number}", f"{_PREFIX}{number}", values, results)

    def _is_prange(self, node: ast.expr) -> bool:
        """Whether it calls numba's prange, by that name or by one that the module imports it as."""
        if not isinstance(node, ast.Call) or node.keywords or not 1 <= len(node.args) <= 3 or any(isinstance(part, ast.Starred) for part in node.args):
            return False
        name = node.func
        called = name.attr if isinstance(name, ast.Attribute) else name.id if isinstance(name, ast.Name) else ""
        if called != "prange" and not (isinstance(name, ast.Name) and called in self._aliases):
            return False
        return self._meaning_of(name) is range

    def _meaning_of(self, node: ast.expr):
        """What a name stands for, or an attribute of a module; None for anything else."""
        if isinstance(node, ast.Name):
            meaning = self._meaning(node.id)
            return getattr(builtins, node.id, None) if meaning is None and node.id not in self._locals else meaning
        module = self._meaning_of(node.value) if isinstance(node, ast.Attribute) else None
        return getattr(module, node.attr, None) if isinstance(module, types.ModuleType) else None

    def _meaning(self, name: str):
        """What a name of the function stands for that is none of its own variables; None where it is one."""
        if name in self._locals:
            return None
        cells = dict(zip(self._function.__code__.co_freevars, self._function.__closure__ or ()))
        return _content(cells[name]) if name in cells else self._function.__globals__.get(name)

    def _plan(self, loop: ParallelLoop, node: ast.For, live: set[str]) -> list[str]:
        """Tells the loop what it takes and gives; the names that its results are for."""
        if not isinstance(node.target, ast.Name):
            raise Unsuited("it has more than one variable")
        if node.orelse:
            raise Unsuited("it has an else part")
        iteration = Iteration(node)
        assigned = set().union(*map(stored, node.body))
        if (assigned | {node.target.id}) & (self._shared | (assigned - self._locals)):
            raise Unsuited("it assigns a name of another function")
        needed = sorted(iteration.exposed & self._locals)
        combined = reductions(node, iteration.exposed & assigned)
        kept = sorted((assigned - set(combined) - {node.target.id}) & live)
        if not iteration.finished.issuperset(kept):
            raise Unsuited(f"{min(set(kept) - iteration.finished)!r} is used behind it and not assigned by every iteration")
        if node.target.id in assigned and node.target.id in live:
            raise Unsuited(f"{node.target.id!r} is used behind it and assigned in it")
        target = [node.target.id] if node.target.id in live else []
        loop.plan(needed, combined, reassigned(node), kept, bool(target))
        return [*combined, *kept, *target]


def _call_or_loop(node: ast.For, loop: str, made: str, given: list[str], results: list[str]) -> list[ast.stmt]:
    """The range, the call with what is given, what it gave, and the loop for where it gave nothing."""
    own = set(ast.walk(node))
    values = f"({', '.join(given)},)" if given else "()"
    steps, attempt, choice = ast.parse(f"""
{made} = None
try:
    {made}_given = {values}
except Exception:
    {made}_given = {made}_done = None
else:
    {made}_call = {loop!r}
    {made}_done = {made}_call({made}, {made}_given)
if {made}_done is None:
    pass
else:
    pass
""").body
    steps.value = node.iter
    node.iter = ast.copy_location(ast.Name(made, ast.Load()), node.iter)
    choice.body = [node]
    if results:
        choice.orelse = ast.parse(f"{', '.join(results)}, = {made}_done").body
    for part in (steps, attempt, choice):
        for inner in ast.walk(part):
            if inner not in own and "lineno" in inner._attributes:
                inner.lineno = inner.end_lineno = node.lineno
                inner.col_offset, inner.end_col_offset = node.col_offset, node.col_offset + len("for")
    return [steps, attempt, choice]
