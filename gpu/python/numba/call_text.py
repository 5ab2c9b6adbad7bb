"""What the text of a call says of its arguments: what lists and dicts held when they were made, which Python does not keep."""

import ast
import functools
import linecache

_MISSING = object()


@functools.lru_cache(maxsize=256)
def written_arguments(code, instruction: int) -> dict:
    """The arguments of the call at an instruction that are literals in the text, by position or name. `instruction` is its byte offset.

    A name that the function assigns once, and does not get in any other way, stands for what it is assigned.
    """
    line, last_line, column, last_column = list(code.co_positions())[instruction // 2]
    where = line, last_line, column, last_column
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return {}
    found = _find_call(tree, tree, where)
    if found is None:
        return {}
    scope, call = found
    given = [*enumerate(call.args), *((keyword.arg, keyword.value) for keyword in call.keywords)]
    if any(isinstance(node, ast.Starred) for node in call.args):
        return {}
    values = {name: _value(scope, node) for name, node in given}
    return {name: value for name, value in values.items() if value is not _MISSING}


def _find_call(node: ast.AST, scope: ast.AST, where: tuple):
    """The call at a place of the text, and the function around it."""
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        scope = node
    if isinstance(node, ast.Call) and (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == where:
        return scope, node
    inner = (_find_call(child, scope, where) for child in ast.iter_child_nodes(node))
    return next((found for found in inner if found is not None), None)


def _value(scope: ast.AST, node: ast.AST):
    if isinstance(node, ast.Name):
        bound = [one for one in ast.walk(scope) if isinstance(one, ast.Name) and one.id == node.id and not isinstance(one.ctx, ast.Load)]
        parameters = {one.arg for one in ast.walk(scope) if isinstance(one, ast.arg)}
        assigned = [one for one in ast.walk(scope) if isinstance(one, ast.Assign) and one.targets[0] in bound and len(one.targets) == 1]
        if len(bound) != 1 or len(assigned) != 1 or node.id in parameters:
            return _MISSING
        node = assigned[0].value
    try:
        return ast.literal_eval(node)
    except ValueError:
        return _MISSING
