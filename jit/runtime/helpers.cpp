// The helpers of runtime_helpers.def: operations that compiled code hands to CPython. Each takes its operands as words.
#include <opcode.h>

#include <bit>

#include "jit/runtime/compiled_region.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/plain_words.h"
#include "jit/runtime/release_effects.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {
namespace {

PyObject* power(PyObject* a, PyObject* b) {
    return PyNumber_Power(a, b, Py_None);
}

PyObject* inplacePower(PyObject* a, PyObject* b) {
    return PyNumber_InPlacePower(a, b, Py_None);
}

// Indexed by BINARY_OP's operator numbers.
constexpr binaryfunc kBinary[] = {PyNumber_Add, PyNumber_And, PyNumber_FloorDivide, PyNumber_Lshift, PyNumber_MatrixMultiply,
                                  PyNumber_Multiply, PyNumber_Remainder, PyNumber_Or, power, PyNumber_Rshift,
                                  PyNumber_Subtract, PyNumber_TrueDivide, PyNumber_Xor};
constexpr binaryfunc kInplace[] = {PyNumber_InPlaceAdd, PyNumber_InPlaceAnd, PyNumber_InPlaceFloorDivide,
                                   PyNumber_InPlaceLshift, PyNumber_InPlaceMatrixMultiply, PyNumber_InPlaceMultiply,
                                   PyNumber_InPlaceRemainder, PyNumber_InPlaceOr, inplacePower, PyNumber_InPlaceRshift,
                                   PyNumber_InPlaceSubtract, PyNumber_InPlaceTrueDivide, PyNumber_InPlaceXor};
static_assert(NB_ADD == 0 && NB_POWER == 8 && NB_XOR == 12);

int64_t binaryOp(const int64_t* w, int64_t) {
    return word(kBinary[w[0]](object(w[1]), object(w[2])));
}

int64_t inplaceOp(const int64_t* w, int64_t) {
    return word(kInplace[w[0]](object(w[1]), object(w[2])));
}

int64_t unaryOp(const int64_t* w, int64_t) {
    return word(w[0] == UNARY_NEGATIVE ? PyNumber_Negative(object(w[1])) : PyNumber_Invert(object(w[1])));
}

int64_t compare(const int64_t* w, int64_t) {
    return word(PyObject_RichCompare(object(w[1]), object(w[2]), static_cast<int>(w[0])));
}

int64_t contains(const int64_t* w, int64_t) {
    int found = PySequence_Contains(object(w[2]), object(w[1]));
    return found < 0 ? -1 : found ^ static_cast<int>(w[0]);
}

int64_t isTrue(const int64_t* w, int64_t) {
    int truth = PyObject_IsTrue(object(w[1]));
    return truth < 0 ? -1 : truth ^ static_cast<int>(w[0]);
}

int64_t getItem(const int64_t* w, int64_t) {
    return word(PyObject_GetItem(object(w[0]), object(w[1])));
}

int64_t setItem(const int64_t* w, int64_t) {
    return PyObject_SetItem(object(w[1]), object(w[2]), object(w[0]));
}

int64_t deleteItem(const int64_t* w, int64_t) {
    return PyObject_DelItem(object(w[0]), object(w[1]));
}

int64_t getSlice(const int64_t* w, int64_t) {
    Ref<> slice = Ref<>::steal(PySlice_New(object(w[1]), object(w[2]), nullptr));
    return slice ? word(PyObject_GetItem(object(w[0]), slice.get())) : 0;
}

int64_t setSlice(const int64_t* w, int64_t) {
    Ref<> slice = Ref<>::steal(PySlice_New(object(w[2]), object(w[3]), nullptr));
    return slice ? PyObject_SetItem(object(w[1]), slice.get(), object(w[0])) : -1;
}

int64_t setAdd(const int64_t* w, int64_t) {
    return PySet_Add(object(w[0]), object(w[1]));
}

int64_t mapAdd(const int64_t* w, int64_t) {
    return PyDict_SetItem(object(w[0]), object(w[1]), object(w[2]));
}

// The first word is `super` itself.
int64_t getSuperAttribute(const int64_t* w, int64_t) {
    if (PyType_Check(object(w[1]))) {
        return word(kiln_super_lookup(reinterpret_cast<PyTypeObject*>(w[1]), object(w[2]), object(w[3])));
    }
    PyObject* arguments[] = {object(w[1]), object(w[2])};
    Ref<> bound = Ref<>::steal(PyObject_Vectorcall(object(w[0]), arguments, 2, nullptr));
    return bound ? word(PyObject_GetAttr(bound.get(), object(w[3]))) : 0;
}

int64_t getAttribute(const int64_t* w, int64_t) {
    return word(PyObject_GetAttr(object(w[0]), object(w[1])));
}

int64_t setAttribute(const int64_t* w, int64_t) {
    return PyObject_SetAttr(object(w[0]), object(w[1]), object(w[2]));
}

int64_t deleteAttribute(const int64_t* w, int64_t) {
    return PyObject_DelAttr(object(w[0]), object(w[1]));
}

int64_t ownAttribute(const int64_t* w, int64_t) {
    return word(Py_XNewRef(kiln_own_attribute(object(w[0]), object(w[1]))));
}

int64_t lacksOwnAttribute(const int64_t* w, int64_t) {
    return kiln_lacks_own_attribute(object(w[0]), object(w[1])) ? 0 : -1;
}

// One word more where the instance is given up behind it.
int64_t setOwnAttribute(const int64_t* w, int64_t count) {
    PyObject* displaced = kiln_own_attribute(object(w[0]), object(w[1]));
    if (mayRunCode(&displaced, 1) || (count > kStoreWords && !endsApart(displaced, object(w[0])))) {
        return -1;
    }
    return kiln_set_own_attribute(object(w[0]), object(w[1]), object(w[2])) ? 0 : -1;
}

int64_t listToTuple(const int64_t* w, int64_t) {
    return word(PyList_AsTuple(object(w[0])));
}

int64_t getIterator(const int64_t* w, int64_t) {
    return word(PyObject_GetIter(object(w[0])));
}

int64_t next(const int64_t* w, int64_t) {
    PyObject* iterator = object(w[0]);
    if (Py_TYPE(iterator)->tp_iternext == nullptr) {
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not an iterator", Py_TYPE(iterator)->tp_name);
        return 0;
    }
    PyObject* item = Py_TYPE(iterator)->tp_iternext(iterator);
    if (item == nullptr && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_StopIteration)) {
        kiln_monitor_stop(PyThreadState_Get());
    }
    return word(item);
}

