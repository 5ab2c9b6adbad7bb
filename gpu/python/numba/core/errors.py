"""numba.core.errors: the classes that programs catch and filter. kiln's own numba raises none of the compiler's."""


class NumbaWarning(Warning):
    """Base of numba's warnings."""


class NumbaError(Exception):
    """Base of numba's errors."""


class TypingError(NumbaError):
    """What numba raises for code that it cannot type."""


class UndefinedNameError(TypingError, NameError):
    """A name in a kernel that stands for nothing: numba's error, and Python's."""


class UnsupportedError(NumbaError):
    """What numba raises for code that it does not support."""


def _define(names: str, *bases: type) -> None:
    for name in names.split():
        globals()[name] = type(
            name, bases, {"__module__": __name__, "__doc__": "One of numba's, for those who name it."}
        )


_define(
    "NumbaPerformanceWarning NumbaParallelSafetyWarning NumbaTypeSafetyWarning NumbaExperimentalFeatureWarning "
    "NumbaInvalidConfigWarning NumbaIRAssumptionWarning NumbaDebugInfoWarning NumbaSystemWarning",
    NumbaWarning,
)
_define("NumbaDeprecationWarning", NumbaWarning, DeprecationWarning)
_define("NumbaPendingDeprecationWarning", NumbaWarning, PendingDeprecationWarning)
_define(
    "DeprecationError UnsupportedParforsError LoweringError CompilerError "
    "RedefinedError VerificationError ConstantInferenceError NumbaRuntimeError InternalError IRError ByteCodeSupportError "
    "InternalTargetMismatchError ForceLiteralArg LiteralTypingError NonexistentTargetError NotDefinedError LiteralNumbaError",
    NumbaError,
)
_define(
    "UntypedAttributeError NumbaTypeError NumbaValueError NumbaAttributeError NumbaAssertionError NumbaIndexError "
    "NumbaKeyError NumbaNotImplementedError RequireLiteralValue",
    TypingError,
)
_define("UnsupportedRewriteError ForbiddenConstruct UnsupportedBytecodeError", UnsupportedError)
