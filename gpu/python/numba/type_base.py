"""What all types are made of: names that signatures can be written with."""


class Type:
    """A type by its name. Equal names are equal types."""

    _kiln_is_type = True  # for kernels that get types as arguments

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *arguments: "Type") -> "Signature":
        """A signature: float64(int32) takes an int32 and returns a float64."""
        return Signature(self, arguments)

    def __getitem__(self, index) -> "Array":
        """An array type: float64[:], float64[:, ::1]."""
        slices = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(item, slice) for item in slices):
            raise KeyError(f"an array type is written with colons, {self}[:]")
        layout = "C" if slices[-1].step == 1 else "F" if slices[0].step == 1 else "A"
        return Array(self, len(slices), layout)

    def __eq__(self, other) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """What equality compares."""
        return self.name

    def is_precise(self) -> bool:
        """Whether the type is fully known: always."""
        return True


class Signature:
    """Return type and argument types of a function."""

    def __init__(self, return_type: Type, args: tuple[Type, ...]) -> None:
        self.return_type = return_type
        self.args = args

    def __eq__(self, other) -> bool:
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))

    def __repr__(self) -> str:
        return f"{self.args} -> {self.return_type}"


class Sized(Type):
    """Base of the types of what has a length."""


class Hashable(Type):
    """Base of the types of what can be a key."""


class IterableType(Type):
    """Base of the types of what loops run over."""


class Sequence(Sized, IterableType):
    """Base of the types of sequences."""


class MutableSequence(Sequence):
    """Base of the types of lists."""


class Container(Sized, IterableType):
    """Base of the types of sets."""


class Buffer(IterableType):
    """Base of the types of memory with a layout."""


class Array(Buffer):
    """An ndarray: element type, dimensions, layout (C, F, or A for any)."""

    def __init__(
        self, dtype: Type, ndim: int, layout: str, readonly: bool = False, name: str | None = None, aligned: bool = True
    ) -> None:
        super().__init__(name or f"{'readonly ' if readonly else ''}array({dtype}, {ndim}d, {layout})")
        self.dtype = dtype
        self.ndim = ndim
        self.layout = layout
        self.mutable = not readonly
        self.aligned = aligned

    is_c_contig = property(lambda self: self.layout == "C")
    is_f_contig = property(lambda self: self.layout == "F")
    is_contig = property(lambda self: self.layout in ("C", "F"))

    def copy(self, dtype: Type | None = None, ndim: int | None = None, layout: str | None = None, readonly: bool | None = None) -> "Array":
        """This type with some of its properties changed."""
        return Array(self.dtype if dtype is None else dtype, self.ndim if ndim is None else ndim, layout or self.layout,
                     not self.mutable if readonly is None else readonly)
