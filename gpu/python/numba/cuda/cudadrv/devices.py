"""numba.cuda.cudadrv.devices: the devices and their contexts."""

from numba.cuda.device import close as reset
from numba.cuda.device import current_context as get_context
from numba.cuda.device import gpus, require_context
