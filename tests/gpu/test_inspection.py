"""What programs ask kernels about themselves: numbers of the machine code, caching, other outputs of the compiler."""

import io
import os
import tempfile
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, types
from numba.cuda.cudadrv.driver import CudaAPIError

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
SCALE = 2


def scaled(x):
    return x * 2.5


class Kernels(unittest.TestCase):
    def test_numbers_of_one_signature(self) -> None:
        """A kernel that was made for one signature has one number; others have a dict of them, as under numba."""

        @cuda.jit("void(float64[::1])")
        def eager(out):
            out[cuda.threadIdx.x] = 1

        @cuda.jit
        def lazy(out):
            out[cuda.threadIdx.x] = 1

        lazy[1, 8](np.zeros(8))
        for name in "get_regs_per_thread", "get_shared_mem_per_block", "get_max_threads_per_block", "get_const_mem_size", "get_local_mem_per_thread":
            numbers = getattr(lazy, name)()
            self.assertEqual((list(numbers), list(numbers.values())), (lazy.signatures, [getattr(eager, name)()]))
            self.assertEqual(getattr(lazy.specialize(np.zeros(8)), name)(), getattr(eager, name)())
        self.assertEqual(eager.get_max_threads_per_block(), 1024)
        self.assertIs(lazy.specialize(np.zeros(8)), lazy.specialize(np.ones(3)))
        with self.assertRaisesRegex(RuntimeError, "already specialized"):
            eager.specialize(np.zeros(8))

    def test_numbers(self) -> None:
        """As courses print them, and by the properties of a form."""

        @cuda.jit
        def kernel(out):
            out[cuda.threadIdx.x] = 1

        kernel[1, 8](np.zeros(8))
        form = next(iter(kernel.overloads.values()))
        attrs = form._func.get().attrs
        self.assertEqual(attrs._fields, ("regs", "shared", "local", "const", "maxthreads"))
        self.assertEqual(attrs, form._codelibrary.get_cufunc().attrs)
        self.assertEqual((attrs.regs, attrs.maxthreads), (form.regs_per_thread, form.max_threads_per_block))
        self.assertEqual(attrs.maxthreads, 1024)
        self.assertEqual(attrs.regs > 0, ON_GPU)
        self.assertIn("CUDA function", repr(form._func.get()))
        self.assertEqual(form.argument_types, (types.float64[::1],))
        self.assertEqual(form.entry_name, "kernel")
        self.assertIs(form.py_func, kernel.py_func)
        form.bind()
        text = io.StringIO()
        form.inspect_types(text)
        self.assertIn("kernel (array(float64, 1d, C),)", text.getvalue())

    def test_caching(self) -> None:
        """What was taken from the cache, by types; in a process that finds it there."""
        program = """
import numpy as np
from numba import cuda
@cuda.jit(cache=True)
def kernel(out, by):
    out[0] = by + 12345
out = np.zeros(1)
kernel[1, 1](out, 1)
kernel[1, 1](out, 2)
kernel[1, 1](out, 1.5)
stats = kernel.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), kernel._cache_hits[kernel.signatures[0]], len(stats.cache_misses))
"""
        import subprocess
        import sys

        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "KILN_CACHE_DIR": folder}
            told = [subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300)
                    for _ in range(2)]
        self.assertEqual([(run.stdout, run.stderr) for run in told], [("0 2 0 2\n", ""), ("2 0 1 0\n", "")])

        @cuda.jit
        def kernel(out):
            out[0] = 1

        self.assertTrue(os.path.isabs(kernel.stats.cache_path))
        self.assertEqual(sum(kernel.stats.cache_hits.values()) + sum(kernel.stats.cache_misses.values()), 0)

    def test_recompile(self) -> None:
        """With what globals are now; launches that are configured already use it."""
        global SCALE

        @cuda.jit
        def kernel(out):
            out[0] = SCALE

        out = np.zeros(1)
        launcher = kernel[1, 1]
        launcher(out)
        SCALE = 7
        self.addCleanup(globals().__setitem__, "SCALE", 2)
        launcher(out)
        self.assertEqual(out[0], 2)
        kernel.recompile()
        launcher(out)
        self.assertEqual(out[0], 7)
        self.assertEqual(len(kernel.overloads), 1)

    def test_launch_bounds(self) -> None:
        """Larger blocks than they say are refused, as a GPU does."""
        kernel = cuda.jit(launch_bounds=64)(lambda x: None)
        kernel[1, 64](np.zeros(1))
        with self.assertRaisesRegex(CudaAPIError, "64 threads, and not 65|64 threads in a block, and not 65") as caught:
            kernel[1, 65](np.zeros(1))
        self.assertEqual(caught.exception.code, 1)
        self.assertIn("launch_bounds for 64 threads", str(caught.exception))
        self.assertEqual(list(kernel.get_max_threads_per_block().values()), [64])

    def test_options(self) -> None:
        """Those that numba refuses, by its errors."""
        for options, error, message in (
            ({"shared_memory_carveout": "most"}, ValueError, "Invalid carveout value: most. Must be -1 to 100 or one of"),
            ({"shared_memory_carveout": 101}, ValueError, "Carveout must be between -1 and 100"),
            ({"shared_memory_carveout": 1.5}, TypeError, "shared_memory_carveout must be str or int, got float"),
            ({"launch_bounds": (1, 2, 3, 4)}, ValueError, "Got 4 launch bounds: \\(1, 2, 3, 4\\). A maximum of three"),
        ):
            with self.subTest(options), self.assertRaisesRegex(error, message):
                cuda.jit(**options)(lambda x: None)
        kernel = cuda.jit(lambda x: None)
        for configuration, error, message in (
            (((1, 2, 3, 4), 5), ValueError, "griddim must be a sequence of 1, 2 or 3 integers, got \\[1, 2, 3, 4\\]"),
            ((2.0, 3), TypeError, "griddim must be a sequence of integers, got \\[2.0\\]"),
            ((2, (3, 1.5)), TypeError, "blockdim must be a sequence of integers, got \\[3, 1.5\\]"),
        ):
            with self.subTest(configuration), self.assertRaisesRegex(error, message):
                kernel[configuration]


