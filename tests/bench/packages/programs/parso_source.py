"""parso: modules of the standard library to concrete syntax trees, names and functions listed, errors found."""

import hashlib
import pathlib
import sys
import sysconfig

import parso

BENCH = {"size": 4, "small": 1}

MODULES = ("textwrap", "shlex", "heapq", "difflib", "argparse")


def run(size):
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    grammar = parso.load_grammar(version="3.12")
    lines = []
    for name in MODULES[:size]:
        tree = grammar.parse((folder / f"{name}.py").read_text(), cache=False, diff_cache=False)
        for leaf_name, uses in sorted(tree.get_used_names().items()):
            if len(uses) > 20:
                lines.append(f"{name} {leaf_name} {len(uses)} {uses[0].start_pos}")
        broken = grammar.parse(tree.get_code().replace("return", "retrun ("), cache=False, diff_cache=False)
        issues = grammar.iter_errors(broken)
        lines.append(f"{name} {len(issues)} {sum(issue.code for issue in issues)} {len(tree.get_code())}")
        lines += [f"{name} {function.name.value} {function.end_pos}" for function in tree.iter_funcdefs()]
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
