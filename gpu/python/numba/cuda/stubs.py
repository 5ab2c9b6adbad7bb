"""The names that mean something in kernels only. kiln's compiler knows them by _kiln_intrinsic."""

__all__ = []
running = None  # the block of a kernel that runs as Python (simulator.py)


class Intrinsic:
    """A function of kernels. TypeError when it is called outside of one that runs as Python."""

    def __init__(self, name: str) -> None:
        self._kiln_intrinsic = f"cuda.{name}"
        self.__name__ = name.rpartition(".")[2]
        self.__qualname__ = name

    def __call__(self, *arguments, **options):
        if running is not None:
            return running.call(self._kiln_intrinsic, arguments, options)
        raise TypeError(f"{self._kiln_intrinsic} can be called in kernels only")

    def __repr__(self) -> str:
        return f"<{self._kiln_intrinsic}>"

    def __reduce__(self):
        return _find, (self.__qualname__,)


class Geometry(Intrinsic):
    """threadIdx and its kin: x, y and z."""

    def __getattr__(self, name: str):
        if name in ("x", "y", "z"):
            if running is not None:
                return running.part(self.__name__, name)
            raise TypeError(f"{self._kiln_intrinsic}.{name} has a value in kernels only")
        raise AttributeError(name)


class Group:
    """cuda.shared, cuda.atomic and so on: a name with functions."""

    def __init__(self, name: str, functions: str) -> None:
        for function in functions.split():
            setattr(self, function, Intrinsic(f"{name}.{function}"))


def _find(name: str):
    group, _, function = name.rpartition(".")
    return getattr(globals()[group], function) if group else globals()[name]


def _define(make, names: str) -> None:
    for name in names.split():
        globals()[name] = make(name)
        __all__.append(name)


_define(Geometry, "threadIdx blockIdx blockDim gridDim")
_define(
    Intrinsic,
    "grid gridsize laneid syncthreads syncthreads_count syncthreads_and syncthreads_or syncwarp threadfence "
    "threadfence_block threadfence_system shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync all_sync any_sync eq_sync "
    "ballot_sync match_any_sync match_all_sync activemask lanemask_lt popc brev clz ffs fma cbrt selp nanosleep",
)


class VectorType(Intrinsic):
    """float3 and its kin: in kernels, numbers under the names x, y, z and w."""

    def __init__(self, name: str, base_type: str, count: int) -> None:
        super().__init__(name)
        self._kiln_intrinsic = "cuda.vector"
        self._base_name = base_type
        self._fields = tuple("xyzw"[:count])
        self.num_elements = count
        self.name = name
        self.aliases: list = []

    @property
    def user_facing_object(self) -> "VectorType":
        """What kernels call, which is the type itself."""
        return self

    @property
    def base_type(self):
        """The type of the numbers."""
        from numba import types

        return getattr(types, self._base_name)

    def __call__(self, *arguments, **options):
        raise TypeError(f"cuda.{self.__name__} can be made in kernels only")

    def __repr__(self) -> str:
        return f"<cuda.{self.__name__}>"


def _define_vectors() -> None:
    """By numba's names, int32x3, and by CUDA's, int3."""
    c_names = {"int8": ["char"], "uint8": ["uchar"], "int16": ["short"], "uint16": ["ushort"], "int32": ["int"], "uint32": ["uint"],
               "int64": ["long", "longlong"], "uint64": ["ulong", "ulonglong"], "float32": ["float"], "float64": ["double"]}
    for base, aliases in c_names.items():
        for count in range(1, 5):
            vector = VectorType(f"{base}x{count}", base, count)
            vector.aliases += [f"{alias}{count}" for alias in aliases]
            for name in (vector.__name__, *vector.aliases):
                globals()[name] = vector
                __all__.append(name)


_define_vectors()
_define(Intrinsic, "ldca ldcg ldcs ldlu ldcv stcg stcs stwb stwt")
shared = Group("shared", "array")
local = Group("local", "array")
const = Group("const", "array_like")
atomic = Group(
    "atomic", "add sub and_ or_ xor inc dec exch max min nanmax nanmin cas compare_and_swap"
)
warpsize = 32
__all__ += ["shared", "local", "const", "atomic", "warpsize"]