int64_t buildTuple(const int64_t* w, int64_t count) {
    PyObject* tuple = makeSurely([&] { return PyTuple_New(count); });
    for (int64_t index = 0; index < count; index++) {
        PyTuple_SET_ITEM(tuple, index, Py_NewRef(object(w[index])));
    }
    return word(tuple);
}

int64_t buildRange(const int64_t* w, int64_t) {
    return word(makeRange({w, 3}));
}

int64_t buildRangeIterator(const int64_t* w, int64_t count) {
    return word(restoreRangeIterator(nullptr, {w, static_cast<size_t>(count)}));
}

int64_t buildListIterator(const int64_t* w, int64_t) {
    return word(restoreListIterator(nullptr, Py_NewRef(object(w[0])), w[1]));
}

int64_t buildEnumerate(const int64_t* w, int64_t) {
    return word(restoreEnumerate(nullptr, w[0], Py_NewRef(object(w[1]))));
}

int64_t buildComplex(const int64_t* w, int64_t) {
    return word(makeComplex(reinterpret_cast<PyTypeObject*>(w[0]), std::bit_cast<double>(w[1]), std::bit_cast<double>(w[2])));
}

int64_t buildView(const int64_t* w, int64_t count) {
    return word(makeView(object(w[1]), object(w[0]), {w + 2, static_cast<size_t>(count - 2)}));
}

