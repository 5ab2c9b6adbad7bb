"""Code that programs compile, link and load themselves: contexts, modules, the linker."""

import ctypes
import os
import tempfile
import unittest
import warnings

from support import main  # before NumPy: skips the tests where there is none

import _kiln

import numpy as np
from numba import cuda, float64, types, void
from numba.cuda.cudadrv import driver, nvrtc
from numba.cuda.cudadrv.driver import CudaAPIError, LinkerError
from numba.cuda.cudadrv.error import NvrtcCompilationError

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
CC = cuda.get_current_device().compute_capability if ON_GPU else (9, 0)
FILLER = """
__device__ int offset = 5;
extern "C" __global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x + offset; }
"""
CALLER = """
extern "C" __device__ int twice(int x);
extern "C" __global__ void doubled(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
"""
TWICE = "extern \"C\" __device__ int twice(int x) { return 2 * x; }"


def launched(function, threads: int) -> list:
    """What a loaded function leaves in an array of ints. By libcuda itself, as cuda.core does it."""
    out = cuda.device_array(threads, np.int32)
    place = ctypes.c_void_p(out.device_ctypes_pointer.value)
    parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(place), ctypes.c_void_p))
    status = ctypes.CDLL("libcuda.so.1").cuLaunchKernel(ctypes.c_void_p(function.handle), 1, 1, 1, threads, 1, 1, 0, None, parameters, None)
    assert status == 0, status
    return out.copy_to_host().tolist()


def has_compiler() -> bool:
    return bool(_kiln.kernel_compiler()[0])


@unittest.skipUnless(has_compiler(), "there is no NVRTC")
class Linking(unittest.TestCase):
    def test_pieces(self) -> None:
        for lto in (False, True):
            linker = driver._Linker(max_registers=32, lineinfo=True, cc=CC, lto=lto)
            linker.add_cu(CALLER, "caller.cu")
            linker.add_cu(TWICE.encode())
            self.assertRaises(RuntimeError, lambda: linker.info_log)
            code = linker.complete()
            self.assertEqual((code.code[:4], linker.info_log, linker.error_log), (b"\x7fELF", "", ""))
            said = _kiln.kernel_link(tuple(linker._pieces), CC[0] * 10 + CC[1], ("-verbose",), False)[1]
            self.assertIn("entry function 'doubled'", said)
            if lto:
                self.assertIn(b".visible .entry doubled", linker.get_linked_ptx())
            if ON_GPU:
                module = cuda.current_context().create_module_image(code)
                self.assertEqual(launched(module.get_function("doubled"), 5), [0, 2, 4, 6, 8])

    def test_files_and_kinds(self) -> None:
        ptx, log = nvrtc.compile(TWICE, "twice.cu", CC)
        self.assertIn(b"twice", ptx.code)
        self.assertEqual((log, nvrtc.compile(TWICE, "twice.cu", CC, ltoir=True)[0].code_type), ("", "ltoir"))
        self.assertIn(b".loc", nvrtc.compile(TWICE, "twice.cu", CC, lineinfo=True)[0].code)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "caller.cu")
            with open(path, "w") as file:
                file.write(CALLER)
            with open(os.path.join(folder, "twice.ptx"), "wb") as file:
                file.write(ptx.code.rstrip(b"\0"))
            linker = driver._Linker(cc=CC)
            linker.add_file_guess_ext(path)
            linker.add_file_guess_ext(os.path.join(folder, "twice.ptx"))
            first = linker.complete().code
            other = driver._Linker(cc=CC)
            other.add_file_guess_ext(cuda.CUSource(CALLER))
            other.add_data(ptx.code.rstrip(b"\0"), "ptx", "twice")
            self.assertEqual((first[:4], other.complete().code[:4]), (b"\x7fELF", b"\x7fELF"))
            self.assertRaisesRegex(LinkerError, "not found", linker.add_file, os.path.join(folder, "missing.ptx"), "ptx")
        self.assertRaisesRegex(RuntimeError, "with no extension", linker.add_file_guess_ext, "code")
        self.assertRaisesRegex(RuntimeError, "extension .txt", linker.add_file_guess_ext, "code.txt")
        self.assertRaisesRegex(TypeError, "Expected path", linker.add_file_guess_ext, 1)
        self.assertRaisesRegex(LinkerError, "Don't know how to link", linker.add_data, b"", "wasm", "x")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            linker.add_file_guess_ext(cuda.PTXSource(ptx.code), ignore_nonlto=True)
        self.assertIn("not optimizable at link time", str(told[0].message))

    def test_errors(self) -> None:
        linker = driver._Linker(cc=CC)
        self.assertRaises(ValueError, lambda: linker.error_log)
        self.assertRaisesRegex(NvrtcCompilationError, "wrong.cu", linker.add_cu, "int f() { return missing; }", "wrong.cu")
        linker.add_cu(CALLER)
        self.assertRaisesRegex(LinkerError, "twice", linker.complete)
        linker = driver._Linker(cc=CC)
        linker.add_ptx("this is no PTX", "rubbish")
        self.assertRaisesRegex(LinkerError, "rubbish", linker.complete)
        self.assertRaises(TypeError, driver._Linker)
        self.assertRaisesRegex(NotImplementedError, "sm_90a", driver._Linker, cc=(9, 0, "a"))
        self.assertRaises(NvrtcCompilationError, nvrtc.compile, "x", "x.cu", CC)


