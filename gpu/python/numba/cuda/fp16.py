"""numba.cuda.fp16: functions of float16 in kernels."""

from numba.cuda.stubs import Intrinsic

_NAMES = (
    "hadd hsub hmul hdiv hfma hneg habs hsin hcos hlog hlog2 hlog10 hexp hexp2 hexp10 hfloor hceil hsqrt hrsqrt hrcp hrint htrunc htanh "
    "heq hne hgt hge hlt hle hmax hmin"
)
globals().update({name: Intrinsic(f"fp16.{name}") for name in _NAMES.split()})
