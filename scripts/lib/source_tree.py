"""The project's source files as the checks see them: which there are, and C and C++ text without comments and literals."""
import os
import re

# What the build, the set-up and the editor put into a checkout.
SKIPPED_FOLDERS = {".git", ".venv", ".cache", "build", "__pycache__"}

C_SUFFIXES = (".c", ".cpp", ".h", ".cu", ".cuh", ".def")


def listFiles(root: str) -> list[str]:
    """Paths of all files below root, relative to it and sorted; generated folders are left out."""
    found = []
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in SKIPPED_FOLDERS]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return sorted(path.replace(os.sep, "/") for path in found)


def readText(root: str, path: str) -> str:
    """The file's text; bytes that are not UTF-8 are replaced."""
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


_NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)


def stripNoise(text: str) -> str:
    """C or C++ text whose comments and string and character literals are blank; every line keeps its number.

    A digit separator (1'000) is no literal.
    """

    def blank(match: re.Match) -> str:
        found = match.group()
        if found.startswith("'") and match.start() > 0 and text[match.start() - 1].isalnum():
            return found
        return re.sub(r"[^\n]", " ", found)

    return _NOISE.sub(blank, text)
