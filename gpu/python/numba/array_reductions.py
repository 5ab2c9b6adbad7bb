"""NumPy's reductions of arrays with nans in kernels, and count_nonzero: Python functions for arrays of a number of dimensions."""

import functools

# By name: what is before the loops over elements `v`, of which of them something is done, what, and the result. T is the type of an element.
_FUNCTIONS = {
    "count_nonzero": ("n = 0", "v != 0", "n += 1", "n"),
    "nansum": ("total = T(0)", "v == v", "total = T(total + v)", "total"),
    "nanprod": ("total = T(1)", "v == v", "total = T(total * v)", "total"),
    "nanmax": ("most = a[FIRST]", "v == v and not most >= v", "most = v", "most"),
    "nanmin": ("most = a[FIRST]", "v == v and not most <= v", "most = v", "most"),
    "nanmean": ("total, n = 0.0, 0", "v == v", "total, n = total + v, n + 1", "total / n if n else math.nan"),
}
_SPREAD = ("middle, total, n = mean(a), 0.0, 0", "v == v", "total, n = total + (v - middle) * (v - middle), n + 1")
_FUNCTIONS["nanvar"] = (*_SPREAD, "total / n if n else math.nan")
_FUNCTIONS["nanstd"] = (*_SPREAD, "math.sqrt(total / n) if n else math.nan")


def find(callee, given: list):
    """The Python function for a call with an argument of this type; None where there is none."""
    name = getattr(callee, "__name__", "")
    is_one = getattr(callee, "__module__", None) == "numpy" and name in _FUNCTIONS and len(given) == 1
    dimensions = getattr(given[0], "ndim", None) if is_one else None
    return _made(name, given[0].dtype, dimensions).py_func if dimensions is not None else None


@functools.cache
def _made(name: str, kind, dimensions: int):
    import math

    from numba.cuda.written import define, device_function

    before, condition, step, result = _FUNCTIONS[name]
    indices = [f"i{axis}" for axis in range(dimensions)]
    lines = ["@device", f"def {name}(a):", "    " + before.replace("FIRST", ", ".join("0" for _ in indices) or "()")]
    lines += [f"{'    ' * (axis + 1)}for {index} in range(a.shape[{axis}]):" for axis, index in enumerate(indices)]
    inner = "    " * (dimensions + 1)
    lines += [f"{inner}v = a[{', '.join(indices) or '()'}]", f"{inner}if {condition}:", f"{inner}    {step}", f"    return {result}", ""]
    scope = {"device": device_function, "math": math, "T": kind}
    if "mean" in before:
        scope["mean"] = _made("nanmean", kind, dimensions)
    return define(f"{name} of {dimensions} dimensions of {kind}", "\n".join(lines), **scope)[name]
