"""numba.core.registry: the class of decorated functions by its other name."""

from numba.core.dispatcher import Dispatcher as CPUDispatcher
