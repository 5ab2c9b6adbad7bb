"""numba.core.types is numba.types."""

from numba.types import *
from numba.types import (
    Array,
    Boolean,
    Complex,
    CPointer,
    DeferredType,
    DictType,
    Float,
    Integer,
    List,
    ListType,
    Literal,
    NamedTuple,
    NamedUniTuple,
    Number,
    Optional,
    Record,
    Set,
    Signature,
    Tuple,
    Type,
    UniTuple,
    string,
    undefined,
    unicode_type,
)
