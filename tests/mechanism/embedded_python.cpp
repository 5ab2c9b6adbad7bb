#include "tests/mechanism/embedded_python.h"

#include <gtest/gtest.h>

namespace kiln::mechanism {
namespace {

bool reportError(const char* what) {
    PyErr_Print();
    ADD_FAILURE() << what << " raised an exception";
    return false;
}

}  // namespace

bool runIn(PyObject* names, const char* source) {
    Ref code(Py_CompileString(source, "mechanism.py", Py_file_input));
    if (!code) {
        return reportError("compiling the test's module");
    }
    Ref result(PyEval_EvalCode(code.get(), names, names));
    return result ? true : reportError("the test's module");
}

Ref runModule(const char* source) {
    Ref names(PyDict_New());
    PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins());
    return runIn(names.get(), source) ? std::move(names) : Ref();
}

PyObject* lookUp(const Ref& names, const char* name) {
    return names ? PyDict_GetItemString(names.get(), name) : nullptr;
}

long long intNamed(const Ref& names, const char* name) {
    PyObject* value = lookUp(names, name);
    if (value == nullptr || !PyLong_Check(value)) {
        ADD_FAILURE() << name << " is not an int";
        return -1;
    }
    return PyLong_AsLongLong(value);
}

PyCodeObject* codeNamed(const Ref& names, const char* name) {
    return reinterpret_cast<PyCodeObject*>(PyFunction_GetCode(lookUp(names, name)));
}

Ref makeCallable(PyMethodDef* definition) {
    return Ref(PyCFunction_New(definition, nullptr));
}

Ref callNamed(const Ref& names, const char* name) {
    Ref result(PyObject_CallNoArgs(lookUp(names, name)));
    if (!result) {
        reportError(name);
    }
    return result;
}

int unitOf(PyObject* code, const char* instruction, int nth) {
    Ref names(PyDict_New());
    PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins());
    PyDict_SetItemString(names.get(), "code", code);
    Ref wanted(PyUnicode_FromString(instruction));
    PyDict_SetItemString(names.get(), "wanted", wanted.get());
    Ref index(PyLong_FromLong(nth));
    PyDict_SetItemString(names.get(), "nth", index.get());
    bool found = runIn(names.get(),
                       "import dis\n"
                       "unit = [i.offset for i in dis.get_instructions(code) if i.opname == wanted][nth] // 2\n");
    return found ? static_cast<int>(intNamed(names, "unit")) : -1;
}

std::string instructionsNow(PyObject* code) {
    Ref names(PyDict_New());
    PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins());
    PyDict_SetItemString(names.get(), "code", code);
    if (!runIn(names.get(),
               "import dis\n"
               "text = ' '.join(i.opname for i in dis.get_instructions(code, adaptive=True))\n")) {
        return "";
    }
    return PyUnicode_AsUTF8(lookUp(names, "text"));
}

}  // namespace kiln::mechanism
