"""numba's linker: pieces of code become one cubin, by NVRTC and nvJitLink. It needs no GPU."""

import os
import re
import subprocess
import warnings

import _kiln
from numba.cuda.cudadrv import nvrtc
from numba.cuda.cudadrv.error import LinkerError
from numba.cuda.cudadrv.modules import ObjectCode
from numba.cuda.linking import LinkableCode

_KINDS = {"o": "o", "object": "o", "ptx": "ptx", "a": "a", "lib": "a", "library": "a", "cubin": "cubin", "fatbin": "fatbin", "ltoir": "ltoir", "cu": "cu"}


class Linker:
    """Takes pieces by add_*(); complete() links them.

    cc: the compute capability. lto: whether CUDA C++ becomes LTO-IR, which is optimised with all other pieces of that form.
    """

    def __init__(self, max_registers=None, lineinfo=False, cc=None, lto=None, additional_flags=None) -> None:
        if not isinstance(cc, (tuple, list)) or len(cc) not in (2, 3):
            raise TypeError(f"cc is the compute capability, as (9, 0), and not {cc!r}")
        self.cc, self.max_registers, self.lineinfo, self.lto, self.additional_flags = tuple(cc), max_registers or None, lineinfo, lto, additional_flags
        self._capability = nvrtc.capability(self.cc)
        self.arch = f"sm_{self._capability}"
        self._pieces: list = []
        self._complete = False
        self._info = ""

    @property
    def info_log(self) -> str:
        """What the linker said beside errors, often nothing. RuntimeError before it linked."""
        self._check_complete()
        return self._info

    @property
    def error_log(self) -> str:
        """Nothing: a LinkerError has the text of errors. RuntimeError before it linked."""
        self._check_complete()
        return ""

    def _check_complete(self) -> None:
        if not self._complete:
            raise ValueError("Not Initialized") if not self._pieces else RuntimeError("Link not yet complete.")

    def _add(self, kind: str, code, name: str) -> None:
        self._pieces.append((kind, name, code.encode() if isinstance(code, str) else bytes(code), None))

    def add_ptx(self, ptx, name: str = "<cudapy-ptx>") -> None:
        """PTX."""
        self._add("ptx", ptx, name)

    def add_cu(self, cu, name: str = "<cudapy-cu>") -> None:
        """CUDA C++, which is compiled now. NvrtcCompilationError where it cannot be."""
        text = cu.encode() if isinstance(cu, str) else bytes(cu)
        kind = "ltoir" if self.lto else "ptx"
        self._add(kind, _kiln.kernel_compile_text(text, name, self._capability, kind, ("-lineinfo",) * bool(self.lineinfo)).rstrip(b"\0" if kind == "ptx" else b""), name)

    def add_cubin(self, cubin, name: str = "<cudapy-cubin>") -> None:
        """Relocatable machine code."""
        self._add("cubin", cubin, name)

    def add_ltoir(self, ltoir, name: str = "<cudapy-ltoir>") -> None:
        """LTO-IR."""
        self._add("ltoir", ltoir, name)

    def add_fatbin(self, fatbin, name: str = "<cudapy-fatbin>") -> None:
        """Code for several architectures."""
        self._add("fatbin", fatbin, name)

    def add_object(self, obj, name: str = "<cudapy-object>") -> None:
        """An object file with code for GPUs."""
        self._add("o", obj, name)

    def add_library(self, lib, name: str = "<cudapy-lib>") -> None:
        """An archive of objects."""
        self._add("a", lib, name)

    def add_cu_file(self, path: str) -> None:
        """CUDA C++ in a file."""
        with open(path, "rb") as file:
            self.add_cu(file.read(), os.path.basename(path))

    def add_data(self, data, kind: str, name: str) -> None:
        """Code of a kind, as "ptx". LinkerError for another one."""
        known = _KINDS.get(str(kind))
        if known is None:
            raise LinkerError(f"Don't know how to link {kind}")
        self.add_cu(data, name) if known == "cu" else self._add(known, data, name)

    def add_file(self, path: str, kind: str) -> None:
        """A file. LinkerError where there is none."""
        try:
            with open(path, "rb") as file:
                self.add_data(file.read(), kind, os.path.basename(path))
        except FileNotFoundError:
            raise LinkerError(f"{path} not found") from None

    def add_file_guess_ext(self, path_or_code, ignore_nonlto: bool = False) -> None:
        """A file whose ending says what it is, or LinkableCode. ignore_nonlto: what cannot be optimised in linking is left out, with a warning."""
        if isinstance(path_or_code, LinkableCode):
            kind, name = path_or_code.kind, path_or_code.name
            add = lambda: self.add_data(path_or_code.data, kind, name)
        elif isinstance(path_or_code, str):
            name, kind = path_or_code, os.path.splitext(path_or_code)[1][1:]
            if not kind:
                raise RuntimeError("Don't know how to link file with no extension")
            if kind not in _KINDS:
                raise RuntimeError(f"Don't know how to link file with extension .{kind}")
            add = lambda: self.add_cu_file(name) if kind == "cu" else self.add_file(name, kind)
        else:
            raise TypeError("Expected path to file or a LinkableCode object")
        if ignore_nonlto and kind not in ("cu", "ltoir") and not (kind in ("fatbin", "o") and isinstance(path_or_code, str) and "nvvm" in inspect_obj_content(name)):
            warnings.warn(f"Not adding {name} as it is not optimizable at link time, and `ignore_nonlto == True`.")
            return
        add()

    def _linked(self, as_ptx: bool) -> bytes:
        options = [f"-maxrregcount={self.max_registers}"] * bool(self.max_registers) + ["-lineinfo"] * bool(self.lineinfo)
        made, self._info = _kiln.kernel_link(tuple(self._pieces), self._capability, tuple(options), as_ptx)
        self._complete = True
        return made

    def get_linked_ptx(self) -> bytes:
        """The pieces as PTX. LinkerError where none of them is LTO-IR."""
        return self._linked(True).rstrip(b"\0")

    def complete(self) -> ObjectCode:
        """The pieces as a cubin: its `code`. LinkerError with the linker's text where they cannot be linked."""
        return ObjectCode(self._linked(False), "cubin")


def inspect_obj_content(objpath: str) -> set[str]:
    """The kinds of code in an object or a fatbin, which cuobjdump tells. RuntimeError without that program."""
    try:
        found = subprocess.run(["cuobjdump", objpath], check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise RuntimeError("cuobjdump has not been found. You may need to install the CUDA toolkit and ensure that it is available on your PATH.\n") from error
    return set(re.findall(r"^Fatbin (.*) code", found.stdout, re.MULTILINE))
