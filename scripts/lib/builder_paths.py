"""Folders of the machine that artefacts are made on: none is named in what they hold."""
import os
import re
import sys
import sysconfig

from elf_files import isElf

# Every system has these.
COMMON = {"", "/usr", "/usr/local"}


def builderPaths(root: str, build: str) -> list[str]:
    """Where the project, its build, and the CPython inside with what that was built from are; the longest first."""
    found = {root, build, sys.base_prefix, sys.base_exec_prefix}
    found |= {sysconfig.get_config_var(name) or "" for name in ("abs_builddir", "abs_srcdir")}
    paths = {path.rstrip("/") for path in found} - COMMON
    return sorted((path for path in paths if os.path.dirname(path) != "/"), key=len, reverse=True)


def patternOf(path: str) -> re.Pattern[bytes]:
    """Finds the folder, also behind an option such as -I, but not as a part of another path."""
    return re.compile(rb"(?:(?<![\w./-])|(?<=-[IL]))" + re.escape(os.fsencode(path)) + rb"(?![\w-])")


def hide(target: str, paths: list[str]) -> None:
    """Puts slashes in place of what the folders are in, in all programs and libraries of a tree. The last name stays: another text
    may be the end of the same bytes. By two slashes the launcher knows (interp/launcher/python_home.cpp)."""
    for parent, _, names in os.walk(target):
        for name in names:
            file = os.path.join(parent, name)
            if not os.path.islink(file) and isElf(file):
                _hideIn(file, paths)


def _hideIn(file: str, paths: list[str]) -> None:
    with open(file, "rb") as stream:
        old = new = stream.read()
    for path in paths:
        parent, name = os.path.split(os.fsencode(path))
        new = patternOf(path).sub(b"/" * (len(parent) + 1) + name, new)
    if new != old:
        with open(file, "r+b") as stream:
            stream.write(new)


def findNamed(target: str, paths: list[str]) -> list[str]:
    """Files of a tree that name one of the folders, a line each."""
    lines = []
    for parent, _, names in os.walk(target):
        for name in names:
            file = os.path.join(parent, name)
            if os.path.islink(file):
                continue
            with open(file, "rb") as stream:
                data = stream.read()
            lines += [f"    {os.path.relpath(file, target)} names {path}" for path in paths if patternOf(path).search(data)]
    return lines
