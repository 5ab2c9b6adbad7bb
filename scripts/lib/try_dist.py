"""Run by the kiln of an unpacked tarball or Debian package: its home, its extension modules, a virtual environment and a subprocess work."""
import importlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import zlib

# These use the system's own libraries, which need not be there.
OPTIONAL = {"readline", "_gdbm", "_dbm", "_tkinter", "nis"}


def check(condition: bool, what: object) -> None:
    """Ends the program with a message unless the condition holds."""
    if not condition:
        sys.exit(f"try_dist: {what}")


def tryModules(home: str) -> int:
    """Imports every extension module; returns how many there are."""
    folder = os.path.join(home, "lib", "python3.12", "lib-dynload")
    names = {name.split(".")[0] for name in os.listdir(folder)} - OPTIONAL
    for name in sorted(names):
        module = importlib.import_module(name)
        check(module.__file__.startswith(folder), f"{name} comes from {module.__file__}")
    return len(names)


def tryLibraries() -> None:
    """Uses what the bundled libraries are for."""
    import bz2
    import ctypes
    import hashlib
    import lzma
    import sqlite3
    import ssl
    import uuid

    data = b"kiln" * 1000
    for module in (bz2, lzma, zlib):
        check(module.decompress(module.compress(data)) == data, module.__name__)
    check(sqlite3.connect(":memory:").execute("select 6 * 7").fetchone() == (42,), "sqlite3")
    check(hashlib.new("sha3_256", data).hexdigest() == hashlib.sha3_256(data).hexdigest(), "hashlib")
    check(ssl.create_default_context().minimum_version >= ssl.TLSVersion.TLSv1_2, ssl.OPENSSL_VERSION)
    check(ctypes.CDLL(None).abs(-3) == 3 and uuid.uuid1().version == 1, "ctypes, uuid")


def tryEnvironment() -> None:
    """A virtual environment made from the tarball has pip and finds the same standard library."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, stdout=subprocess.DEVNULL)
        program = "import os, pip, sys; print(sys.prefix, os.__file__, sep='\\n')"
        inside = os.path.join(folder, "bin", "python")
        output = subprocess.run([inside, "-c", program], check=True, capture_output=True, text=True).stdout.splitlines()
        check(output == [os.path.realpath(folder), os.__file__], output)


home = os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))
check(sys.base_prefix == home, f"base_prefix is {sys.base_prefix}, not {home}")
check(os.__file__ == os.path.join(home, "lib", "python3.12", "os.py"), os.__file__)
check(sysconfig.get_config_var("INCLUDEPY") == os.path.join(home, "include", "python3.12"), "sysconfig's paths")
check(all(path.startswith(home) or path == os.path.dirname(os.path.abspath(__file__)) for path in sys.path), sys.path)
count = tryModules(home)
tryLibraries()
tryEnvironment()
print(f"try_dist: {count} extension modules, the bundled libraries and a virtual environment work")
