// Arguments that hand out a DLPack capsule: arrays of other libraries, on the CPU or a GPU.
#include <cstring>

#include "gpu/runtime/arguments.h"
#include "gpu/runtime/dlpack.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

const Type* elementOf(const DlTensor& tensor) {
    if (tensor.lanes != 1) {
        return nullptr;
    }
    switch (tensor.kind) {
    case kDlInt: return intType(tensor.bits, true);
    case kDlUInt: return intType(tensor.bits, false);
    case kDlFloat: return tensor.bits == 16 || tensor.bits == 32 || tensor.bits == 64 ? floatType(tensor.bits) : nullptr;
    case kDlComplex: return tensor.bits == 64 || tensor.bits == 128 ? complexType(tensor.bits) : nullptr;
    case kDlBool: return scalarType(Scalar::kBool);
    default: return nullptr;
    }
}

bool isHostMemory(const DlTensor& tensor) {
    return tensor.deviceType == kDlCpu || tensor.deviceType == kDlCudaHost;
}

// The capsule of an object; on a GPU, what the producer launched so far comes before kiln's launches on the default stream.
Ref<> capsuleOf(PyObject* object) {
    Ref<> device = Ref<>::steal(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
    int type = 0;
    int number = 0;
    if (!device || !PyTuple_Check(device.get()) || !PyArg_ParseTuple(device.get(), "ii", &type, &number)) {
        return Ref<>();
    }
    Ref<> method = Ref<>::steal(PyObject_GetAttrString(object, "__dlpack__"));
    Ref<> names = Ref<>::steal(Py_BuildValue("(s)", "stream"));
    Ref<> stream = Ref<>::steal(PyLong_FromLong(1));  // the legacy default stream
    bool onHost = type == kDlCpu || type == kDlCudaHost;
    PyObject* arguments[] = {stream.get()};
    return method && names && stream
        ? Ref<>::steal(PyObject_Vectorcall(method.get(), arguments, 0, onHost ? nullptr : names.get())) : Ref<>();
}

}  // namespace

bool ArgumentList::addDlpack(PyObject* object) {
    Ref<> capsule = capsuleOf(object);
    auto* managed = capsule ? static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule.get(), "dltensor")) : nullptr;
    if (managed == nullptr) {
        return false;
    }
    const DlTensor& tensor = managed->tensor;
    const Type* element = elementOf(tensor);
    bool known = isHostMemory(tensor) || tensor.deviceType == kDlCuda || tensor.deviceType == kDlCudaManaged;
    if (element == nullptr || tensor.ndim > kMaxDimensions || !known) {
        PyErr_Format(PyExc_TypeError, "kernels cannot take this %s: its DLPack form has a device or an element type that they do not know",
                     Py_TYPE(object)->tp_name);
        return false;
    }
    RawArgument argument;
    argument.data = reinterpret_cast<uintptr_t>(tensor.data) + tensor.offset;
    argument.isHost = isHostMemory(tensor);
    argument.isForeign = !argument.isHost;
    Py_ssize_t step = element->bytes();
    for (int i = tensor.ndim - 1; i >= 0; i--) {
        argument.shape[i] = tensor.shape[i];
        argument.strides[i] = tensor.strides != nullptr ? tensor.strides[i] * element->bytes() : step;
        step *= tensor.shape[i];
    }
    addArray(argument, element, tensor.ndim, false);
    owners_.push_back(capsule.release());  // its end gives the tensor back
    return true;
}

}  // namespace kiln::gpu
