"""The programs of the suite, and what each says about itself in its BENCH table."""

import ast
import dataclasses
import pathlib

FOLDER = pathlib.Path(__file__).parent / "programs"

# Field of BENCH -> its type. A program has either "kernels" or "numba".
FIELDS = {
    "group": str,              # "numeric" programs count in the geometric means; "other" ones do not
    "size": int,               # argument of run(), at least half a second under python
    "whole_size": int,         # argument of the script as a whole process, where it is not `size`
    "small": int,              # argument for a quick check of the results
    "kernels": list,           # functions that Numba compiles, all that run() reaches
    "numba": str,              # why Numba can't take the program
    "numba_tolerance": float,  # how far Numba's result may be from python's, where its semantics differ
}


@dataclasses.dataclass(frozen=True)
class Program:
    """One program: a script that prints the result for the size it is given, and mostly a function run(size)."""

    name: str
    path: pathlib.Path
    group: str
    size: int
    whole_size: int
    small: int
    kernels: tuple[str, ...]
    numba_reason: str
    numba_tolerance: float


def read_bench_table(path: pathlib.Path) -> dict[str, object]:
    """Returns a program's BENCH table without running the program; ValueError if it is missing or malformed."""
    tree = ast.parse(path.read_text(), path)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "BENCH":
            table = ast.literal_eval(node.value)
            break
    else:
        raise ValueError(f"{path.name}: there is no BENCH table")
    for field, value in table.items():
        if field not in FIELDS or not isinstance(value, FIELDS[field]):
            raise ValueError(f"{path.name}: BENCH has no field {field} with such a value")
    for field in ("group", "size", "small"):
        if field not in table:
            raise ValueError(f"{path.name}: BENCH lacks {field}")
    if ("kernels" in table) == ("numba" in table):
        raise ValueError(f"{path.name}: BENCH needs either kernels or numba")
    if table["group"] not in ("numeric", "other"):
        raise ValueError(f"{path.name}: a group is numeric or other")
    return table


def load_program(path: pathlib.Path) -> Program:
    """Describes the program in a file; ValueError as `read_bench_table`."""
    table = read_bench_table(path)
    return Program(path.stem, path, table["group"], table["size"], table.get("whole_size", table["size"]),
                   table["small"], tuple(table.get("kernels", ())), table.get("numba", ""),
                   table.get("numba_tolerance", 0.0))


def load_programs() -> list[Program]:
    """Returns all programs, the numeric ones first, each group by name."""
    programs = [load_program(path) for path in FOLDER.glob("*.py")]
    return sorted(programs, key=lambda program: (program.group != "numeric", program.name))
