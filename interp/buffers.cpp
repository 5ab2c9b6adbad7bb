#include "interp/buffers.h"

#include <cstring>

#include "interp/array_module.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"

namespace kiln {
namespace {

// Of a memoryview's items; kCount where compiled code knows none.
Element viewedElement(const Py_buffer& view) {
    bool isPlain = view.ndim == 1 && view.suboffsets == nullptr && std::strlen(view.format) == 1;
    for (int element = 0; isPlain && element < kElementCount; element++) {
        const char* formats = formatsOf(static_cast<Element>(element));
        if (formats != nullptr && std::strchr(formats, view.format[0]) != nullptr) {
            return static_cast<Element>(element);
        }
    }
    return Element::kCount;
}

// The class of its iterators, if it keeps what it runs over, and where it is, as a list's iterator does. The buffer has two items.
PyTypeObject* probed(PyObject* buffer) {
    Ref<> iterator = buffer != nullptr ? Ref<>::steal(PyObject_GetIter(buffer)) : Ref<>();
    Ref<> item = iterator ? Ref<>::steal(PyIter_Next(iterator.get())) : Ref<>();
    PyTypeObject* cls = item ? Py_TYPE(iterator.get()) : nullptr;
    bool isAlike = cls != nullptr && kiln_is_list_like_iterator(iterator.get(), buffer, 1);
    PyErr_Clear();
    return isAlike && PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE) ? cls : nullptr;
}

struct IteratorClasses {
    PyTypeObject* ofBytes = nullptr;
    PyTypeObject* ofByteArray = nullptr;
    PyTypeObject* ofMemoryView = nullptr;
};

// Asked once, of objects that are made for it. An exception that is set stays.
const IteratorClasses& iteratorClasses() {
    static const IteratorClasses kClasses = [] {
        PyObject* raised = PyErr_GetRaisedException();
        Ref<> bytes = Ref<>::steal(PyBytes_FromString("ab"));
        Ref<> array = Ref<>::steal(PyByteArray_FromStringAndSize("ab", 2));
        Ref<> view = bytes ? Ref<>::steal(PyMemoryView_FromObject(bytes.get())) : Ref<>();
        IteratorClasses found = {probed(bytes.get()), probed(array.get()), probed(view.get())};
        PyErr_Clear();
        PyErr_SetRaisedException(raised);
        return found;
    }();
    return kClasses;
}

}  // namespace

const char* formatsOf(Element element) {
    switch (element) {
    case Element::k_int8: return "b";
    case Element::k_uint8: return "B";
    case Element::k_int16: return "h";
    case Element::k_uint16: return "H";
    case Element::k_int32: return "i";
    case Element::k_uint32: return "I";
    case Element::k_int64: return "lq";
    case Element::k_uint64: return "LQ";
    case Element::k_float32: return "f";
    case Element::k_float64: return "d";
    default: return nullptr;
    }
}

bool isBufferClass(const PyTypeObject* cls) {
    return cls == &PyBytes_Type || cls == &PyByteArray_Type || cls == &PyMemoryView_Type || isArrayModuleClass(cls);
}

ArrayLayout bufferLayout(PyObject* buffer) {
    if (PyMemoryView_Check(buffer)) {
        auto* view = reinterpret_cast<PyMemoryViewObject*>(buffer);
        bool isReleased = ((view->flags | view->mbuf->flags) & _Py_MEMORYVIEW_RELEASED) != 0;
        return isReleased ? ArrayLayout{}
                          : ArrayLayout{.element = viewedElement(view->view), .writable = view->view.readonly == 0};
    }
    if (isArrayModuleClass(Py_TYPE(buffer))) {
        return {.element = ArrayModule::known()->elementOf(buffer), .writable = true};
    }
    return {.element = Element::k_uint8, .writable = Py_IS_TYPE(buffer, &PyByteArray_Type)};
}

PyTypeObject* bufferIteratorClass(const PyTypeObject* buffer) {
    if (isArrayModuleClass(buffer)) {
        return ArrayModule::known()->iterator();
    }
    const IteratorClasses& classes = iteratorClasses();
    return buffer == &PyBytes_Type        ? classes.ofBytes
           : buffer == &PyByteArray_Type  ? classes.ofByteArray
           : buffer == &PyMemoryView_Type ? classes.ofMemoryView
                                          : nullptr;
}

PyTypeObject* listLikeIteratorOf(PyObject* buffer) {
    return probed(buffer);
}

PyObject* bufferOfIterator(PyObject* iterator) {
    PyTypeObject* cls = Py_TYPE(iterator);
    const IteratorClasses& classes = iteratorClasses();
    bool isOfArray = ArrayModule::known() != nullptr && cls == ArrayModule::known()->iterator();
    if (cls != classes.ofBytes && cls != classes.ofByteArray && cls != classes.ofMemoryView && !isOfArray) {
        return nullptr;
    }
    PyObject* buffer = kiln_list_like_sequence(iterator);
    return buffer != nullptr && bufferIteratorClass(Py_TYPE(buffer)) == cls ? buffer : nullptr;
}

}  // namespace kiln
