// The module _kiln.
#include "interp/embedded_module.h"

#include <cassert>

#include "interp/config.h"
#include "interp/support/executable_path.h"

namespace kiln {
namespace {

PyMethodDef* methodTables[kMaxMethodTables];
int methodTableCount = 0;

const char* kindName(KnobKind kind) {
    static constexpr const char* kNames[] = {"switch", "choice", "count", "text", "list", "output"};
    return kNames[static_cast<int>(kind)];
}

const char* originName(KnobOrigin origin) {
    static constexpr const char* kNames[] = {"default", "environment", "option"};
    return kNames[static_cast<int>(origin)];
}

PyObject* knobRow(size_t index) {
    const Knob& knob = knobs()[index];
    const std::string& value = config().*knob.text;
    PyObject* text = PyUnicode_DecodeFSDefaultAndSize(value.c_str(), static_cast<Py_ssize_t>(value.size()));
    if (text == nullptr) {
        return nullptr;
    }
    return Py_BuildValue("(ssssssNs)", knob.field, knob.variable, kindName(knob.kind), knob.defaultText, knob.unit,
                         knob.reason, text, originName(knobOrigin(index)));
}

PyObject* configRows(PyObject*, PyObject*) {
    PyObject* rows = PyList_New(kKnobCount);
    for (size_t i = 0; rows != nullptr && i < kKnobCount; i++) {
        PyObject* row = knobRow(i);
        if (row == nullptr) {
            Py_CLEAR(rows);
        } else {
            PyList_SET_ITEM(rows, static_cast<Py_ssize_t>(i), row);
        }
    }
    return rows;
}

PyObject* versions(PyObject*, PyObject*) {
    return Py_BuildValue("{ssssss}", "kiln", KILN_VERSION, "python", PY_VERSION, "llvm", KILN_LLVM_VERSION);
}

PyObject* executable(PyObject*, PyObject*) {
    return PyUnicode_DecodeFSDefault(kiln_executable_path());
}

PyObject* pythonBuild(PyObject*, PyObject*) {
    return Py_BuildValue("{sisi}", "profiled", KILN_PYTHON_PROFILED, "lto", KILN_PYTHON_LTO);
}

PyObject* isActive(PyObject*, PyObject*) {
    return PyBool_FromLong(config().jitOn);
}

PyObject* jitDisabled(PyObject*, PyObject*) {
    return PyUnicode_FromString(jitDisabledBy());
}

PyMethodDef ownMethods[] = {
    {"config_rows", configRows, METH_NOARGS,
     "config_rows() -> list of (field, variable, kind, default, unit, reason, value, origin), a row for each knob"},
    {"versions", versions, METH_NOARGS, "versions() -> dict of what this kiln was built from: kiln, python, llvm"},
    {"python_build", pythonBuild, METH_NOARGS,
     "python_build() -> dict of how the CPython inside was optimised: profiled, by a profile; lto, when its own python was linked"},
    {"executable", executable, METH_NOARGS, "executable() -> the file that this process runs, links resolved"},
    {"is_active", isActive, METH_NOARGS, "is_active() -> whether this process compiles hot code"},
    {"jit_disabled_by", jitDisabled, METH_NOARGS,
     "jit_disabled_by() -> names of the mechanisms that failed on this CPython when kiln was built, or ''"},
    {nullptr, nullptr, 0, nullptr},
};

int addTables(PyObject* module) {
    for (int i = 0; i < methodTableCount; i++) {
        if (PyModule_AddFunctions(module, methodTables[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(addTables)},
    {0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    kEmbeddedModuleName,
    "What kiln's Python packages ask the launcher. Not for programs.",
    0,
    ownMethods,
    slots,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace

PyModuleDef* embeddedModuleDefinition() {
    return &definition;
}

void addEmbeddedFunctions(PyMethodDef* methods) {
    assert(methodTableCount < kMaxMethodTables);
    methodTables[methodTableCount++] = methods;
}

}  // namespace kiln