@unittest.skipUnless(ON_GPU, "code is loaded on GPUs")
class Loading(unittest.TestCase):
    def test_modules(self) -> None:
        context = cuda.current_context()
        ptx, _ = nvrtc.compile(FILLER, "filler.cu", CC)
        module = context.create_module_ptx(ptx.code)
        function = module.get_function("fill")
        self.assertEqual(launched(function, 4), [5, 6, 7, 8])
        self.assertEqual((repr(function), function.device), ("<CUDA function fill>", context.device))
        self.assertGreater(function.attrs.regs, 0)
        self.assertEqual(function.attrs.maxthreads, 1024)
        self.assertGreater(context.get_active_blocks_per_multiprocessor(function, 128, 128), 0)
        for wish in ({}, {"prefer_cache": True}, {"prefer_shared": True}, {"prefer_equal": True}):
            function.cache_config(**wish)
        self.assertRaises(ValueError, function.set_shared_memory_carveout, 101)
        self.assertRaises(CudaAPIError, module.get_function, "missing")
        text = driver._Linker(cc=CC)
        text.add_cu(FILLER.replace("__device__ int offset", "extern \"C\" __device__ int offset; __device__ int offset"))
        image = text.complete()
        loaded = context.create_module_image(image.code)
        place, size = loaded.get_global_symbol("offset")
        self.assertEqual(size, 4)
        place.memset(0)
        self.assertEqual(launched(loaded.get_function("fill"), 3), [0, 1, 2])
        self.assertIs(context.modules[module.handle], module)
        context.unload_module(module)
        self.assertNotIn(module.handle, context.modules)
        loaded.unload()
        rubbish = b"\x7fELF rubbish" + bytes(64)  # the driver may look at code as late as when a function is asked for
        self.assertRaises(CudaAPIError, lambda: context.create_module_image(rubbish).get_function("fill"))

    def test_callbacks(self) -> None:
        seen = []
        ptx, _ = nvrtc.compile(FILLER, "filler.cu", CC)
        module = cuda.current_context().create_module_image(ptx, [lambda code: seen.append(("up", code.handle))], [lambda code: seen.append("down")])
        module.setup()
        self.assertEqual(seen, [("up", module.handle)])
        self.assertRaises(RuntimeError, module.setup)
        del module
        self.assertEqual(seen[1:], ["down"])


class Contexts(unittest.TestCase):
    def test_names(self) -> None:
        context = cuda.current_context()
        self.assertEqual(context, cuda.current_context())
        self.assertEqual(context.handle != 0, ON_GPU)
        self.assertIn(f"of device {context.device.id}", repr(context))
        self.assertFalse(context.can_access_peer(context.device.id))
        self.assertIs(driver.CudaPythonModule, driver.Module)
        self.assertEqual(driver.FuncAttr(1, 2, 3, 4, 5).const, 4)
        self.assertEqual(driver.get_version(), driver.driver.get_version())
        self.assertEqual(driver.ERROR_MAP[2], "CUDA_ERROR_OUT_OF_MEMORY")
        for name, hint in (("launch_kernel", "cuda.core"), ("OwnedPointer", "MemoryPointer")):
            with self.assertRaisesRegex(AttributeError, f"{name}.*{hint}"):
                getattr(driver, name)
        with self.assertRaisesRegex(AttributeError, "cuda.bindings.driver.cuCtxGetFlags"):
            driver.driver.cuCtxGetFlags()
        array = cuda.device_array(3)
        driver.device_memory_depends(array, object())
        self.assertEqual(driver.get_devptr_for_active_ctx(driver.device_pointer(array)), driver.device_pointer(array))

    def test_stack(self) -> None:
        cuda.synchronize()
        context = cuda.current_context()
        context.push()
        with driver.driver.get_active_context() as active:
            self.assertTrue(active)
            self.assertEqual((active.devnum, active.context_handle), (context.device.id, context.handle))
        self.assertEqual(driver.driver.pop_active_context(), context.handle)
        self.assertEqual(cuda.current_context(), context)
        context.pop()
        while driver.driver.pop_active_context() is not None:
            pass

    @unittest.skipIf(ON_GPU, "of the CPU")
    def test_refusals(self) -> None:
        context = cuda.current_context()
        for use in (lambda: context.create_module_ptx("x"), lambda: context.create_module_image(b"x"), lambda: context.enable_peer_access(context)):
            with self.assertRaisesRegex(cuda.CudaSupportError, "KILN_OFFLOAD=auto"):
                use()
        self.assertRaises(TypeError, context.create_module_image, 1)


class Kernels(unittest.TestCase):
    def test_constant_memory(self) -> None:
        table = np.arange(100.0)

        @cuda.jit(void(float64[::1]))
        def kernel(out):
            kept = cuda.const.array_like(table)
            i = cuda.grid(1)
            out[i] = kept[i]

        self.assertGreaterEqual(kernel.get_const_mem_size(), table.nbytes)
        self.assertGreaterEqual(next(iter(kernel.overloads.values())).const_mem_size, table.nbytes)

    def test_forced_inlining(self) -> None:
        """It changes nothing that a program sees; where it cannot be had it is refused as numba does."""
        function = lambda x: x + 1
        self.assertEqual(cuda.jit(device=True, forceinline=True)(function)(1), 2)
        with self.assertRaisesRegex(ValueError, "only designate forced inlining in LTO-IR"):
            cuda.compile(function, (types.int32,), forceinline=True)
        with self.assertRaisesRegex(ValueError, "Cannot force-inline kernels"):
            cuda.compile(function, (types.int32,), device=False, abi="numba", output="ltoir", forceinline=True)

    def test_float16_to_integers(self) -> None:
        """Cut, as Python's int() does and NumPy."""

        @cuda.jit
        def kernel(x, out):
            for i in range(x.size):
                out[i] = int(x[i])

        given = np.array([1.5, 2.7, -1.7, -2.5], np.float16)
        out = np.zeros(4, np.int64)
        kernel[1, 1](given, out)
        self.assertEqual(out.tolist(), given.astype(np.int64).tolist())


main()
