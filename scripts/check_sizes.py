"""Checks that no source file has over 500 lines and no function over 60.

Usage: check_sizes.py ROOT. Exit status 1 with one line for each fault; 0 when there is none. Before it looks at ROOT it
makes sure that it finds faults planted in a tree of its own.
"""
import ast
import os
import re
import sys
import tempfile
from typing import Iterator

from lib.source_tree import C_SUFFIXES, listFiles, readText, stripNoise

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60

SOURCE_SUFFIXES = C_SUFFIXES + (".py", ".sh", ".cmake", "CMakeLists.txt")

# name, first line, last line
Function = tuple[str, int, int]

# A type or namespace; not a function that returns a "struct x*".
TYPE_SCOPE = re.compile(
    r"(template\s*<.*>\s*)?(inline\s+)?(class|struct|union|enum|namespace)\b(?!.*\)\s*(const|noexcept|override|\s)*$)",
    re.DOTALL,
)
ACCESS_LABEL = re.compile(r"\b(public|private|protected)\s*:(?!:)")


def isShell(text: str) -> bool:
    """True for a script that names a shell in its first line."""
    return bool(re.match(r"#!.*\b(ba)?sh\b", text))


def classify(header: str, inScope: bool) -> str:
    """What a brace opens: "scope" (its functions count), "function", or "other", given the text before it."""
    if not inScope:
        return "other"
    if TYPE_SCOPE.match(header) or re.match(r'extern\s*$', header):
        return "scope"
    return "function" if ")" in header and header[-1] not in "=]" else "other"


def dropPreprocessor(code: str) -> str:
    """Blanks directives with their continuation lines. Of #if ... #else ... #endif only the first branch is kept."""
    lines, kept, continued, skipped = code.split("\n"), [], False, []
    for line in lines:
        directive = re.match(r"\s*#\s*(\w+)", line) if not continued else None
        if directive and directive.group(1).startswith("if"):
            skipped.append(False)
        elif directive and directive.group(1).startswith("el") and skipped:
            skipped[-1] = True
        elif directive and directive.group(1) == "endif" and skipped:
            skipped.pop()
        kept.append("" if directive or continued or any(skipped) else line)
        continued = (bool(directive) or continued) and line.endswith("\\")
    return "\n".join(kept)


def findCFunctions(text: str) -> Iterator[Function]:
    """Functions of a C or C++ file, methods in classes included. Raises ValueError when the braces do not match."""
    code = dropPreprocessor(stripNoise(text))
    opened: list[tuple[str, str, int]] = []
    headerStart, line = 0, 1
    for match in re.finditer(r"[{};\n]", code):
        token = match.group()
        if token == "\n":
            line += 1
            continue
        header = ACCESS_LABEL.sub("", code[headerStart : match.start()]).strip()
        if token == "{":
            kind = classify(header, all(kind == "scope" for kind, _, _ in opened))
            first = line - header.count("\n")
            opened.append((kind, " ".join(header.split()), first))
        elif token == "}":
            if not opened:
                raise ValueError(f"line {line}: a brace too many")
            kind, name, first = opened.pop()
            if kind == "function":
                yield name, first, line
        headerStart = match.end()
    if opened:
        raise ValueError(f"line {opened[-1][2]}: a brace is not closed")


