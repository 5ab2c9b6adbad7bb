#include "interp/array_module.h"

#include "interp/attribute.h"
#include "interp/buffers.h"

namespace kiln {
namespace {

constexpr struct {
    const char* typecode;
    Element element;
    int bytes;
} kTypes[] = {{"b", Element::k_int8, 1},   {"B", Element::k_uint8, 1},  {"h", Element::k_int16, 2},
              {"H", Element::k_uint16, 2}, {"i", Element::k_int32, 4},  {"I", Element::k_uint32, 4},
              {"l", Element::k_int64, 8},  {"L", Element::k_uint64, 8}, {"f", Element::k_float32, 4},
              {"d", Element::k_float64, 8}, {"q", Element::k_int64, 8},  {"Q", Element::k_uint64, 8}};

}  // namespace

const ArrayModule* ArrayModule::known_ = nullptr;

void ArrayModule::look() {
    static bool isDone = false;
    PyObject* module = isDone ? nullptr : PyDict_GetItemString(PyImport_GetModuleDict(), "array");
    if (module == nullptr || !PyModule_CheckExact(module)) {
        return;
    }
    PyObject* raised = PyErr_GetRaisedException();
    isDone = true;
    auto* found = new ArrayModule;
    if (found->find()) {
        known_ = found;
    } else {
        delete found;
    }
    PyErr_Clear();
    PyErr_SetRaisedException(raised);
}

// A module of C code alone has this class: one that the program has written itself may be anything.
bool ArrayModule::find() {
    Ref<> cls = attribute(PyDict_GetItemString(PyImport_GetModuleDict(), "array"), "array");
    auto* type = reinterpret_cast<PyTypeObject*>(cls.get());
    if (!cls || !PyType_CheckExact(cls.get()) || !PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE) ||
        type->tp_itemsize != 0) {
        return false;
    }
    for (const auto& row : kTypes) {
        if (!addType(cls.get(), row.typecode, row.element) || info(row.element).bytes != row.bytes) {
            return false;
        }
    }
    Ref<> array = Ref<>::steal(PyObject_CallFunction(cls.get(), "s(ii)", "b", 1, 2));
    iterator_ = array ? listLikeIteratorOf(array.get()) : nullptr;
    Py_XINCREF(iterator_);
    cls_ = reinterpret_cast<PyTypeObject*>(cls.release());
    return true;
}

bool ArrayModule::addType(PyObject* make, const char* typecode, Element element) {
    Ref<> array = Ref<>::steal(PyObject_CallFunction(make, "s(iii)", typecode, 1, 2, 3));
    Ref<> places = array ? Ref<>::steal(PyObject_CallMethod(array.get(), "buffer_info", nullptr)) : Ref<>();
    Ref<> bytes = array ? attribute(array.get(), "itemsize") : Ref<>();
    if (!places || !bytes || !PyTuple_Check(places.get()) || PyLong_AsLong(bytes.get()) != info(element).bytes ||
        Py_SIZE(array.get()) != 3) {
        return false;
    }
    const auto descriptor = numpyField<int64_t>(array.get(), array_layout::kDescriptor);
    Descriptors& known = descriptors_[static_cast<int>(element)];
    (known[0] == 0 ? known[0] : known[1]) = descriptor;
    return PyLong_AsLongLong(PyTuple_GET_ITEM(places.get(), 0)) ==
               numpyField<int64_t>(array.get(), array_layout::kItems) &&
           numpyField<char>(reinterpret_cast<void*>(descriptor), 0) == typecode[0];
}

Element ArrayModule::elementOf(PyObject* array) const {
    auto descriptor = numpyField<int64_t>(array, array_layout::kDescriptor);
    for (int element = 0; element < kElementCount; element++) {
        if (descriptors_[element][0] == descriptor || descriptors_[element][1] == descriptor) {
            return static_cast<Element>(element);
        }
    }
    return Element::kCount;
}

bool isArrayModuleClass(const PyTypeObject* cls) {
    return cls != nullptr && ArrayModule::known() != nullptr && ArrayModule::known()->cls() == cls;
}

}  // namespace kiln
