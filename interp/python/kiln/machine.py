"""What this machine has: CPU, CUDA driver, NVRTC and packages, found without initialising CUDA."""

import ctypes
import importlib.machinery
import importlib.metadata
import os
import sys

import _kiln

from kiln.wording import counted

# Those that decide which code the compiler makes.
FEATURES = ("sse4_2", "avx", "avx2", "fma", "bmi1", "bmi2", "avx512f", "avx512dq", "avx512bw", "avx512vl")


def cpu_facts() -> dict[str, str]:
    """The first CPU's entry in /proc/cpuinfo; empty when there is none."""
    facts = {}
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                key, separator, value = line.partition(":")
                if not separator:
                    break
                facts[key.strip()] = value.strip()
    except OSError:
        pass
    return facts


def cpu_name() -> str:
    """Model and number of cores that this process may use."""
    return f"{cpu_facts().get('model name', 'unknown')}, {counted(len(os.sched_getaffinity(0)), 'core')}"


def cpu_features() -> str:
    """The vector and bit extensions that matter to compiled code."""
    flags = cpu_facts().get("flags", "").split()
    return " ".join(name for name in FEATURES if name in flags) or "no vector extensions known"


def installed_package(name: str) -> str:
    """Version and folder of an installed package that is not kiln's own; "" when there is none. Imports nothing."""
    for folder in sys.path:
        spec = importlib.machinery.FileFinder(folder or ".", *_source_loaders()).find_spec(name)
        if spec is not None and spec.loader is not None:
            try:
                version = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                version = "of unknown version"
            return f"{version} in {os.path.dirname(os.path.dirname(spec.origin))}"
    return ""


def open_library(name: str) -> ctypes.CDLL | None:
    """The shared library `name` (a soname or an absolute path), or None when it cannot be opened."""
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def cuda_driver() -> list[str]:
    """The driver's version, the CUDA version it speaks, and the GPUs; or that there is none."""
    cuda = open_library("libcuda.so.1")
    if cuda is None:
        return ["not found (libcuda.so.1 cannot be opened)"]
    version = ctypes.c_int()
    if cuda.cuDriverGetVersion(ctypes.byref(version)) != 0:
        return ["libcuda.so.1 is there, but gives no version: a stub, or broken"]
    spoken = f"CUDA {version.value // 1000}.{version.value % 1000 // 10}"
    management = open_library("libnvidia-ml.so.1")
    if management is None or management.nvmlInit_v2() != 0:
        return [f"{spoken}; its management library (NVML) does not answer: no usable GPU"]
    lines = [f"{_nvml_text(management.nvmlSystemGetDriverVersion)} ({spoken})", *_gpu_names(management)]
    management.nvmlShutdown()
    return lines


def nvrtc() -> list[str]:
    """The CUDA compiler that kernels would get, and every place where one was looked for."""
    _kiln.kernel_package_folders(list(sys.path))
    chosen, tried = _kiln.kernel_compiler()
    found = chosen or "not found (pip install nvidia-cuda-nvrtc-cu12 brings it)"
    return [f"{found}; looked for in", *tried.rstrip("\n").splitlines()]


def _source_loaders() -> list[tuple]:
    return [
        (importlib.machinery.SourceFileLoader, importlib.machinery.SOURCE_SUFFIXES),
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
    ]


def _nvml_text(function, *arguments) -> str:
    text = ctypes.create_string_buffer(96)
    return text.value.decode() if function(*arguments, text, ctypes.c_uint(96)) == 0 else "unknown"


def _gpu_names(management: ctypes.CDLL) -> list[str]:
    count = ctypes.c_uint()
    if management.nvmlDeviceGetCount_v2(ctypes.byref(count)) != 0:
        return ["the GPUs cannot be counted"]
    names = []
    for index in range(count.value):
        device = ctypes.c_void_p()
        if management.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(device)) == 0:
            names.append(f"GPU {index}: {_nvml_text(management.nvmlDeviceGetName, device)}")
    return names or ["no GPU"]
