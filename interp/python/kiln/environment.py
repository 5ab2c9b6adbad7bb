"""`kiln -m kiln venv DIR`: makes `kiln` a command of a virtual environment."""

import os
import sys

import _kiln

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def read_settings(folder: str) -> dict[str, str]:
    """The settings in the pyvenv.cfg of `folder`. Raises OSError when there is none."""
    settings = {}
    with open(os.path.join(folder, "pyvenv.cfg"), encoding="utf-8") as file:
        for line in file:
            key, _, value = line.partition("=")
            settings[key.strip().lower()] = value.strip()
    return settings


def problem_of(folder: str) -> str:
    """Why the environment in `folder` cannot be kiln's; "" when it can."""
    try:
        settings = read_settings(folder)
    except OSError:
        return f"it is not a virtual environment; make one with: kiln -m venv {folder}"
    version = settings.get("version") or settings.get("version_info", "")
    if not (version + ".").startswith(PYTHON + "."):
        return f"it is for Python {version or '(unknown)'}, and kiln is Python {PYTHON}"
    if not os.path.isdir(os.path.join(folder, "lib", f"python{PYTHON}", "site-packages")):
        return f"it has no lib/python{PYTHON}/site-packages"
    return ""


def link(folder: str) -> int:
    """Makes `folder`/bin/kiln a link to this kiln, in place of an older link. Exit status 1 when it cannot."""
    problem = problem_of(folder)
    path = os.path.join(folder, "bin", "kiln")
    target = _kiln.executable()
    if not problem and os.path.lexists(path) and not os.path.islink(path):
        if os.path.realpath(path) == target:
            problem = "its bin/kiln is this kiln itself"
        else:
            problem = "its bin/kiln is a file and not a link; remove it first"
    if not problem:
        fresh = f"{path}.{os.getpid()}"
        try:
            os.symlink(target, fresh)
            os.replace(fresh, path)
        except OSError as error:
            problem = error.strerror
    if problem:
        print(f"kiln: cannot put a link into {folder}: {problem}", file=sys.stderr)
        return 1
    print(f"{path} -> {target}")
    return 0
