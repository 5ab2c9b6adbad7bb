// A device array as a DLPack capsule, for other libraries.
#include <cstring>

#include "gpu/runtime/device_array.h"
#include "gpu/runtime/dlpack.h"

namespace kiln::gpu {
namespace {

constexpr const char* kName = "dltensor";  // of a capsule that nobody has taken

// What a capsule holds; keeps the array's memory.
struct Exported {
    DlManagedTensor managed = {};
    int64_t shape[kMaxDimensions] = {};
    int64_t strides[kMaxDimensions] = {};
    PyObject* owner = nullptr;
};

// Whoever took the tensor calls this, on any thread.
void giveBack(DlManagedTensor* managed) {
    auto* exported = static_cast<Exported*>(managed->context);
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(exported->owner);
    PyGILState_Release(state);
    delete exported;
}

void freeCapsule(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, kName) != 0) {
        giveBack(static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule, kName)));
    }
}

uint8_t kindOf(const Type* element) {
    if (element->isBool()) {
        return kDlBool;
    }
    return element->isSigned() ? kDlInt : element->isUnsigned() ? kDlUInt : element->isFloat() ? kDlFloat : kDlComplex;
}

}  // namespace

PyObject* exportDlpack(const DeviceArray& array, bool onHost, int device) {
    if (array.type->element->isRecord() || array.type->readonly) {
        PyErr_SetString(PyExc_BufferError, array.type->readonly ? "DLPack cannot tell that this array is read-only" : "DLPack has no records");
        return nullptr;
    }
    auto* exported = new Exported;
    int bytes = array.type->element->bytes();
    for (int k = 0; k < array.type->ndim; k++) {
        exported->shape[k] = array.shape[k];
        exported->strides[k] = array.strides[k] / bytes;
        if (array.strides[k] % bytes != 0) {
            delete exported;
            PyErr_SetString(PyExc_BufferError, "DLPack has no strides that are no multiple of the element's size");
            return nullptr;
        }
    }
    DlTensor& tensor = exported->managed.tensor;
    tensor.data = reinterpret_cast<void*>(array.data);
    tensor.deviceType = onHost ? kDlCpu : kDlCuda;
    tensor.deviceId = device;
    tensor.ndim = array.type->ndim;
    tensor.kind = kindOf(array.type->element);
    tensor.bits = static_cast<uint8_t>(bytes * 8);
    tensor.lanes = 1;
    tensor.shape = exported->shape;
    tensor.strides = exported->strides;
    exported->managed.context = exported;
    exported->managed.deleter = giveBack;
    exported->owner = Py_NewRef(array.owner);
    PyObject* capsule = PyCapsule_New(&exported->managed, kName, freeCapsule);
    if (capsule == nullptr) {
        giveBack(&exported->managed);
    }
    return capsule;
}

}  // namespace kiln::gpu
