"""numba.cuda.cudadrv.drvapi: types of the driver's, as ctypes has them."""

import ctypes

from numba.cuda.cudadrv.enums import CU_STREAM_DEFAULT

cu_device = cu_device_attribute = cu_function_attribute = ctypes.c_int
cu_context = cu_module = cu_function = cu_stream = cu_event = cu_link_state = ctypes.c_void_p
cu_device_ptr = ctypes.c_size_t
cu_uuid = ctypes.c_byte * 16
cu_occupancy_b2d_size = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int)
CU_STREAM_LEGACY, CU_STREAM_PER_THREAD = 1, 2


class cu_ipc_mem_handle(ctypes.Structure):
    """What stands for device memory in other processes: 64 bytes."""

    _fields_ = [("reserved", ctypes.c_uint8 * 64)]
