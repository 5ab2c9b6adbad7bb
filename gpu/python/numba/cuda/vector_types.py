"""numba.cuda.vector_types: the types of cuda.float32x3 and its kin by their names."""

from numba.cuda import stubs

vector_types = {name: value for name, value in vars(stubs).items() if isinstance(value, stubs.VectorType) and name == value.__name__}
