"""PyPy as a peer, and how it is installed."""

import os
import shutil

from suite.peers import Peer, Unavailable, ask, say

# What PyPy is, and on a line of its own the Python that it understands.
DESCRIBE = """
import sys
print("PyPy %d.%d.%d, Python " % sys.pypy_version_info[:3] + sys.version.split()[0])
print(sys.version_info[0], sys.version_info[1])
"""


def find_pypy(options) -> Peer:
    """PyPy from PATH, else from the distribution's packages."""
    if not shutil.which("pypy3"):
        remedy = "apt-get install pypy3"
        if not shutil.which("apt-get"):
            raise Unavailable("there is no pypy3 on PATH")
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        say(f"installing PyPy: {remedy}")
        try:
            ask([*root, "apt-get", "install", "-y", "--no-install-recommends", "pypy3"])
        except Unavailable:
            try:
                ask([*root, "apt-get", "update"])
                ask([*root, "apt-get", "install", "-y", "--no-install-recommends", "pypy3"])
            except Unavailable as error:
                raise Unavailable(f"{error}; install it by hand: {remedy}") from None
    version, python = ask(["pypy3", "-c", DESCRIBE]).splitlines()
    major, minor = python.split()
    return Peer("pypy", ("pypy3",), version, python=(int(major), int(minor)))
