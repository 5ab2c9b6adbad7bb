"""In, Out and InOut: arguments that are copied to the device, from it, or both."""


class ArgHint:
    """An argument, and that the program knows it is copied. kiln finds out itself what need not be."""

    def __init__(self, value) -> None:
        self.value = value

    @property
    def _kiln_argument(self):
        return self.value


class Out(ArgHint):
    """Copied back: filled by the kernel."""


class InOut(ArgHint):
    """Copied in and back."""


def wrap_arg(value, default=InOut) -> ArgHint:
    """The argument, as it is where it is wrapped already."""
    return value if isinstance(value, ArgHint) else default(value)


class In(ArgHint):
    """Copied to the device and not back, whatever the kernel does with it."""

    @property
    def _kiln_argument(self):
        from numba.cuda import arrays

        return self.value if arrays.is_cuda_array(self.value) else arrays.to_device(self.value)
