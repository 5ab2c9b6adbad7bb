#include "jit/engine/array_use.h"

#include "interp/numpy_types.h"

namespace kiln {
namespace {

bool isArray(PyObject* object) {
    return object != nullptr && isArrayClass(Py_TYPE(object));
}

// Of a namespace that is a plain dict: looking up a str in it runs no code.
bool namesArray(PyObject* names, PyObject* dict) {
    if (dict == nullptr || !PyDict_CheckExact(dict) || !kiln_dict_has_plain_keys(dict)) {
        return false;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(names); index++) {
        if (isArray(PyDict_GetItemWithError(dict, PyTuple_GET_ITEM(names, index)))) {
            return true;
        }
    }
    PyErr_Clear();
    return false;
}

}  // namespace

bool holdsArrays(KilnFrame* frame) {
    NumPyTypes::look();
    if (frame == nullptr || NumPyTypes::known() == nullptr) {
        return false;
    }
    PyCodeObject* code = kiln_frame_code(frame);
    PyObject** slots = kiln_frame_slots(frame);
    for (int slot = 0; slot < code->co_nlocalsplus; slot++) {
        if (isArray(slots[slot])) {
            return true;
        }
    }
    return namesArray(code->co_names, kiln_frame_globals(frame));
}

}  // namespace kiln
