"""`kiln -m kiln jupyter`: a kernel of Jupyter's that runs under kiln."""

import json
import os
import sys

from kiln.report_file import say

NAME = "kiln"


def describe() -> dict:
    """The kernelspec: the kernel is ipykernel in this kiln, with the packages that this kiln sees."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": f"Python {version} (kiln)",
        "language": "python",
        "interrupt_mode": "signal",
        "metadata": {"debugger": True},
    }


def kernels_folder(prefix: str | None, user: bool) -> str:
    """Where Jupyter looks for kernelspecs: of a prefix, else of the user, else of the environment that kiln belongs to."""
    if prefix is not None:
        data = os.path.join(prefix, "share", "jupyter")
    elif user or sys.prefix == sys.base_prefix:
        home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
        data = os.environ.get("JUPYTER_DATA_DIR") or os.path.join(home, "jupyter")
    else:
        data = os.path.join(sys.prefix, "share", "jupyter")
    return os.path.join(data, "kernels", NAME)


def install(prefix: str | None, user: bool) -> int:
    """Writes the kernelspec, in place of an older one; exit status 1 after a message when that fails."""
    from importlib.util import find_spec

    folder = kernels_folder(prefix, user)
    path = os.path.join(folder, "kernel.json")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(describe(), file, indent=1)
            file.write("\n")
        os.replace(path + ".new", path)
    except OSError as error:
        return say(f"cannot write {path}: {error.strerror}; --user, or --prefix DIR, puts it elsewhere")
    print(path)
    if find_spec("ipykernel") is None:
        say(f"ipykernel is not installed here, and the kernel needs it: {sys.executable} -m pip install ipykernel")
    return 0