int64_t buildZip(const int64_t* w, int64_t count) {
    std::span<PyObject* const> iterators(reinterpret_cast<PyObject* const*>(w), static_cast<size_t>(count));
    std::for_each(iterators.begin(), iterators.end(), Py_IncRef);
    return word(restoreZip(nullptr, iterators));
}

int64_t makeCell(const int64_t* w, int64_t) {
    return word(makeSurely([&] { return PyCell_New(object(w[0])); }));
}

struct FunctionPart {
    int flag;
    PyObject* PyFunctionObject::*field;
};

// In the order of MAKE_FUNCTION's operands, from the top.
constexpr FunctionPart kFunctionParts[] = {{0x08, &PyFunctionObject::func_closure},
                                           {0x04, &PyFunctionObject::func_annotations},
                                           {0x02, &PyFunctionObject::func_kwdefaults},
                                           {0x01, &PyFunctionObject::func_defaults}};

// words: MAKE_FUNCTION's flags, globals, code, and what the flags name.
int64_t makeFunction(const int64_t* w, int64_t) {
    PyObject* made = PyFunction_New(object(w[2]), object(w[1]));
    if (made == nullptr) {
        return 0;
    }
    auto* function = reinterpret_cast<PyFunctionObject*>(made);
    const int64_t* next = w + 3;
    for (const FunctionPart& part : kFunctionParts) {
        if (w[0] & part.flag) {
            function->*part.field = Py_NewRef(object(*next++));
        }
    }
    return word(made);
}

int64_t newInstance(const int64_t* w, int64_t) {
    return word(makeInstance(reinterpret_cast<PyTypeObject*>(w[0]), reinterpret_cast<PyTypeObject*>(w[1])));
}

int64_t newTuple(const int64_t* w, int64_t count) {
    return word(makeTuple(reinterpret_cast<PyTypeObject*>(w[0]), {reinterpret_cast<PyObject* const*>(w + 1), static_cast<size_t>(count - 1)}));
}

int64_t buildInstance(const int64_t* w, int64_t count) {
    PyObject* instance = makeInstance(reinterpret_cast<PyTypeObject*>(w[0]));
    for (int64_t attribute = 1; attribute < count; attribute++) {
        Py_XINCREF(object(w[attribute]));
    }
    kiln_fill_instance(instance, reinterpret_cast<PyObject* const*>(w + 1), count - 1);
    return word(instance);
}

int64_t buildList(const int64_t* w, int64_t count) {
    PyObject* list = PyList_New(count);
    for (int64_t index = 0; list != nullptr && index < count; index++) {
        PyList_SET_ITEM(list, index, Py_NewRef(object(w[index])));
    }
    return word(list);
}

int64_t buildSlice(const int64_t* w, int64_t) {
    return word(PySlice_New(object(w[0]), object(w[1]), object(w[2])));
}

int64_t buildMethod(const int64_t* w, int64_t) {
    return word(bindTo(object(w[0]), object(w[1])));
}

int64_t buildKeywords(const int64_t* w, int64_t) {
    return word(makeKeywords(object(w[0]), reinterpret_cast<PyObject* const*>(w + 1)));
}

int64_t buildMap(const int64_t* w, int64_t count) {
    Ref<> dict = Ref<>::steal(PyDict_New());
    for (int64_t index = 0; dict && index < count; index += 2) {
        if (PyDict_SetItem(dict.get(), object(w[index]), object(w[index + 1])) != 0) {
            return 0;
        }
    }
    return word(dict.release());
}

int64_t buildConstKeyMap(const int64_t* w, int64_t count) {
    return word(newDict(object(w[count - 1]), reinterpret_cast<PyObject* const*>(w)));
}

int64_t buildSet(const int64_t* w, int64_t count) {
    Ref<> set = Ref<>::steal(PySet_New(nullptr));
    for (int64_t index = 0; set && index < count; index++) {
        if (PySet_Add(set.get(), object(w[index])) != 0) {
            return 0;
        }
    }
    return word(set.release());
}