class Modules(unittest.TestCase):
    def test_names(self) -> None:
        """Where programs of numba-cuda's find names that are elsewhere, too."""
        from numba.cuda import testing
        from numba.cuda.decorators import declare_device, jit
        from numba.cuda.misc.special import literal_unroll

        self.assertIs(jit, cuda.jit)
        self.assertIs(declare_device, cuda.declare_device)
        self.assertIs(literal_unroll, cuda.literal_unroll)
        self.assertTrue(issubclass(testing.CUDATestCase, unittest.TestCase))
        self.assertTrue(callable(testing.skip_on_cudasim("there is none")(lambda: None)))
        self.assertIs(testing.skip_on_standalone_numba_cuda(Modules), Modules)
        if ON_GPU:  # elsewhere device arrays are in host memory
            array = testing.ForeignArray(cuda.to_device(np.arange(3.0)))
            self.assertEqual(cuda.as_cuda_array(array).copy_to_host().tolist(), [0, 1, 2])


class Code(unittest.TestCase):
    def test_machine_code_of_device_functions(self) -> None:
        function = cuda.jit(scaled, device=True)
        for inspect in function.inspect_sass, function.inspect_sass_cfg:
            with self.assertRaisesRegex(RuntimeError, "of a device function"):
                inspect((types.float64,))

    def test_what_it_is_told(self) -> None:
        """The type that a signature says is returned, a function's name, and what kernels are launched with at most."""

        def add(x, y):
            return x + y

        def empty():
            pass

        int32 = types.int32
        try:
            code, returned = cuda.compile(add, int32(int32, int32))
        except cuda.CudaSupportError as error:  # no NVRTC here
            self.skipTest(str(error).splitlines()[0])
        self.assertEqual(returned, int32)
        self.assertRegex(code, r"\.visible \.func +\(\.param \.b32 func_retval0\) add\(")
        for function in add, lambda x, y: x + y:
            code, returned = cuda.compile(function, "int64(int32, int32)", abi_info={"abi_name": "_Z3sumii"})
            self.assertEqual(returned, types.int64)
            self.assertRegex(code, r"\.visible \.func +\(\.param \.b64 func_retval0\) _Z3sumii\(")
        self.assertEqual(cuda.compile_ptx(add, types.float64(int32, int32), device=True)[1], types.float64)
        self.assertRegex(cuda.compile_ptx(empty, "void()", launch_bounds=(128, 2))[0], r"\.maxntid\s+128[\s\S]*\.minnctapersm\s+2")

        def sleeping(x, n):
            cuda.nanosleep(32)
            cuda.nanosleep(n)
            x[0] = n

        self.assertEqual(cuda.compile_ptx(sleeping, (types.float32[:], types.int64))[0].count("nanosleep.u32"), 2)
        with self.assertRaisesRegex(ValueError, "Got 4 launch bounds:"):
            cuda.compile_ptx(empty, "void()", launch_bounds=(128, 2, 4, 8))
        with self.assertRaisesRegex(NotImplementedError, "The C ABI is not supported for kernels"):
            cuda.compile(empty, "void()", device=False)
        with self.assertRaisesRegex(NotImplementedError, "9.0a"):
            cuda.compile_ptx(empty, (), cc=(9, 0, "a"))

    def test_lto_ir(self) -> None:
        """A device function as LTO-IR is linked to a kernel."""
        try:
            code, returned = cuda.compile(scaled, (types.float64,), cc=(7, 5), output="ltoir")
        except cuda.CudaSupportError as error:
            self.skipTest(str(error))
        self.assertIsInstance(code, bytes)
        self.assertGreater(len(code), 100)
        self.assertEqual(returned, types.float64)
        self.assertEqual(cuda.compile_all(scaled, (types.float64,), cc=(7, 5), output="ltoir")[1], types.float64)
        self.assertRaises(NotImplementedError, cuda.compile, scaled, (types.float64,), output="sass")
        linked = cuda.declare_device("scaled", "float64(float64)", abi="c", link=[cuda.LTOIR(code)])

        @cuda.jit
        def kernel(out):
            out[0] = linked(2.0)

        try:
            image = kernel._image((("array", "float64", 1, "C", False),), 90, "cubin")
        except cuda.CudaSupportError as error:
            self.skipTest(str(error))
        self.assertTrue(image.startswith(b"\x7fELF"))

    def test_linked_code(self) -> None:
        """By path, and what its classes refuse."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "functions.cu")
            with open(path, "w", encoding="utf-8") as file:
                file.write("// nothing")
            code = cuda.LinkableCode.from_path(path)
            self.assertIsInstance(code, cuda.CUSource)
            self.assertEqual((code.name, code.data), ("functions", b"// nothing"))
            self.assertIs(cuda.LinkableCode.from_path_or_obj(code), code)
        self.assertRaisesRegex(ValueError, "Unknown extension: .txt", cuda.LinkableCode.from_path, "functions.txt")
        self.assertRaisesRegex(TypeError, "setup_callback must be callable", cuda.CUSource, "", setup_callback=1)
        self.assertRaisesRegex(TypeError, "teardown_callback must be callable", cuda.CUSource, "", teardown_callback=1)
        self.assertRaisesRegex(NotImplementedError, "runtime", cuda.CUSource, "", nrt=True)

    def test_callbacks_without_gpu(self) -> None:
        """The CPU loads no other code, and tells nothing."""
        told = []

        @cuda.jit(link=[cuda.CUSource("", setup_callback=told.append)])
        def kernel(out):
            out[0] = 1

        kernel[1, 1](np.zeros(1))
        self.assertEqual(len(told), int(ON_GPU))


if __name__ == "__main__":
    main()
