#include "jit/runtime/quiet_iterables.h"

#include <algorithm>

namespace kiln {

bool isQuietIterable(PyObject* object) {
    return isSequence(object) || PyAnySet_CheckExact(object) || PyDict_CheckExact(object) || PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) ||
           Py_IS_TYPE(object, &PyRange_Type) || Py_IS_TYPE(object, &PyDictKeys_Type) || Py_IS_TYPE(object, &PyDictValues_Type) ||
           Py_IS_TYPE(object, &PyDictItems_Type);
}

bool holdsOnly(PyObject* object, bool (*suits)(PyObject*)) {
    if (isSequence(object)) {
        PyObject** items = PySequence_Fast_ITEMS(object);
        return std::all_of(items, items + PySequence_Fast_GET_SIZE(object), suits);
    }
    if (PyAnySet_CheckExact(object)) {
        return kiln_set_holds_only(object, suits);
    }
    if (PyDictViewSet_Check(object) || PyDictValues_Check(object)) {
        PyObject* dict = reinterpret_cast<PyObject*>(reinterpret_cast<_PyDictViewObject*>(object)->dv_dict);
        return isQuietIterable(object) && PyDict_CheckExact(dict) && kiln_dict_holds_only(dict, !PyDictKeys_Check(object), suits);
    }
    return PyDict_CheckExact(object) ? kiln_dict_holds_only(object, false, suits)
                          : PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) || Py_IS_TYPE(object, &PyRange_Type);
}

}  // namespace kiln
