"""Modules of numba-cuda's own compiler, which makes LLVM IR. kiln has none of it: they can be imported, and what is asked of them is an
error that says so. Names that are documented ones as well, and those of the modules that types are in, are what they are elsewhere.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

# By package, below numba.cuda.
_NAMES = {
    "": "_compat api_util cache_hints cext codegen cpython cudamath debuginfo device_init deviceufunc flags initialize intrinsics itanium_mangler "
        "launchconfig libdevicedecl libdevicefuncs libdeviceimpl locks lowering mathimpl memory_management nvvmutils printimpl "
        "serialize simulator_init target typeconv ufuncs utils vectorizers",
    "_internal": "cuda_fp16",
    "core": "analysis annotations base boxing bytecode byteflow caching callconv codegen compiler compiler_lock compiler_machinery "
            "consts controlflow entrypoints environment event funcdesc generators inline_closurecall interpreter ir ir_utils "
            "optional options postproc pythonapi registry removerefctpass rewrites sigutils ssa targetconfig tracing transforms "
            "typed_passes typeinfer unsafe untyped_passes",
    "core.annotations": "pretty_annotate type_annotations",
    "core.rewrites": "ir_print registry static_binop static_getitem static_raise",
    "core.unsafe": "bytes eh refcount",
    "cpython": "builtins charseq cmathimpl enumimpl iterators listobj mathimpl numbers rangeobj slicing tupleobj unicode "
               "unicode_support unsafe",
    "cpython.unsafe": "numbers tuple",
    "cudadrv": "dummyarray ndarray",
    "datamodel": "cuda_manager cuda_models cuda_packer cuda_registry cuda_testing manager packer registry testing",
    "memory_management": "nrt nrt_context",
    "misc": "appdirs cffiimpl coverage_support dump_style findlib firstlinefinder gdb_hook literal llvm_pass_timings",
    "np": "arraymath arrayobj extensions linalg math npdatetime npdatetime_helpers npyfuncs npyimpl polynomial ufunc ufunc_db "
          "unsafe",
    "np.math": "cmathimpl mathimpl numbers",
    "np.polynomial": "polynomial_core polynomial_functions",
    "np.ufunc": "decorators sigparse ufuncbuilder",
    "np.unsafe": "ndarray",
    "typeconv": "castgraph rules typeconv",
    "typing": "arraydecl asnumbatype bufproto builtins cffi_utils cmathdecl collections context ctypes_utils dictdecl enumdecl "
              "listdecl mathdecl npdatetime npydecl setdecl",
}
# Modules whose names are those of another one, which has them.
_SAME = {"numba.cuda.cache_hints": "numba.cuda", "numba.cuda.device_init": "numba.cuda", "numba.cuda.intrinsics": "numba.cuda"}
_TYPES = "abstract common containers function_type functions iterators misc new_scalars npytypes scalars"
_SAME.update({f"numba.{package}.types.{prefix}{name}": "numba.types" for package, prefix in (("core", ""), ("cuda", ""), ("cuda", "cuda_")) for name in _TYPES.split()})
_MODULES = {".".join(filter(None, ("numba.cuda", package, name))) for package, names in _NAMES.items() for name in names.split()}
_PACKAGES = {name.rpartition(".")[0] for name in _MODULES}


class Internal(ModuleType):
    """One of them."""

    def __getattr__(self, name: str):
        same = sys.modules.get(_SAME.get(self.__name__, ""))
        if same is not None and not name.startswith("_") and hasattr(same, name):
            return getattr(same, name)
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        raise NotImplementedError(f"{self.__name__}.{name}: {self.__name__} is a part of numba's compiler, which kiln does not have")


class Finder:
    """Finds them, behind all that there is."""

    @staticmethod
    def find_spec(name: str, path=None, target=None):
        """The spec of one of them, None for another name."""
        if name not in _MODULES and name not in _SAME:
            return None
        return ModuleSpec(name, Finder, is_package=name in _PACKAGES)

    @staticmethod
    def create_module(spec) -> Internal:
        """The module; there is nothing to run."""
        return Internal(spec.name, __doc__)

    @staticmethod
    def exec_module(module: Internal) -> None:
        """Nothing."""


def is_internal(name: str) -> bool:
    """Whether numba.cuda has a module of this name that kiln has only in name."""
    return f"numba.cuda.{name}" in _MODULES


def install() -> None:
    """From now on they can be imported."""
    sys.meta_path.append(Finder)
