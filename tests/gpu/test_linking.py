"""Kernels that are linked with code of other languages: on a GPU their results, elsewhere the machine code and the refusals."""

import os
import tempfile
import unittest

from support import made, main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, int32, types
from numba.core.errors import TypingError
from numba.cuda.cudadrv.driver import LinkerError
from numba.cuda.cudadrv.error import NvrtcCompilationError

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
ARCHITECTURE = 90

SOURCE = """
#define SCALE 2
extern "C" __device__ int scaled_product(float* result, float x, float y) {
    *result = SCALE * x * y;
    return 0;
}
extern "C" __device__ int total(float* result, const float* values, int count) {
    *result = 0;
    for (int i = 0; i < count; i++) *result += values[i];
    return 0;
}
extern "C" __device__ int fill(void*, int* values, int count, int value) {
    for (int i = 0; i < count; i++) values[i] = value;
    return 0;
}
extern "C" __device__ double plain_sum(double x, long long y) { return x + y; }
extern "C" __device__ int* behind(int* values, int count) { return values + count; }
extern "C" __device__ int last(float** result, float* values, int count) {
    *result = values + count - 1;
    return 0;
}
extern "C" __device__ int barrier(int*) {
    __syncthreads();
    return 0;
}
extern "C" __device__ void put(double* values, bool isOn) { values[0] = isOn ? 5 : 7; }
"""
CODE = cuda.CUSource(SOURCE, name="functions.cu")


class FFI:
    """As cffi's: a program without pointers of cffi's needs no more of it."""

    def from_buffer(self, array):
        raise AssertionError("kernels do not call it")


FFI.from_buffer.__module__ = "cffi.api"
FFI.from_buffer.__qualname__ = "FFI.from_buffer"
ffi = FFI()

scaled_product = cuda.declare_device("scaled_product", "float32(float32, float32)", link=CODE)
total = cuda.declare_device("total", types.float32(types.CPointer(types.float32), types.int32), link=[CODE])
fill = cuda.declare_device("fill", "void(CPointer(int32), int32, int32)")
plain_sum = cuda.declare_device("plain_sum", "float64(float64, int64)", link=[CODE], abi="c")
put = cuda.declare_device("put", "void(CPointer(float64), boolean)", link=[CODE], abi="c")
behind = cuda.declare_device("behind", "CPointer(int32)(CPointer(int32), int32)", link=[CODE], abi="c")
last = cuda.declare_device("last", "CPointer(float32)(CPointer(float32), int32)", link=[CODE])
barrier = cuda.declare_device("barrier", types.CPointer(int32)(), link=[CODE], use_cooperative=True)


