"""Prints "ok EXECUTABLE" when the Python that runs this can be embedded by kiln, else one line that says why not."""
import os
import sys


def findFault() -> str:
    """Returns the first thing that keeps kiln from embedding this interpreter, or an empty string."""
    if sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 12):
        return "is %s %d.%d, not CPython 3.12" % ((sys.implementation.name,) + tuple(sys.version_info[:2]))
    import sysconfig

    if sysconfig.get_config_var("Py_DEBUG") or hasattr(sys, "gettotalrefcount"):
        return "is a debug build, whose objects have another layout"
    include = sysconfig.get_path("include", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix})
    for header in ("Python.h", os.path.join("internal", "pycore_frame.h")):
        if not os.path.exists(os.path.join(include, header)):
            return "has no headers (%s is missing in %s)" % (header, include)
    folders = [sysconfig.get_config_var(name) for name in ("LIBPL", "LIBDIR")]
    if not any(folder and os.path.exists(os.path.join(folder, "libpython3.12.a")) for folder in folders):
        return "has no static library (libpython3.12.a)"
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        return "can't make virtual environments (%s)" % error
    return ""


fault = findFault()
print(fault or "ok " + os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
