"""numba.core.types is numba.types."""

from numba.types import *
from numba.types import (
    Array,
    Boolean,
    Complex,
    DeferredType,
    DictType,
    Float,
    Integer,
    List,
    ListType,
    Literal,
    NamedTuple,
    Number,
    Optional,
    Set,
    Signature,
    Tuple,
    Type,
    UniTuple,
    string,
    undefined,
    unicode_type,
)
