"""What a loop over prange does with the names of its function: which it needs, and what becomes of those that it assigns."""

import ast

# Of an operator: the one that brings together what several threads have computed, and what each begins with. None: the value before the loop.
_COMBINED = {
    ast.Add: ("+", 0), ast.Sub: ("+", 0), ast.Mult: ("*", 1), ast.Div: ("*", 1), ast.BitXor: ("^", 0), ast.BitOr: ("|", None),
    ast.BitAnd: ("&", None),
}
_COMMUTATIVE = (ast.Add, ast.Mult, ast.BitXor, ast.BitOr, ast.BitAnd)
_EXTREMES = {"min": ("min", None), "max": ("max", None)}
_KNOWN = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.While, ast.For, ast.Pass, ast.Break, ast.Continue, ast.Assert, ast.Raise)
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


class Unsuited(Exception):
    """Says why a loop runs in order."""


def loaded(node: ast.AST) -> set[str]:
    """The names that are read anywhere in a node."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def stored(node: ast.AST) -> set[str]:
    """The names that are assigned or deleted anywhere in a node."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}


def reassigned(loop: ast.For) -> set[str]:
    """The names that some assignment of the loop binds anew, other than an augmented one."""
    return set().union(*(stored(node) for node in ast.walk(loop) if isinstance(node, (ast.Assign, ast.AnnAssign))))


class Iteration:
    """One iteration of a loop, followed along its paths.

    exposed: names that are read where no path of the iteration has assigned them for certain; finished: those that every path to
    its end has assigned.
    """

    def __init__(self, loop: ast.For) -> None:
        self.exposed: set[str] = set()
        self._jumps: list[tuple[list[set[str]], list[set[str]]]] = [([], [])]  # of loops: at breaks, at continues
        end = self._block(loop.body, stored(loop.target))
        breaks, continues = self._jumps.pop()
        if breaks:
            raise Unsuited("it has a break")
        ends = continues + ([] if end is None else [end])
        self.finished = set.intersection(*ends) if ends else set()

    def _block(self, statements: list[ast.stmt], known: set[str]) -> set[str] | None:
        """What is assigned behind the statements; None where nothing gets there."""
        for statement in statements:
            if known is None:
                break
            known = self._statement(statement, known)
        return known

    def _read(self, node: ast.AST | None, known: set[str]) -> None:
        if node is not None:
            if any(isinstance(part, _SCOPES) for part in ast.walk(node)):
                raise Unsuited("it has an expression with names of its own")
            self.exposed |= loaded(node) - known

    def _statement(self, node: ast.stmt, known: set[str]) -> set[str] | None:
        if not isinstance(node, _KNOWN):
            raise Unsuited(f"it has a {type(node).__name__.lower()} statement")
        if isinstance(node, (ast.Break, ast.Continue)):
            self._jumps[-1][isinstance(node, ast.Continue)].append(known)
            return None
        if isinstance(node, ast.If):
            self._read(node.test, known)
            return _both(self._block(node.body, known), self._block(node.orelse, known))
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node, known)
        for part in ast.iter_child_nodes(node):
            self._read(part, known)
        if isinstance(node, ast.AugAssign):
            self.exposed |= stored(node.target) - known
        return None if isinstance(node, ast.Raise) else known | stored(node)

    def _loop(self, node: ast.For | ast.While, known: set[str]) -> set[str] | None:
        isEndless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        self._read(node.iter if isinstance(node, ast.For) else node.test, known)
        inside = known
        if isinstance(node, ast.For):
            self._read(node.target, known)
            inside = known | stored(node.target)
        self._jumps.append(([], []))
        self._block(node.body, inside)
        breaks, _ = self._jumps.pop()
        after = None if isEndless else self._block(node.orelse, known)
        for left in breaks:
            after = _both(after, left)
        return after


