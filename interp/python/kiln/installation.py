"""How this kiln came here, and so what mends or replaces it."""

import glob
import os
import sys

import _kiln

CHECKOUT, TARBALL, WHEEL, DEB = "checkout", "tarball", "wheel", "deb"


def home() -> str:
    """The folder with the launcher's bin and the compiler's lib."""
    return os.path.dirname(os.path.dirname(_kiln.executable()))


def kind() -> str:
    """By what is around the launcher: a checkout's build alone has no standard library there."""
    library = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not os.path.isdir(os.path.join(home(), "lib", library)):
        return CHECKOUT
    if home() == "/usr/lib/kiln":
        return DEB
    packages = os.path.join(glob.escape(home()), "..", library, "site-packages")
    return WHEEL if glob.glob(os.path.join(packages, "kiln-*.dist-info")) else TARBALL


def repair() -> str:
    """What puts back a file of kiln's that is missing."""
    version = _kiln.versions()["kiln"]
    prefix = os.path.dirname(os.path.dirname(home()))
    return {
        CHECKOUT: "scripts/run builds it again",
        TARBALL: "unpack kiln's tarball again",
        WHEEL: f"{prefix}/bin/python -m pip install --force-reinstall kiln-{version}-*.whl",
        DEB: f"apt install --reinstall ./kiln_{version}_amd64.deb",
    }[kind()]


def other_python() -> str:
    """How to come by a kiln with another CPython inside."""
    if kind() == CHECKOUT:
        return "KILN_PYTHON=PATH scripts/run builds kiln on another one"
    return "another one is inside a kiln that was built from source on it: KILN_PYTHON=PATH scripts/run in a checkout"
