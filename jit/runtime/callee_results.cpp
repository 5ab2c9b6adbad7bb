#include "jit/runtime/callee_results.h"

#include <array>

#include "interp/py_ref.h"
#include "interp/support/short_vector.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/generator_consumers.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {
namespace {

// What a generator gave goes on the stack of the loop around it; with the generator ends the loop.
bool handOverItem(KilnFrame* caller, PyObject* result, const ir::FrameSnapshot& callee, int& unit) {
    int top = kiln_frame_stacktop(caller);
    PyObject** slots = kiln_frame_slots(caller);
    PyObject* generator = slots[top - 1];
    if (result != nullptr && kiln_generator_is_suspended(generator)) {
        slots[top] = result;
        kiln_frame_set_stacktop(caller, top + 1);
        return true;
    }
    if (result != nullptr) {
        unit = callee.exhausted;
        kiln_frame_set_stacktop(caller, top - 1);
        Py_DECREF(result);
        Py_DECREF(generator);
    }
    return result != nullptr;
}

// The same where a call takes the generator's items: the rest of the call is done here.
bool handOverToCall(KilnFrame* caller, PyObject* result, const ir::FrameSnapshot& callee, int& unit) {
    int top = kiln_frame_stacktop(caller);
    PyObject** state = kiln_frame_slots(caller) + top - 3;
    if (result != nullptr) {
        Ref<> item = Ref<>::steal(result);
        bool hasEnded = !kiln_generator_is_suspended(state[2]);
        result = finishConsumer(callee.consumer, state[0], state[1], state[2], hasEnded ? nullptr : item.get());
    }
    std::array<Ref<>, 3> ended = {Ref<>::steal(state[2]), Ref<>::steal(state[1]), Ref<>::steal(state[0])};
    kiln_frame_set_stacktop(caller, result != nullptr ? top - 2 : top - 3);
    if (result != nullptr) {
        state[0] = result;
        unit = callee.exhausted;
    }
    return result != nullptr;
}

// What the operation makes of the callee's result, which it takes; nullptr with an exception, or where it gives nothing. `operands`: the
// operation's, the first one pushed first.
using Finish = PyObject* (*)(PyObject* result, PyObject* const* operands, const ir::Region& region, int32_t detail);

PyObject* finishValue(PyObject* result, PyObject* const*, const ir::Region&, int32_t) {
    return result;
}

// The rest of type.__call__(): the class, then the arguments of the call.
PyObject* finishCreated(PyObject* result, PyObject* const* operands, const ir::Region& region, int32_t detail) {
    PyTypeObject* type = Py_TYPE(result);
    if (!PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(operands[1])) || type->tp_init == nullptr) {
        return result;
    }
    int32_t place = keywordNamesOfCreation(detail);
    PyObject* names = place >= 0 ? static_cast<PyObject*>(const_cast<void*>(region.objects[static_cast<size_t>(place)])) : nullptr;
    PyObject* const* arguments = operands + 2;
    Py_ssize_t positional = operandsOfCreation(detail) - 2 - (names != nullptr ? PyTuple_GET_SIZE(names) : 0);
    Ref<> instance = Ref<>::steal(result);
    Ref<> tuple = Ref<>::steal(PyTuple_New(positional));
    for (Py_ssize_t index = 0; tuple && index < positional; index++) {
        PyTuple_SET_ITEM(tuple.get(), index, Py_NewRef(arguments[index]));
    }
    Ref<> keywords = Ref<>::steal(tuple && names != nullptr ? newDict(names, arguments + positional) : nullptr);
    bool made = tuple && (names == nullptr || keywords);
    return made && type->tp_init(instance.get(), tuple.get(), keywords.get()) == 0 ? instance.release() : nullptr;
}

PyObject* finishOperator(PyObject* result, PyObject* const*, const ir::Region& region, int32_t detail) {
    if (result != Py_NotImplemented) {
        return result;
    }
    PyErr_SetObject(PyExc_TypeError, static_cast<PyObject*>(const_cast<void*>(region.objects[static_cast<size_t>(detail)])));
    return nullptr;  // NotImplemented is immortal
}

// The rest of PyObject_RichCompare(), whose rules these are: the left operand's class was asked first, and the right one's is not derived
// from it.
PyObject* finishComparison(PyObject* result, PyObject* const* operands, const ir::Region&, int32_t detail) {
    static constexpr int kSwapped[] = {Py_GT, Py_GE, Py_EQ, Py_NE, Py_LT, Py_LE};
    static constexpr const char* kTexts[] = {"<", "<=", "==", "!=", ">", ">="};
    if (result != Py_NotImplemented) {
        return result;
    }
    PyObject* left = operands[0];
    PyObject* right = operands[1];
    if (richcmpfunc compare = Py_TYPE(right)->tp_richcompare) {
        result = compare(right, left, kSwapped[detail]);
    }
    if (result != Py_NotImplemented) {
        return result;
    }
    if (detail == Py_EQ || detail == Py_NE) {
        return PyBool_FromLong((left == right) == (detail == Py_EQ));
    }
    return PyErr_Format(PyExc_TypeError, "'%s' not supported between instances of '%.100s' and '%.100s'", kTexts[detail], Py_TYPE(left)->tp_name,
                        Py_TYPE(right)->tp_name);
}

