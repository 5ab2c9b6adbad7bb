# In a sub-interpreter, where another tool's data lies with the code objects, C code calls small functions as ever.
import _xxsubinterpreters

PROGRAM = r'''
import ctypes
api = ctypes.pythonapi
index = api.PyUnstable_Eval_RequestCodeExtraIndex(None)
data = ctypes.create_string_buffer(b"\x01" * 64, 64)

def same(x):
    return x

put = api.PyUnstable_Code_SetExtra
put.argtypes = [ctypes.py_object, ctypes.c_ssize_t, ctypes.c_void_p]
put(same.__code__, index, ctypes.addressof(data))
before = data.raw
print(list(map(same, range(5))), data.raw == before, flush=True)
ctypes.memset(data, 0, 64)
print(list(map(same, range(5))), data.raw == bytes(64), flush=True)
put(same.__code__, index, None)
'''

print(list(map(lambda x: x, range(3))), flush=True)
_xxsubinterpreters.run_string(_xxsubinterpreters.create(isolated=False), PROGRAM)
