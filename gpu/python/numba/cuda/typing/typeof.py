"""numba.cuda.typing.typeof: the type of a value."""

import enum

from numba.structures import typeof_impl
from numba.typing import typeof


class Purpose(enum.Enum):
    """What the type of a value is asked for: as that of an argument, or of a constant. kiln makes no difference."""

    argument = 1
    constant = 2