def findPythonFunctions(text: str) -> Iterator[Function]:
    """Functions of a Python file, nested ones too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno or node.lineno


def findShellFunctions(text: str) -> Iterator[Function]:
    """Functions of a shell file that begin with "name() {" and end with "}" at the start of a line."""
    name, first = "", 0
    for line, content in enumerate(text.splitlines(), 1):
        begun = re.match(r"(\w+)\(\) \{$", content)
        if begun:
            name, first = begun.group(1), line
        elif content == "}" and name:
            yield name, first, line
            name = ""


def findFunctions(path: str, text: str) -> Iterator[Function]:
    """The functions of a file of any language that the project is written in."""
    if path.endswith(".py"):
        return findPythonFunctions(text)
    if path.endswith(C_SUFFIXES) and not path.endswith(".def"):
        return findCFunctions(text)
    return findShellFunctions(text)


def findFaults(root: str) -> list[str]:
    """Everything below root that is too long, as "path:line: what"."""
    faults = []
    for path in listFiles(root):
        if not path.endswith(SOURCE_SUFFIXES) and "." in os.path.basename(path):
            continue
        text = readText(root, path)
        if not path.endswith(SOURCE_SUFFIXES) and not isShell(text):
            continue
        lines = text.count("\n")
        if lines > MAX_FILE_LINES:
            faults.append(f"{path}:{MAX_FILE_LINES + 1}: the file has {lines} lines; the limit is {MAX_FILE_LINES}")
        try:
            long = [found for found in findFunctions(path, text) if found[2] - found[1] + 1 > MAX_FUNCTION_LINES]
        except (SyntaxError, ValueError) as error:
            faults.append(f"{path}:1: can't be read: {error}")
            continue
        for name, first, last in long:
            faults.append(f"{path}:{first}: {name}: {last - first + 1} lines; the limit is {MAX_FUNCTION_LINES}")
    return faults


def plantFunction(head: str, body: str, lines: int, tail: str = "}") -> str:
    """A function of exactly `lines` lines."""
    return head + "\n" + (body + "\n") * (lines - 1 - (tail != "")) + (tail + "\n" if tail else "")


# File, its text, and the line of the fault in it, or 0.
PLANTED = [
    ("a/long.cpp", "int x;\n" * 501, 501),
    ("a/just.cpp", "int x;\n" * 500, 0),
    ("a/function.cpp", "namespace a {\n" + plantFunction("int f() {", "    g();", 61) + "}\n", 2),
    ("a/limit.cpp", "namespace a {\n" + plantFunction("int f() {", '    g("{", \'{\');  // {', 60) + "}\n", 0),
    ("a/method.h", "class A : public B {\npublic:\n" + plantFunction("    A() : b_(1) {", "    g({1});", 61) + "};\n", 3),
    ("a/split.c", plantFunction("static struct s* f(\n    int a) {", "#if A\n#else\n#endif", 20), 0),
    ("a/two_lines.c", "int a;\n" + plantFunction("static struct s* f(\n    int a) {", "    ;", 60), 2),
    ("a/table.cpp", plantFunction("alignas(8) const int kTable[] = {", "    f(1),", 100, "};"), 0),
    ("a/template.cpp", plantFunction("template <class T = int>\nauto f(T a) -> T {", "    g<int>();", 60), 1),
    ("a/raw.cpp", plantFunction('const char* kText = R"x(', "void f() {", 70, ')x";'), 0),
    ("a/branches.c", "#if A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n" + "    g();\n" * 60 + "}\n", 2),
    ("a/unbalanced.cpp", "void f() {\n", 1),
    ("a/long.py", plantFunction("def f():", "    pass", 61, ""), 1),
    ("a/limit.py", plantFunction("def f():", "    pass", 60, ""), 0),
    ("a/tool", "#!/usr/bin/env bash\n" + plantFunction("f() {", "    true", 61), 2),
    ("a/notes", "not a program\n" * 600, 0),
]


def checkPlantedFaults() -> None:
    """Ends the program when a fault planted in PLANTED is not found, or something else is taken for one."""
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "a"))
        for path, text, _ in PLANTED:
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found = {":".join(fault.split(":")[:2]) for fault in findFaults(root)}
    planted = {f"{path}:{line}" for path, _, line in PLANTED if line}
    if found != planted:
        sys.exit(f"the check itself is wrong: not found {sorted(planted - found)}, no fault {sorted(found - planted)}")


def main() -> int:
    """Returns the exit status."""
    checkPlantedFaults()
    faults = findFaults(sys.argv[1])
    print("\n".join(faults) or "files and functions are short enough")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