def _both(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    return other if one is None else one if other is None else one & other


def reduction(statement: ast.stmt) -> tuple[str, tuple[str, object]] | None:
    """Of `x += e`, `x = x + e`, `x = max(x, e)` and their kin: the name, and how results of several threads come together."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name, operator, rest = statement.target.id, type(statement.op), statement.value
        kind = _COMBINED.get(operator)
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        name = statement.targets[0].id
        kind, rest = _combined(name, statement.value)
    else:
        return None
    return None if kind is None or name in loaded(rest) else (name, kind)


def _combined(name: str, value: ast.expr):
    def isName(node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == name

    if isinstance(value, ast.BinOp) and type(value.op) in _COMBINED:
        if isName(value.left):
            return _COMBINED[type(value.op)], value.right
        if isName(value.right) and isinstance(value.op, _COMMUTATIVE):
            return _COMBINED[type(value.op)], value.left
    isCall = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and len(value.args) == 2 and not value.keywords
    if isCall and value.func.id in _EXTREMES and any(map(isName, value.args)):
        return _EXTREMES[value.func.id], value.args[isName(value.args[0])]
    return None, value


def reductions(loop: ast.For, carried: set[str]) -> dict[str, tuple[str, object]]:
    """How the names that iterations hand on are brought together. Unsuited where one is used otherwise than in one such way."""
    found: dict[str, set] = {name: set() for name in carried}
    uses: dict[str, int] = dict.fromkeys(carried, 0)
    for node in ast.walk(loop):
        made = reduction(node) if isinstance(node, ast.stmt) else None
        if made is not None and made[0] in found:
            found[made[0]].add(made[1])
            uses[made[0]] -= 1 if isinstance(node, ast.AugAssign) else 2
        if isinstance(node, ast.Name) and node.id in uses:
            uses[node.id] += 1
    for name in sorted(carried):
        if len(found[name]) != 1 or uses[name] != 0:
            raise Unsuited(f"each iteration needs {name!r} of the one before")
    return {name: kinds.pop() for name, kinds in found.items()}


class Liveness:
    """Which names are read behind each loop of a function before they are assigned again: after[loop]."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.after: dict[ast.AST, set[str]] = {}
        self._always: set[str] = set()
        for node in ast.walk(function):
            if node is not function and not isinstance(node, _KNOWN) and isinstance(node, (ast.stmt, *_SCOPES)) and not isinstance(node, ast.Return):
                self._always |= loaded(node) | {name for part in ast.walk(node) if isinstance(part, ast.Nonlocal) for name in part.names}
        self._block(function.body, set(), set(), set())

    def _block(self, statements: list[ast.stmt], live: set[str], breaks: set[str], continues: set[str]) -> set[str]:
        for statement in reversed(statements):
            live = self._statement(statement, live, breaks, continues) | self._always
        return live

    def _statement(self, node: ast.stmt, live: set[str], breaks: set[str], continues: set[str]) -> set[str]:
        if isinstance(node, (ast.Break, ast.Continue)):
            return breaks if isinstance(node, ast.Break) else continues
        if isinstance(node, (ast.Return, ast.Raise)):
            return loaded(node)
        if isinstance(node, ast.If):
            branches = (self._block(branch, live, breaks, continues) for branch in (node.body, node.orelse))
            return loaded(node.test).union(*branches)
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node, live, breaks, continues)
        kills = stored(node) if isinstance(node, (ast.Assign, ast.AnnAssign)) else set()
        isAugmented = isinstance(node, ast.AugAssign)
        return live - kills | loaded(node) | (stored(node.target) if isAugmented else set())

    def _loop(self, node: ast.For | ast.While, live: set[str], breaks: set[str], continues: set[str]) -> set[str]:
        exit = self._block(node.orelse, live, breaks, continues)
        isFor = isinstance(node, ast.For)
        own = loaded(node.target) if isFor else loaded(node.test)
        killed = stored(node.target) if isFor else set()
        head = exit | own
        for _ in range(2):
            head = exit | own | (self._block(node.body, head, live, head) - killed)
        self.after[node] = self.after.get(node, set()) | exit
        return head | (loaded(node.iter) if isFor else set())