int64_t buildString(const int64_t* w, int64_t count) {
    Ref<> empty = Ref<>::steal(PyUnicode_New(0, 0));
    Ref<> pieces = Ref<>::steal(object(buildTuple(w, count)));
    return empty && pieces ? word(PyUnicode_Join(empty.get(), pieces.get())) : 0;
}

int64_t appendString(const int64_t* w, int64_t) {
    PyObject* text = object(w[0]);
    Py_XDECREF(object(w[2]));
    PyUnicode_Append(&text, object(w[1]));
    return word(text);
}

// words: conversion (0 none, 1 str, 2 repr, 3 ascii), value, and a format specification if there is one.
int64_t formatValue(const int64_t* w, int64_t count) {
    Ref<> value = Ref<>::borrow(object(w[1]));
    if (w[0] != 0) {
        value = Ref<>::steal(w[0] == 1 ? PyObject_Str(value.get()) : w[0] == 2 ? PyObject_Repr(value.get()) : PyObject_ASCII(value.get()));
        if (!value) {
            return 0;
        }
    }
    if (count == 2 && PyUnicode_CheckExact(value.get())) {
        return word(value.release());
    }
    return word(PyObject_Format(value.get(), count == 3 ? object(w[2]) : nullptr));
}

}  // namespace

void fillHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_binary_op, binaryOp);
    set(Helper::k_inplace_op, inplaceOp);
    set(Helper::k_unary_op, unaryOp);
    set(Helper::k_compare, compare);
    set(Helper::k_contains, contains);
    set(Helper::k_is_true, isTrue);
    set(Helper::k_get_item, getItem);
    set(Helper::k_set_item, setItem);
    set(Helper::k_delete_item, deleteItem);
    set(Helper::k_get_slice, getSlice);
    set(Helper::k_get_attribute, getAttribute);
    set(Helper::k_list_to_tuple, listToTuple);
    set(Helper::k_set_attribute, setAttribute);
    set(Helper::k_get_super_attribute, getSuperAttribute);
    set(Helper::k_set_slice, setSlice);
    set(Helper::k_set_add, setAdd);
    set(Helper::k_map_add, mapAdd);
    set(Helper::k_build_const_key_map, buildConstKeyMap);
    set(Helper::k_own_attribute, ownAttribute);
    set(Helper::k_lacks_own_attribute, lacksOwnAttribute);
    set(Helper::k_set_own_attribute, setOwnAttribute);
    set(Helper::k_delete_attribute, deleteAttribute);
    set(Helper::k_get_iterator, getIterator);
    set(Helper::k_next, next);
    set(Helper::k_next_of_generator, next);
    set(Helper::k_build_tuple, buildTuple);
    set(Helper::k_build_range, buildRange);
    set(Helper::k_build_range_iterator, buildRangeIterator);
    set(Helper::k_build_list_iterator, buildListIterator);
    set(Helper::k_build_enumerate, buildEnumerate);
    set(Helper::k_build_complex, buildComplex);
    set(Helper::k_build_view, buildView);
    set(Helper::k_build_zip, buildZip);
    set(Helper::k_make_cell, makeCell);
    set(Helper::k_make_function, makeFunction);
    set(Helper::k_new_instance, newInstance);
    set(Helper::k_new_tuple, newTuple);
    set(Helper::k_build_instance, buildInstance);
    set(Helper::k_build_list, buildList);
    set(Helper::k_build_slice, buildSlice);
    set(Helper::k_build_method, buildMethod);
    set(Helper::k_build_keywords, buildKeywords);
    set(Helper::k_build_map, buildMap);
    set(Helper::k_build_set, buildSet);
    set(Helper::k_append_string, appendString);
    set(Helper::k_build_string, buildString);
    set(Helper::k_format_value, formatValue);
    fillCallHelpers(table);
    fillNumberHelpers(table);
    fillArrayHelpers(table);
    fillListHelpers(table);
    fillDrawHelpers(table);
    fillBuiltinHelpers(table);
    fillPatternHelpers(table);
    fillImportHelpers(table);
}

}  // namespace kiln
