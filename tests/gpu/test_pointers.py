"""Memory by address and what programs ask of contexts: carray and farray in kernels, MemoryPointer, occupancy, hints to caches, kernels for types."""

import os
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numba
import numpy as np
from numba import cuda, types
from numba.core.errors import TypingError
from numba.cuda.args import InOut, wrap_arg
from numba.cuda.cudadrv import driver
from numba.cuda.vector_types import vector_types

ON_GPU = os.environ.get("KILN_OFFLOAD") == "gpu"
NUMBERS = np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32, np.float64


class Pointers(unittest.TestCase):
    def test_carray_and_farray(self) -> None:
        carray, farray = numba.carray, numba.farray

        @cuda.jit(types.void(types.CPointer(types.float32), types.int64))
        def kernel(p, n):
            carray(p, (2, 3))[1, 0] += 1
            farray(p, (2, 3), types.float32)[1, 0] += 10
            carray(p, n)[5] += 100
            carray(p, (n,), np.uint32)[2] = 0x40000000
            farray(p, (1, 2, 3), dtype=np.float32)[0, 0, 2] += 1000

        array = cuda.to_device(np.zeros(6, np.float32))
        kernel[1, 1](array.device_ctypes_pointer.value, 6)
        self.assertEqual(array.copy_to_host().tolist(), [0, 10, 2, 1, 1000, 100])

        @cuda.jit
        def wrong(x):
            carray(x, 3)[0] = 1

        with self.assertRaises(TypingError):
            wrong[1, 1](np.zeros((2, 2)))

    def test_memory_of_arrays(self) -> None:
        array = cuda.to_device(np.arange(8))
        memory = array.gpu_data
        self.assertEqual(int(memory.device_pointer), array.device_ctypes_pointer.value)
        del array
        same = cuda.devicearray.DeviceNDArray((4,), (8,), np.int64, gpu_data=memory)
        del memory
        self.assertEqual(same.copy_to_host().tolist(), [0, 1, 2, 3])
        pointer = cuda.current_context().memalloc(64)
        driver.host_to_device(pointer, np.arange(8), 64)
        other = cuda.devicearray.DeviceNDArray((4,), (8,), np.int64, gpu_data=pointer.view(16))
        del pointer
        self.assertEqual(other.copy_to_host().tolist(), [2, 3, 4, 5])

    def test_copies_of_bytes(self) -> None:
        context = cuda.current_context()
        numbers = np.arange(16, dtype=np.int32)
        for memory in context.memalloc(64), context.memallocmanaged(64):
            found = np.zeros_like(numbers)
            driver.host_to_device(memory, numbers, 64)
            driver.device_to_host(found, memory, 64)
            self.assertEqual(found.tolist(), numbers.tolist())
            driver.device_memset(memory, 0xAB, 32)
            driver.device_to_host(found, memory, 64)
            self.assertEqual([hex(found.view(np.uint32)[i]) for i in (7, 8)], ["0xabababab", "0x8"])
        mapped = cuda.mapped_array(4, np.int32)
        driver.device_memset(mapped, 2, driver.device_memory_size(mapped))
        cuda.synchronize()
        self.assertEqual(mapped.tolist(), [0x02020202] * 4)

    def test_occupancy(self) -> None:
        @cuda.jit
        def kernel(x):
            x[cuda.grid(1)] += 1

        kernel[1, 32](np.zeros(32))
        context = cuda.current_context()
        function = kernel.overloads[kernel.signatures[0]].get_cufunc()
        blocks, size = context.get_max_potential_block_size(function, None, 0, 1024)
        self.assertTrue(blocks > 0 and 32 <= size <= 1024 and size % 32 == 0, (blocks, size))
        asked = []
        limited = context.get_max_potential_block_size(function, lambda size: asked.append(size) or 0, 0, 100)
        self.assertEqual((limited[1] in (32, 64, 96), asked[0]), (True, 96))
        if ON_GPU:
            self.assertEqual(size * context.get_active_blocks_per_multiprocessor(function, size, 0), 2048)

    def test_hints(self) -> None:
        @cuda.jit
        def kernel(x, y, z):
            i = cuda.grid(1)
            cuda.stcs(y, i, cuda.ldcs(x, i) + cuda.ldcv(x, (i,)))
            cuda.stwt(z, (i, 0), cuda.ldca(z, (i, 1)) + cuda.ldcg(x, i) + cuda.ldlu(x, i))
            cuda.stcg(x, i, 7)
            cuda.stwb(z, (i, 1), 1.0)

        for kind in NUMBERS:
            with self.subTest(kind.__name__):
                x, y, z = np.arange(1, 9).astype(kind), np.zeros(8, kind), np.full((8, 2), 5, kind)
                kernel[1, 8](x, y, z)
                self.assertEqual((x.tolist(), y.tolist()), ([7] * 8, list(range(2, 18, 2))))
                self.assertEqual(z.tolist(), [[5 + 2 * i, 1] for i in range(1, 9)])
        text = kernel.inspect_source()
        for name in "load_cs load_cv load_ca load_cg load_lu store_cs store_wt store_cg store_wb".split():
            self.assertIn(name + "(&", text)

    def test_hints_of_other_memory(self) -> None:
        """Shared arrays have no hints. Elements of numbers do."""
        @cuda.jit
        def kernel(x):
            shared = cuda.shared.array(4, np.int64)
            cuda.stcs(shared, 1, 5)
            x[0] = cuda.ldcs(shared, 1)

        x = np.zeros(1, np.int64)
        kernel[1, 1](x)
        self.assertEqual(x[0], 5)

        @cuda.jit
        def of_complex(x):
            x[0] = cuda.ldcs(x, 0)

        @cuda.jit
        def of_row(x):
            x[0, 0] = cuda.ldcs(x, 0)

        for refused, array in (of_complex, np.zeros(1, np.complex64)), (of_row, np.zeros((2, 2))):
            with self.assertRaisesRegex(TypingError, "ldcs requires array of integer or float type"):
                refused[1, 1](array)

    def test_kernels_for_types(self) -> None:
        @cuda.jit
        def kernel(x):
            x[0] += 1

        made = kernel.specialize(types.float32[::1])
        self.assertIs(kernel.specialize(np.zeros(1, np.float32)), made)
        self.assertEqual(list(kernel.specializations.values()), [made])

    def test_names(self) -> None:
        kind = vector_types["int64x2"]
        self.assertEqual((kind.name, kind.base_type, kind.num_elements), ("int64x2", types.int64, 2))
        self.assertEqual({id(getattr(cuda, alias)) for alias in kind.user_facing_object.aliases}, {id(cuda.int64x2)})
        wrapped = wrap_arg(3)
        self.assertIsInstance(wrapped, InOut)
        self.assertIs(wrap_arg(wrapped), wrapped)


main()
