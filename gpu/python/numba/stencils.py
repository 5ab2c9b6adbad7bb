"""stencil: a function of a place's neighbours as one of arrays."""

from numba.core.errors import NumbaValueError

_OPTIONS = {"cval", "neighborhood", "standard_indexing"}


def stencil(func_or_mode="constant", **options):
    """@stencil, @stencil(...), stencil(function, ...): a StencilFunc. `cval`, `neighborhood`, `standard_indexing`."""
    from numba.stencil_function import StencilFunc

    mode = func_or_mode if isinstance(func_or_mode, str) else "constant"
    if mode != "constant":
        raise NumbaValueError(f"Unsupported mode style {mode}")
    for option in options:
        if option not in _OPTIONS:
            raise NumbaValueError(f"Unknown stencil option {option}")
    if not isinstance(func_or_mode, str):
        return StencilFunc(func_or_mode, mode, options)
    return lambda kernel: StencilFunc(kernel, mode, options)
