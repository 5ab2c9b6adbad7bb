"""numba.core.extending is numba.extending."""

from numba.extending import *
