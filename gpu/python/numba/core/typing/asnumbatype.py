"""numba.core.typing.asnumbatype: types of annotations."""

from numba.python_types import as_numba_type
