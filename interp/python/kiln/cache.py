"""`kiln -m kiln cache`: the compiled kernels that are kept on disk."""

import os
import re
import stat

import _kiln

from kiln.wording import counted

SUFFIX = r"\.kernel"
COMPILER_SUFFIX = r"\.compiler"  # which compiler was chosen


def folder() -> str:
    """Where compiled kernels are kept: KILN_CACHE_DIR, or kiln/kernels in the user's cache folder."""
    wish = next(row[6] for row in _kiln.config_rows() if row[1] == "KILN_CACHE_DIR")
    if wish:
        return os.path.abspath(wish)
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kiln", "kernels")


ALL = re.compile(rf"({SUFFIX}|{COMPILER_SUFFIX})(\.part\w{{6}})?$")  # with what a killed process left half written
KERNELS = re.compile(rf"{SUFFIX}$")


def files(names: re.Pattern) -> list[os.DirEntry]:
    """What is kept; nothing when there is no folder."""
    path = folder()
    if not os.path.isdir(path):
        return []
    return [entry for entry in os.scandir(path) if names.search(entry.name) and entry.is_file(follow_symlinks=False)]


def summary() -> str:
    """The folder and what it holds, in a line."""
    path = folder()
    if not os.path.lexists(path):
        return f"{path} (not made yet{obstacle(path)})"
    sizes = [entry.stat().st_size for entry in files(KERNELS)]
    return f"{path} ({counted(len(sizes), 'kernel')}, {sum(sizes) / 1e6:.1f} MB){unsafe(path)}"


def obstacle(path: str) -> str:
    """Why a folder that is not there cannot be made; empty when it can."""
    above = path
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        return f", and cannot be: {above} is no folder"
    return "" if os.access(above, os.W_OK | os.X_OK) else f", and cannot be: {above} cannot be written"


def unsafe(path: str) -> str:
    """Why kernels are not kept there, as kernel_cache.cpp decides it; empty when they are."""
    status = os.lstat(path)
    if not stat.S_ISDIR(status.st_mode):
        return "; not used: it is no folder"
    if status.st_uid != os.geteuid():
        return "; not used: it belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "; not used: it can be written by other users; chmod go-w makes it private"
    return ""


def show(clear: bool) -> int:
    """Prints the summary, after deleting the kernels if asked to. The exit status: 1 when one cannot be deleted."""
    status = 0
    for entry in files(ALL) if clear else []:
        try:
            os.unlink(entry.path)
        except OSError as error:
            print(f"{entry.path}: {error.strerror}")
            status = 1
    print(summary())
    return status
