"""Memory managers of programs, records in device memory, and what says where device arrays lie."""

import pickle
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, types
from numba.cuda import memory
from numba.cuda.cudadrv import devicearray, driver, drvapi, enums
from numba.cuda.cudadrv.error import CCSupportError

ON_HOST = not hasattr(cuda.device_array(1), "__cuda_array_interface__")


class Counting(cuda.HostOnlyCUDAMemoryManager):
    """Gives out pinned memory, and notes what it gives."""

    log: list = []

    def initialize(self) -> None:
        self.log.append("initialize")

    def memalloc(self, size: int):
        self.log.append(("allocate", size))
        kept = self.memhostalloc(size)
        return cuda.MemoryPointer(self.context, kept.device_pointer, size, owner=kept, finalizer=lambda: self.log.append(("free", size)))

    def get_ipc_handle(self, memory):
        return cuda.IpcHandle(memory, bytes(range(64)), memory.size)

    def get_memory_info(self):
        return cuda.MemoryInfo(free=1, total=2)

    @property
    def interface_version(self) -> int:
        return 1


class OfAnotherTime(Counting):
    interface_version = 2


class Managers(unittest.TestCase):
    def setUp(self) -> None:
        Counting.log = []
        self.addCleanup(setattr, memory, "_chosen", None)

    def test_allocations(self) -> None:
        @cuda.jit
        def double(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= 2

        before = cuda.to_device(np.arange(3.0))
        cuda.set_memory_manager(Counting)
        array = cuda.to_device(np.arange(5.0))
        part = array[1:]
        double[1, 8](part)
        double[1, 8](before)
        self.assertEqual(array.copy_to_host().tolist(), [0, 2, 4, 6, 8])
        self.assertEqual(before.copy_to_host().tolist(), [0, 2, 4])
        del array
        self.assertEqual(Counting.log, ["initialize", ("allocate", 40)])
        del part, before
        self.assertEqual(Counting.log, ["initialize", ("allocate", 40), ("free", 40)])
        self.assertEqual(cuda.current_context().get_memory_info(), (1, 2))

    def test_what_a_context_knows(self) -> None:
        context = cuda.current_context()
        kept = context.memalloc(64)
        self.assertIs(cuda.current_context().allocations[int(kept)], kept)
        address = int(kept)
        del kept
        self.assertNotIn(address, context.allocations)
        with context.deallocations.disable():
            self.assertEqual(len(context.deallocations), 0)
        seen = []
        context.memory_manager.deallocations.add_item(seen.append, 5)
        context.deallocations.clear()
        self.assertEqual((seen, len(context.modules)), ([5], 0))

    def test_versions(self) -> None:
        with self.assertRaisesRegex(RuntimeError, "version 1 required"):
            cuda.set_memory_manager(OfAnotherTime)
        with self.assertRaises(TypeError):  # abstract methods
            cuda.set_memory_manager(cuda.BaseCUDAMemoryManager)

    def test_handles(self) -> None:
        cuda.set_memory_manager(Counting)
        array = cuda.to_device(np.arange(6, dtype=np.int32))[2:]
        handle = array.get_ipc_handle()
        other = pickle.loads(pickle.dumps(handle))._ipc_handle
        self.assertEqual((other.handle, other.offset, other.size), (bytes(range(64)), 8, 24))
        with self.assertRaisesRegex(ValueError, "original process"):
            handle.open()

    def test_memory(self) -> None:
        freed = []
        kept = Counting(context=None).memhostalloc(16, mapped=True)
        self.assertIsInstance(kept, cuda.MappedMemory)
        memory = cuda.MemoryPointer(None, kept.device_pointer, 16, owner=kept, finalizer=lambda: freed.append(1))
        memory.memset(7)
        view = memory.view(4, 8)
        view.memset(1)
        self.assertEqual(bytes(kept), b"\7" * 4 + b"\1" * 4 + b"\7" * 8)
        self.assertEqual((view.device_pointer_value - memory.device_pointer_value, view.size), (4, 4))
        self.assertRaises(RuntimeError, memory.view, 8, 4)
        self.assertRaises(RuntimeError, memory.view, 0, 17)
        memory.free()
        memory.free()
        del memory, view
        self.assertEqual(freed, [1])
        values = np.zeros(4)
        pinned = Counting(context=None).mempin(values, values.ctypes.data, values.nbytes)
        self.assertIsInstance(pinned, cuda.PinnedMemory)


class Sharing(unittest.TestCase):
    @unittest.skipUnless(ON_HOST, "GPUs share memory")
    def test_refused(self) -> None:
        array = cuda.to_device(np.arange(3.0))
        with self.assertRaisesRegex(cuda.CudaSupportError, "run on the CPU here"):
            array.get_ipc_handle()
        with self.assertRaisesRegex(cuda.CudaSupportError, "run on the CPU here"):
            with cuda.open_ipc_array(drvapi.cu_ipc_mem_handle(), 3, np.float64):
                pass
        with self.assertRaisesRegex(ValueError, "64 bytes"):
            with cuda.open_ipc_array(b"", 3, np.float64):
                pass


class Records(unittest.TestCase):
    KIND = np.dtype([("a", np.int32), ("b", np.float64, (2, 3)), ("c", [("d", np.int8), ("when", "M8[D]")])], align=True)

    def record(self):
        value = np.zeros(2, self.KIND)
        value["a"] = [3, 4]
        value["b"] = np.arange(12).reshape(2, 2, 3)
        value["c"]["d"] = [5, 6]
        return value

    def test_fields(self) -> None:
        host = self.record()
        device, is_new = devicearray.auto_device(host[1])
        self.assertIsInstance(device, devicearray.DeviceRecord)
        self.assertTrue(is_new)
        self.assertEqual((device.shape, device.dtype, device["a"], device["c"]["d"]), ((), self.KIND, 4, 6))
        np.testing.assert_array_equal(device["b"].copy_to_host(), host[1]["b"])
        device["a"] = 9
        device["b"][0] = 1.5
        device["c"]["when"] = np.datetime64("2001-02-03")
        self.assertRaises(KeyError, lambda: device["x"])
        copy = host[0].copy()
        self.assertIs(device.copy_to_host(copy), copy)
        self.assertEqual((copy["a"], copy["b"][0].tolist(), str(copy["c"]["when"])), (9, [1.5] * 3, "2001-02-03"))
        like = devicearray.from_record_like(copy)
        like.copy_to_device(copy)
        self.assertEqual(like.copy_to_host()[()], copy)
        same = devicearray.from_record_like(copy, gpu_data=like.gpu_data)
        same["a"] = 1
        self.assertEqual(like["a"], 1)

    def test_shapes_of_copies(self) -> None:
        """Axes of one element do not count."""
        for order in "CF":
            device = cuda.to_device(np.zeros((3, 1, 2), order=order))
            host = np.arange(6.0).reshape(1, 3, 2)
            device.copy_to_device(host)
            np.testing.assert_array_equal(device.copy_to_host(), host.reshape(3, 1, 2))
            device[:, :, ::2].copy_to_device(np.full((3, 1), 9.0))
            self.assertEqual(device.copy_to_host()[:, 0, :].tolist(), [[9, 1], [9, 3], [9, 5]])
            for wrong, error, message in (
                (np.zeros((2, 3)), ValueError, r"incompatible shape: \(3, 1, 2\) vs. \(2, 3\)"),
                (np.zeros((3, 1, 2), int), TypeError, "incompatible dtype: float64 vs. int64"),
            ):
                with self.assertRaisesRegex(error, message):
                    device.copy_to_device(wrong)
                with self.assertRaisesRegex(error, message):
                    device.copy_to_host(wrong)

    def test_elements_of_arrays(self) -> None:
        array = cuda.to_device(self.record())
        array[1]["a"] = 8
        self.assertIsInstance(array[0], devicearray.DeviceRecord)
        self.assertEqual(array.copy_to_host()["a"].tolist(), [3, 8])

    def test_arguments(self) -> None:
        @cuda.jit
        def change(record, out):
            record.a += 1
            out[0] = record.b[1, 2] + record.c.d

        device, out = cuda.to_device(self.record()[0]), np.zeros(1)
        change[1, 1](device, out)
        self.assertEqual((device["a"], out[0]), (4, 10))


class Arrays(unittest.TestCase):
    def test_like(self) -> None:
        base = cuda.to_device(np.arange(12.0).reshape(3, 4))
        view = devicearray.from_array_like(base, gpu_data=base.gpu_data)
        view[1, 1] = 100
        self.assertEqual(base[1, 1], 100)
        fresh = devicearray.from_array_like(np.zeros((2, 3), order="F"))
        self.assertEqual(fresh.strides, (8, 16))
        devicearray.check_array_compatibility(np.zeros((1, 3)), np.zeros(3))
        self.assertRaises(TypeError, devicearray.check_array_compatibility, np.zeros(3), np.zeros(3, int))
        self.assertRaises(ValueError, devicearray.check_array_compatibility, np.zeros(3), np.zeros(4))
        self.assertRaises(ValueError, devicearray.check_array_compatibility, np.zeros((2, 3)), np.zeros((2, 3), order="F"))
        devicearray.sentry_contiguous(np.broadcast_to(np.zeros(3), (4, 3)))
        self.assertRaises(ValueError, devicearray.sentry_contiguous, np.zeros(6)[::2])
        self.assertIsInstance(cuda.mapped_array(3), devicearray.MappedNDArray)
        self.assertIsInstance(cuda.managed_array(3), devicearray.ManagedNDArray)

    def test_copies_by_bytes(self) -> None:
        array = cuda.to_device(np.arange(4, dtype=np.int32))
        other = cuda.device_array_like(array)
        driver.device_memset(array, 0, 8)
        driver.device_to_device(other, array, 16)
        host = np.full(4, -1, np.int32)
        driver.device_to_host(host, other, 12)
        self.assertEqual(host.tolist(), [0, 0, 2, -1])
        driver.host_to_device(array, host, 16)
        self.assertEqual((array.copy_to_host().tolist(), driver.device_memory_size(array)), ([0, 0, 2, -1], 16))

    def test_addresses(self) -> None:
        array = cuda.to_device(np.arange(6, dtype=np.int32).reshape(2, 3))
        begin, end = driver.device_extents(array)
        self.assertEqual((begin, end - begin), (driver.device_pointer(array), 24))
        self.assertEqual(driver.device_extents(array[:, ::-1]), (begin, end))
        self.assertTrue(driver.is_device_memory(array) and not driver.is_device_memory(np.zeros(3)))
        self.assertRaisesRegex(Exception, "Not a CUDA memory object", driver.device_pointer, np.zeros(3))
        host = np.zeros((4, 5))[::2, ::-1]
        self.assertEqual(driver.host_memory_size(host), (2 * 5 + 5) * 8)
        self.assertEqual(driver.memory_size_from_info(host.shape, host.strides, 8), (2 * 5 + 5) * 8)
        self.assertEqual(driver.host_pointer(host), host.__array_interface__["data"][0])
        host.flags.writeable = False
        self.assertRaises(ValueError, driver.host_pointer, host)

    def test_architectures(self) -> None:
        from numba.cuda.cudadrv import nvrtc

        least = nvrtc.get_lowest_supported_cc()
        self.assertEqual(nvrtc.find_closest_arch((1000, 0)), nvrtc.get_supported_ccs()[-1])
        self.assertEqual(nvrtc.get_arch_option(*least, "a"), "compute_%d%da" % least)
        self.assertRaises(CCSupportError, nvrtc.find_closest_arch, (1, 0))
        self.assertRaisesRegex(ValueError, "arch-specific compute_10000a", nvrtc.get_arch_option, 1000, 0, "a")

    def test_context(self) -> None:
        context = cuda.current_context()
        made = [context.create_stream(), context.get_default_stream(), context.create_external_stream(0)]
        event = context.create_event()
        for stream in made:
            event.record(stream)
            event.synchronize()
        with context.defer_cleanup():
            pass

    def test_memory_of_a_context(self) -> None:
        context = cuda.current_context()
        memory = context.memalloc(64)
        memory.memset(1)
        self.assertEqual((memory.size, type(memory)), (64, cuda.MemoryPointer))
        view = cuda.from_cuda_array_interface({"shape": (64,), "typestr": "|u1", "data": (int(memory), False), "version": 3}, owner=memory)
        self.assertEqual(view.copy_to_host().sum(), 64)
        pinned = context.memhostalloc(32)
        self.assertEqual((pinned.size, len(memoryview(pinned))), (32, 32))
        device = context.device
        self.assertEqual(type(device).from_identity(device.get_device_identity()), device)
        self.assertRaises(RuntimeError, type(device).from_identity, {})
        self.assertLessEqual(device.supports_fp8, device.supports_bfloat16)

    def test_names_that_are_elsewhere(self) -> None:
        """Modules whose names are documented ones, or types."""
        import numba.cuda.api_util
        from numba import types
        from numba.core.types.npytypes import Array
        from numba.cuda.cache_hints import ldca
        from numba.cuda.intrinsics import grid
        from numba.cuda.types.abstract import Type
        from numba.cuda.types.cuda_scalars import Float
        from numba.cuda.typing.typeof import Purpose, typeof, typeof_impl

        self.assertEqual((ldca, grid, Array, Type, Float), (cuda.ldca, cuda.grid, types.Array, types.Type, types.Float))
        self.assertIs(typeof_impl, cuda.extending.typeof_impl)
        self.assertEqual((typeof(1), len(Purpose)), (types.int64, 2))
        with self.assertRaisesRegex(NotImplementedError, "a part of numba's compiler"):
            numba.cuda.api_util.normalize_indices

    def test_occupancy(self) -> None:
        kernel = cuda.jit(lambda x: None)
        kernel[1, 1](np.zeros(1))
        code = next(iter(kernel.overloads.values()))._codelibrary.get_cufunc()
        self.assertGreater(cuda.current_context().get_active_blocks_per_multiprocessor(code, 128, 0), 0)

    def test_names(self) -> None:
        from numba.cuda.cudadrv import nvrtc
        from numba.cuda.cudadrv.runtime import runtime
        from numba.cuda.descriptor import cuda_target
        from numba.cuda.typing import signature
        from numba.cuda.typing.typeof import typeof

        self.assertIs(cuda.runtime, runtime)
        self.assertEqual((len(runtime.get_version()), len(driver.driver.get_version())), (2, 2))
        self.assertEqual((enums.CUDA_SUCCESS, enums.CU_DEVICE_ATTRIBUTE_WARP_SIZE), (0, 10))
        self.assertEqual((signature(types.int32, types.int8), typeof(1)), (types.int32(types.int8), types.int64))
        self.assertEqual(driver.driver.get_device_count(), len(cuda.gpus))
        self.assertIn(cuda.get_current_device().compute_capability, nvrtc.get_supported_ccs())
        self.assertRaises(NotImplementedError, lambda: cuda_target.typing_context)


main()
