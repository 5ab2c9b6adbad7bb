"""numba.core.datamodel.models: the classes that models derive from."""

from numba.structures import OpaqueModel, PointerModel, PrimitiveModel, StructModel
