"""Which processes of this machine run kiln, as far as this user may know."""

import os

from kiln.annotate import printable


def name_of(pid: int) -> str:
    """What the kernel calls a process; everybody may ask. "" when it is gone."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return printable(file.read().strip())
    except OSError:
        return ""


def command_of(pid: int) -> str:
    """Its command line, in short: without the launcher."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            words = file.read().rstrip("\0").split("\0")
    except OSError:
        words = []
    return " ".join(words[1:]) or "-"


def running() -> list[int]:
    """Processes that run a program called kiln and may be looked at, but for this one."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            is_kiln = entry.isdigit() and os.path.basename(os.readlink(f"/proc/{entry}/exe")) == "kiln"
        except OSError:
            continue
        if is_kiln and int(entry) != os.getpid():
            found.append(int(entry))
    return sorted(found)


def hint() -> str:
    """What else there is to watch, in words."""
    found = running()
    if not found:
        return "no other kiln runs that you may watch; one is started by: kiln PROGRAM.py"
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return "kiln runs in " + ", ".join(f"{pid} ({shortened(command_of(pid))})" for pid in found[:3]) + more


def shortened(command: str) -> str:
    """A command as it fits into a sentence."""
    return printable(command if len(command) <= 40 else command[:39] + "…")
