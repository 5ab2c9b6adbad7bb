"""Kernels and device functions of the package itself: kiln compiles them from their text, which embedded modules do not have."""

from numba.cuda.dispatcher import jit


def define(name: str, text: str, **scope) -> dict:
    """The names that the text of a module defines, with `scope` as what it knows."""
    import linecache

    file = f"<numba.cuda {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)  # where kernels' sources are looked for
    exec(compile(text, file, "exec"), scope)
    return scope


def own_kernel(function):
    """A kernel that the package launches."""
    kernel = jit(function)
    kernel._is_own = True
    return kernel


def device_function(function):
    """A function that kernels call."""
    return jit(function, device=True)