PyObject* finishContainment(PyObject* result, PyObject* const*, const ir::Region&, int32_t detail) {
    int isTrue = PyObject_IsTrue(result);
    Py_DECREF(result);
    return isTrue >= 0 ? PyBool_FromLong(isTrue ^ detail) : nullptr;
}

PyObject* finishLength(PyObject* result, PyObject* const*, const ir::Region&, int32_t) {
    Ref<> length = Ref<>::steal(PyNumber_Index(result));
    Py_DECREF(result);
    if (length && _PyLong_Sign(length.get()) < 0) {
        PyErr_SetString(PyExc_ValueError, "__len__() should return >= 0");
        return nullptr;
    }
    Py_ssize_t size = length ? PyNumber_AsSsize_t(length.get(), PyExc_OverflowError) : -1;
    return size >= 0 ? PyLong_FromSsize_t(size) : nullptr;
}

PyObject* finishTruth(PyObject* result, PyObject* const* operands, const ir::Region& region, int32_t detail) {
    if ((detail & 1) != 0) {
        Ref<> length = Ref<>::steal(finishLength(result, operands, region, detail));
        return length ? PyBool_FromLong(_PyLong_Sign(length.get()) > 0) : nullptr;
    }
    if (!PyBool_Check(result)) {
        PyErr_Format(PyExc_TypeError, "__bool__ should return bool, returned %s", Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

PyObject* finishIterator(PyObject* result, PyObject* const*, const ir::Region&, int32_t) {
    if (!PyIter_Check(result)) {
        PyErr_Format(PyExc_TypeError, "iter() returned non-iterator of type '%.100s'", Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

PyObject* finishNothing(PyObject* result, PyObject* const*, const ir::Region&, int32_t) {
    Py_DECREF(result);
    return nullptr;
}

constexpr Finish kFinishes[] = {
#define KILN_RESULT_USE(name, operands, finish) finish,
#include "jit/ir/result_uses.def"
#undef KILN_RESULT_USE
};

void popTop(KilnFrame* caller, int count) {
    ShortVector<PyObject*, 8> gone;
    int top = kiln_frame_stacktop(caller) - count;
    for (int index = 0; index < count; index++) {
        gone.push_back(kiln_frame_slots(caller)[top + index]);
    }
    kiln_frame_set_stacktop(caller, top);
    for (PyObject* object : gone) {
        Py_XDECREF(object);
    }
}

// Of an __init__, the instance lies on the stack already.
bool handOverNone(KilnFrame* caller, PyObject* result) {
    if (result != nullptr && result != Py_None) {
        PyErr_Format(PyExc_TypeError, "__init__() should return None, not '%.200s'", Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    if (result == nullptr) {
        popTop(caller, 1);
    }
    return result != nullptr;
}

}  // namespace

bool handOver(KilnFrame* caller, PyObject* result, const ir::Region& region, const ir::FrameSnapshot& callee, int& unit) {
    if (callee.consumer != Consumer::kLoop) {
        return handOverToCall(caller, result, callee, unit);
    }
    if (callee.exhausted != ir::kNoId) {
        return handOverItem(caller, result, callee, unit);
    }
    if (callee.use == ResultUse::k_instance) {
        return handOverNone(caller, result);
    }
    if (callee.use == ResultUse::k_item && result == nullptr) {
        raiseAtNext(caller);  // the instruction knows what StopIteration means, and tells tools
        unit = callee.detail;
        return true;
    }
    int operands = operandsOf(callee.use, callee.detail);
    PyObject** slots = kiln_frame_slots(caller);
    if (result != nullptr) {
        result = kFinishes[static_cast<int>(callee.use)](result, slots + kiln_frame_stacktop(caller) - operands, region, callee.detail);
    }
    bool raised = result == nullptr && PyErr_Occurred() != nullptr;
    unit = callee.use == ResultUse::k_truth && !raised ? callee.detail / 2 : unit;  // an exception is the instruction's, in which it waits
    popTop(caller, raised && callee.use == ResultUse::k_entered ? 1 : operands);
    if (result != nullptr) {
        int top = kiln_frame_stacktop(caller);
        slots[top] = result;
        kiln_frame_set_stacktop(caller, top + 1);
    }
    return !raised;
}

}  // namespace kiln
