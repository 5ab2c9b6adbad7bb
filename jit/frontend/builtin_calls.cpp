#include "jit/frontend/builtin_calls.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

namespace kiln {
namespace {

// No row names as many places as there is room for.
constexpr std::array<char, 8> lettersOf(std::string_view arguments) {
    std::array<char, 8> letters{};
    size_t place = 0;
    for (char letter : arguments) {
        if (letter == '*') {
            std::fill(letters.begin() + place, letters.end(), letters[place - 1]);
        } else if (letter != '?') {
            letters[place++] = letter;
        }
    }
    return letters;
}

constexpr BuiltinCall kCalls[] = {
#define KILN_BUILTIN(owner, name, arguments, result, effect) {owner, name, arguments, result, BuiltinEffect::k##effect, lettersOf(arguments)},
#define KILN_BUILTIN_OWN(owner, name, arguments, result, effect, function) KILN_BUILTIN(owner, name, arguments, result, effect)
#include "jit/frontend/builtin_calls.def"
#undef KILN_BUILTIN
#undef KILN_BUILTIN_OWN
};

// Classes whose methods the table names, and that it names.
bool isTabled(PyTypeObject* cls) {
    static const std::array<PyTypeObject*, 11> classes = {
        &PyUnicode_Type, &PyBytes_Type, &PyList_Type, &PyTuple_Type, &PyDict_Type, &PySet_Type, &PyFrozenSet_Type, &PyLong_Type,
        &PyFloat_Type, &PyBool_Type, &PyType_Type};
    for (PyTypeObject* known : classes) {
        if (known == cls) {
            return true;
        }
    }
    return false;
}

bool isTabledMethod(PyObject* callee) {
    return Py_IS_TYPE(callee, &PyMethodDescr_Type) && isTabled(PyDescr_TYPE(callee));
}

bool isTabledClass(PyObject* callee) {
    return PyType_Check(callee) && isTabled(reinterpret_cast<PyTypeObject*>(callee));
}

bool isBuiltinFunction(PyObject* callee) {
    PyObject* module = PyCFunction_Check(callee) ? reinterpret_cast<PyCFunctionObject*>(callee)->m_module : nullptr;
    return module != nullptr && PyUnicode_Check(module) && PyUnicode_CompareWithASCIIString(module, "builtins") == 0;
}

}  // namespace

bool BuiltinCall::takes(int count) const {
    std::string_view letters = arguments;
    size_t optional = letters.find('?');
    bool more = letters.ends_with('*');
    auto least = static_cast<int>(optional != std::string_view::npos ? optional : letters.size() - more);
    return count >= least && (count == 0 || letterFor(count - 1) != '\0');
}

PyTypeObject* BuiltinCall::resultClass() const {
    switch (result) {
        case 's': return &PyUnicode_Type;
        case 'b': return &PyBytes_Type;
        case 'l': return &PyList_Type;
        case 't': return &PyTuple_Type;
        case 'd': return &PyDict_Type;
        case 'i': return &PyLong_Type;
        case 'B': return &PyBool_Type;
        case 'N': return Py_TYPE(Py_None);
        default: return nullptr;
    }
}

const BuiltinCall& builtinCall(int row) {
    return kCalls[row];
}

int findBuiltinCall(PyObject* callee, int arguments) {
    const char* owner = nullptr;
    const char* name = nullptr;
    if (isTabledMethod(callee)) {
        owner = PyDescr_TYPE(callee)->tp_name;
        name = reinterpret_cast<PyMethodDescrObject*>(callee)->d_method->ml_name;
    } else if (isTabledClass(callee)) {
        owner = "type";
        name = reinterpret_cast<PyTypeObject*>(callee)->tp_name;
    } else if (isBuiltinFunction(callee)) {
        owner = "builtins";
        name = reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name;
    }
    for (size_t row = 0; owner != nullptr && row < std::size(kCalls); row++) {
        const BuiltinCall& call = kCalls[row];
        if (std::strcmp(call.owner, owner) == 0 && std::strcmp(call.name, name) == 0 && call.takes(arguments)) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int builtinCallOf(PyObject* callee, int arguments) {
    struct Known {
        PyObject* callee = nullptr;
        int arguments = 0;
        int row = 0;
    };
    constexpr size_t kRoom = 128;
    static std::array<Known, kRoom> all;
    Known& known = all[(reinterpret_cast<uintptr_t>(callee) / alignof(std::max_align_t) + static_cast<size_t>(arguments)) % kRoom];
    if (known.callee == callee && known.arguments == arguments) {
        return known.row;
    }
    if (!isTabledMethod(callee) && !isTabledClass(callee) && !isBuiltinFunction(callee)) {
        return -1;
    }
    Py_XSETREF(known.callee, Py_NewRef(callee));
    known.arguments = arguments;
    known.row = findBuiltinCall(callee, arguments);
    return known.row;
}

}  // namespace kiln
