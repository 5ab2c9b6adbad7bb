#include "jit/runtime/virtual_objects.h"

#include <algorithm>

#include "interp/cpython/cpython_shim.h"
#include "interp/numpy_views.h"
#include "interp/py_ref.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/numpy_scalars.h"

namespace kiln {
namespace {

Ref<> integer(int64_t value) {
    return Ref<>::steal(boxInt(value));
}

PyObject* callClass(PyTypeObject& cls, PyObject* const* arguments, size_t count) {
    return makeSurely([&] { return PyObject_Vectorcall(reinterpret_cast<PyObject*>(&cls), arguments, count, nullptr); });
}

}  // namespace

PyObject* boxInt(int64_t value) {
    return makeSurely([&] { return PyLong_FromLongLong(value); });
}

PyObject* boxFloat(double value) {
    return makeSurely([&] { return PyFloat_FromDouble(value); });
}

PyObject* boxWord(ir::Type type, int64_t word) {
    switch (type) {
        case ir::Type::kInt: return boxInt(word);
        case ir::Type::kBool: return PyBool_FromLong(static_cast<long>(word & 1));
        default: {
            double value;
            static_assert(sizeof value == sizeof word);
            __builtin_memcpy(&value, &word, sizeof value);
            return boxFloat(value);
        }
    }
}

PyObject* makeInstance(PyTypeObject* cls, PyTypeObject* maker) {
    static PyObject* empty = PyTuple_New(0);
    return makeSurely([&] { return maker->tp_new(cls, empty, nullptr); });
}

PyObject* makeTuple(PyTypeObject* cls, std::span<PyObject* const> items) {
    PyObject* tuple = makeSurely([&] { return cls->tp_alloc(cls, static_cast<Py_ssize_t>(items.size())); });
    for (size_t index = 0; index < items.size(); index++) {
        PyTuple_SET_ITEM(tuple, index, Py_NewRef(items[index]));
    }
    return tuple;
}

PyObject* newDict(PyObject* keys, PyObject* const* values) {
    Ref<> dict = Ref<>::steal(PyDict_New());
    for (Py_ssize_t index = 0; dict && index < PyTuple_GET_SIZE(keys); index++) {
        if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(keys, index), values[index]) != 0) {
            dict = {};
        }
    }
    return dict.release();
}

PyObject* makeKeywords(PyObject* names, PyObject* const* values) {
    return makeSurely([&] { return newDict(names, values); });
}

PyObject* makeRange(std::span<const int64_t> parts) {
    Ref<> start = integer(parts[0]);
    Ref<> stop = integer(parts[1]);
    Ref<> step = integer(parts[2]);
    PyObject* arguments[] = {start.get(), stop.get(), step.get()};
    return callClass(PyRange_Type, arguments, 3);
}

PyObject* restoreRangeIterator(PyObject* existing, std::span<const int64_t> parts) {
    int64_t step = parts.size() == 3 ? parts[2] : 1;
    int64_t remaining = parts.size() == 3 ? parts[1] : std::max<int64_t>(0, parts[1] - parts[0]);
    if (existing == nullptr) {
        existing = makeSurely(kiln_range_iterator_new);
    }
    kiln_range_iterator_set(existing, parts[0], step, remaining);
    return existing;
}

PyObject* restoreListIterator(PyObject* existing, PyObject* sequence, int64_t index) {
    Ref<> held = Ref<>::steal(sequence);
    if (existing == nullptr) {
        existing = makeSurely([&] { return PyObject_GetIter(sequence); });
    }
    kiln_list_iterator_set_index(existing, static_cast<Py_ssize_t>(index));
    return existing;
}

PyObject* restoreEnumerate(PyObject* existing, int64_t index, PyObject* iterator) {
    Ref<> inner = Ref<>::steal(iterator);
    if (existing != nullptr) {
        kiln_enumerate_set_index(existing, static_cast<Py_ssize_t>(index));
        return existing;
    }
    Ref<> start = integer(index);
    PyObject* arguments[] = {inner.get(), start.get()};
    return callClass(PyEnum_Type, arguments, 2);
}

PyObject* bindTo(PyObject* ofClass, PyObject* instance) {
    if (PyFunction_Check(ofClass)) {
        return PyMethod_New(ofClass, instance);
    }
    return Py_TYPE(ofClass)->tp_descr_get(ofClass, instance, reinterpret_cast<PyObject*>(Py_TYPE(instance)));
}

PyObject* makeComplex(PyTypeObject* cls, double real, double imag) {
    return cls == &PyComplex_Type ? makeSurely([&] { return PyComplex_FromDoubles(real, imag); }) : boxComplexScalar(cls, real, imag);
}

PyObject* makeView(PyObject* array, PyObject* dtype, std::span<const int64_t> parts) {
    const auto dimensions = static_cast<int>(parts.size() / 2);
    return makeSurely([&] { return makeNumPyView(array, dtype, parts[0], dimensions, parts.data() + 1, parts.data() + 1 + dimensions); });
}

PyObject* restoreGenerator(PyObject* existing, PyObject* function, int unit, std::span<PyObject* const> slots) {
    if (existing == nullptr) {
        existing = makeSurely([&] { return kiln_generator_new(reinterpret_cast<PyFunctionObject*>(function)); });
    }
    std::copy(slots.begin(), slots.end(), kiln_frame_slots(kiln_generator_running_frame(existing)));
    kiln_generator_suspend(existing, unit, static_cast<int>(slots.size()));
    return existing;
}

PyObject* restoreZip(PyObject* existing, std::span<PyObject* const> iterators) {
    PyObject* zip = existing;
    if (zip == nullptr) {
        zip = callClass(PyZip_Type, iterators.data(), iterators.size());
    }
    for (PyObject* iterator : iterators) {
        Py_XDECREF(iterator);
    }
    return zip;
}

}  // namespace kiln