class Linking(unittest.TestCase):
    def check(self, kernel, arguments, expected) -> None:
        """Runs the kernel; where there is no GPU it is refused there, and made into machine code if NVIDIA's compilers are found."""
        if ON_GPU:
            kernel[1, 32](*arguments)
            np.testing.assert_array_equal(arguments[0], expected)
            return
        with self.assertRaisesRegex(cuda.CudaSupportError, "is no Python function, and kernels run on the CPU"):
            kernel[1, 32](*arguments)
        image = self.image(kernel)
        self.assertTrue(image.startswith(b"\x7fELF"))

    def image(self, kernel) -> bytes:
        try:
            return kernel._image(kernel._forms()[0], ARCHITECTURE, "cubin")
        except cuda.CudaSupportError as error:
            self.skipTest(str(error))

    def test_conventions(self) -> None:
        """numba's, with a status and a pointer to the result, and C's."""

        @cuda.jit
        def kernel(out, x):
            i = cuda.grid(1)
            out[i] = scaled_product(x[i], float32(i)) + plain_sum(x[i], 3)

        x = np.arange(32, dtype=np.float32)
        self.check(kernel, (np.zeros(32), x), 2.0 * x * np.arange(32) + x + 3)

    def test_pointers(self) -> None:
        """Arrays of all kinds as pointers, and parts of them."""

        @cuda.jit(link=[CODE])
        def kernel(out, x):
            shared = cuda.shared.array((4, 8), float32)
            local = cuda.local.array(5, int32)
            i = cuda.threadIdx.x
            shared[i // 8, i % 8] = i
            cuda.syncthreads()
            fill(ffi.from_buffer(local), len(local), i)
            put(ffi.from_buffer(out[i, 3:]), i % 2 == 0)
            out[i, 0] = total(ffi.from_buffer(x[i]), x.shape[1])
            out[i, 1] = total(ffi.from_buffer(shared), 32)
            out[i, 2] = local[0] + local[4]

        x = np.arange(96, dtype=np.float32).reshape(32, 3)
        expected = np.empty((32, 4))
        expected[:, 0], expected[:, 1], expected[:, 2] = x.sum(axis=1), 31 * 16, 2 * np.arange(32)
        expected[:, 3] = np.where(np.arange(32) % 2, 7, 5)
        self.check(kernel, (np.zeros((32, 4)), x), expected)

    def test_returned_pointers(self) -> None:
        """A pointer that such a function gives is indexed, and passed on."""

        @cuda.jit
        def kernel(out, x, y):
            i = cuda.threadIdx.x
            place = behind(ffi.from_buffer(x), i)
            place[0] += 5
            behind(place, 32)[0] = place[0] * 2
            end = last(ffi.from_buffer(y), i + 1)
            end[0] += 1
            barrier()
            out[i] = x[i] + x[i + 32] + total(end, 1)

        expected = (np.arange(32) + 5) * 3 + 11
        self.check(kernel, (np.zeros(32), np.arange(64, dtype=np.int32), np.full(32, 10, np.float32)), expected)

    def test_files(self) -> None:
        """Code by its path: CUDA C++ and PTX; a device function of Python's, made into PTX, is linked back."""

        def thrice(x):
            return x * 3

        try:
            text, _ = cuda.compile(thrice, (types.float64,), cc=(7, 5))
        except cuda.CudaSupportError as error:
            self.skipTest(str(error))
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ("thrice.ptx", text), ("functions.cu", SOURCE):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            linked_thrice = cuda.declare_device("thrice", "float64(float64)", abi="c")
            linked_product = cuda.declare_device("scaled_product", "float32(float32, float32)")

            @cuda.jit(link=[os.path.join(folder, "thrice.ptx"), os.path.join(folder, "functions.cu")])
            def kernel(out):
                out[cuda.threadIdx.x] = linked_thrice(cuda.threadIdx.x) + linked_product(1, 1)

        self.check(kernel, (np.zeros(32),), np.arange(32) * 3.0 + 2)

    def test_cooperative_function(self) -> None:
        """Kernels that call one which waits for all blocks are launched cooperatively."""
        waiting = cuda.declare_device("scaled_product", "float32(float32, float32)", link=CODE, use_cooperative=True)

        @cuda.jit("void(float32[:])")
        def kernel(x):
            x[0] = waiting(x[0], x[1])

        @cuda.jit("void(float32[:])")
        def ordinary(x):
            x[0] = scaled_product(x[0], x[1])

        self.assertTrue(kernel.overloads[kernel.signatures[0]].cooperative)
        self.assertFalse(ordinary.overloads[ordinary.signatures[0]].cooperative)

    def test_what_nothing_calls(self) -> None:
        """A kernel that calls nothing of the linked code runs anywhere."""

        @cuda.jit(link=[CODE])
        def kernel(out):
            out[cuda.threadIdx.x] = 1

        out = np.zeros(32)
        kernel[1, 32](out)
        self.assertTrue((out == 1).all())

    def test_errors(self) -> None:
        with self.assertRaisesRegex(RuntimeError, "Don't know how to link file with extension .txt"):
            cuda.jit(link=["functions.txt"])(lambda x: None)
        with self.assertRaisesRegex(RuntimeError, "Don't know how to link file with no extension"):
            cuda.jit(link=["functions"])(lambda x: None)
        with self.assertRaisesRegex(LinkerError, "not found"):
            cuda.jit(link=["nowhere.cu"])(lambda x: None)
        with self.assertRaisesRegex(NotImplementedError, "Unsupported ABI"):
            cuda.declare_device("f", "float32(float32)", abi="rust")
        for arguments in (float32,), "(float32,)":
            with self.assertRaisesRegex(TypeError, "Return type must be provided"):
                cuda.declare_device("f", arguments)
        with self.assertRaisesRegex(TypeError, "kernels call it"):
            scaled_product(1.0, 2.0)

        @cuda.jit
        def not_contiguous(x):
            total(ffi.from_buffer(x), 3)

        @cuda.jit
        def other_elements(x):
            total(ffi.from_buffer(x), 3)

        @cuda.jit
        def other_count(x):
            x[0] = scaled_product(x[0])

        for kernel, x, message in ((not_contiguous, np.zeros(8, np.float32)[::2], "takes a contiguous array"),
                                   (other_elements, np.zeros(8), "a pointer into a contiguous array of float32"),
                                   (other_count, np.zeros(8), "scaled_product takes 2 arguments")):
            with self.assertRaisesRegex(TypingError, message):
                kernel[1, 1](x)

    def test_errors_of_the_linker(self) -> None:
        broken = cuda.declare_device("broken", "float32(float32)", link=cuda.CUSource("extern \"C\" __device__ int broken(", name="broken.cu"))
        absent = cuda.declare_device("absent", "float32(float32)", link=CODE)

        def kernel_of(function):
            @cuda.jit
            def kernel(x):
                x[0] = function(x[0])

            return kernel

        for function, error, message in ((broken, NvrtcCompilationError, "broken.cu does not compile"), (absent, LinkerError, "absent")):
            kernel = kernel_of(function)
            with self.assertRaisesRegex((error, cuda.CudaSupportError), message if ON_GPU else "no Python function"):
                kernel[1, 1](np.zeros(1))
            with self.assertRaisesRegex(error, message):
                self.image(kernel)
            made.remove(kernel)


if __name__ == "__main__":
    main()
