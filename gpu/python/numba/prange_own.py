"""What the body of a loop over prange has for itself: arrays of a size that is known when the loop runs, and its thread's number."""

import ast
import copy

from numba import parallel

SLOTS = "_prange_slots"  # of the running threads: 1 where one has the number
THREAD = "_prange_thread"
THREADS = "_prange_threads"
_SCRATCH = "_prange_scratch"
_FILLS = {"zeros": 0, "zeros_like": 0, "ones": 1, "ones_like": 1, "empty": None, "empty_like": None}
_PURE = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.operator, ast.unaryop, ast.expr_context, ast.keyword)

# A number is free again when its block is done. Where a block raised it never is: what the others compute then is nobody's.
_TEXT = """
@device
def acquire(slots):
    for attempt in range(1000000):
        for slot in range(slots.size):
            if cas(slots, slot, 0, 1) == 0:
                return slot
    return 0

@device
def release(slots, slot):
    exchange(slots, slot, 0)
"""
_functions: dict = {}


def _function(name: str):
    if not _functions:
        from numba.cuda import atomic
        from numba.cuda.written import define, device_function

        _functions.update(define("prange_own", _TEXT, device=device_function, cas=atomic.cas, exchange=atomic.exch))
    return _functions[name]


class OwnThings(ast.NodeTransformer):
    """Rewrites a copy of the loop's body.

    assigned: names that iterations assign, of all variables; `meaning` tells what an expression without variables stands for, None for
    others. arrays: the calls that make arrays once an iteration, of a size that does not depend on it. Each thread has one array for
    each: an iteration does not see those of others.
    """

    def __init__(self, loop: ast.For, assigned: set[str], variables: set[str], meaning) -> None:
        self.arrays: list[ast.Call] = []
        self.needs_thread = self.needs_threads = False
        self._assigned = assigned
        self._variables = variables
        self._meaning = meaning
        self._depth = 0
        self.body = [made for statement in copy.deepcopy(loop.body) for made in self._visited(statement)]

    @property
    def needs_slots(self) -> bool:
        return self.needs_thread or bool(self.arrays)

    def _visited(self, statement: ast.stmt) -> list[ast.stmt]:
        made = self.visit(statement)
        return made if isinstance(made, list) else [made]

    def visit_For(self, node: ast.For):
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node

    visit_While = visit_For

    def visit_Call(self, node: ast.Call):
        self.generic_visit(node)
        if not node.args and not node.keywords:
            meaning = self._meaning(node.func)
            if meaning is parallel.get_thread_id:
                self.needs_thread = True
                return ast.copy_location(ast.Name(THREAD, ast.Load()), node)
            if meaning is parallel.get_num_threads:
                self.needs_threads = True
                return ast.copy_location(ast.Name(THREADS, ast.Load()), node)
        return node

    def visit_Assign(self, node: ast.Assign):
        self.generic_visit(node)
        name = node.targets[0]
        if self._depth or len(node.targets) != 1 or not isinstance(name, ast.Name) or not self._makes_array(node.value):
            return node
        fill = _FILLS[node.value.func.attr]
        node.value, call = ast.parse(f"{_SCRATCH}{len(self.arrays)}[{THREAD}]", mode="eval").body, node.value
        self.arrays.append(call)
        made = [node]
        if fill is not None:
            made += ast.parse(f"{name.id}[...] = {fill}").body
        for part in made:
            for inner in ast.walk(part):
                ast.copy_location(inner, call)
        return made

    def _makes_array(self, call: ast.expr) -> bool:
        """Whether it is a call of NumPy's whose array could be made before the loop, and is of a size not known before that."""
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _FILLS or not call.args:
            return False
        module = self._meaning(call.func.value)
        if getattr(module, "__name__", None) != "numpy" or any(keyword.arg != "dtype" for keyword in call.keywords):
            return False
        parts = [*call.args, *(keyword.value for keyword in call.keywords)]
        names = {part.id for one in call.args[:1] for part in ast.walk(one) if isinstance(part, ast.Name)}
        return bool(names & self._variables) and all(self._is_fixed(part) for part in parts)

    def _is_fixed(self, node: ast.expr) -> bool:
        """The same in all iterations, and evaluating it does nothing."""
        if isinstance(node, ast.Attribute):
            return self._is_fixed(node.value)
        if isinstance(node, ast.Subscript):  # of a shape: elements may change
            return isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and self._is_fixed(node.value) and self._is_fixed(node.slice)
        if isinstance(node, ast.Call):
            return self._meaning(node.func) in (len, int, min, max) and not node.keywords and all(map(self._is_fixed, node.args))
        return isinstance(node, _PURE) and (not isinstance(node, ast.Name) or node.id not in self._assigned) and all(
            map(self._is_fixed, (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))))

    def names(self) -> list[str]:
        """Of what is passed to the body beside its names: first the arrays."""
        return [f"{_SCRATCH}{place}" for place in range(len(self.arrays))] + [SLOTS] * self.needs_slots + [THREADS] * self.needs_threads

    def values(self, models: list, threads: int) -> list:
        """What these names stand for in a run with so many threads: models are what the calls made."""
        made: list = []
        if models or self.needs_slots:  # loops of numbers need no NumPy
            import numpy

            made = [numpy.empty((threads, *model.shape), model.dtype) for model in models]
            made += [numpy.zeros(threads, numpy.int32)] * self.needs_slots
        return made + [threads] * self.needs_threads

    def framed(self, loop: ast.For) -> list[ast.stmt]:
        """The loop's statement between those that take and return the thread's number."""
        if not self.needs_slots:
            return [loop]
        slots = ast.Name(SLOTS, ast.Load())
        taken = ast.Assign([ast.Name(THREAD, ast.Store())], ast.Call(ast.Constant(_function("acquire")), [slots], []))
        given = ast.Expr(ast.Call(ast.Constant(_function("release")), [slots, ast.Name(THREAD, ast.Load())], []))
        return [taken, loop, given]
