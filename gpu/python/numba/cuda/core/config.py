"""numba.cuda.core.config is numba.core.config: one module, so that what programs set has its effect."""

import sys

from numba.core import config

sys.modules[__name__] = config
