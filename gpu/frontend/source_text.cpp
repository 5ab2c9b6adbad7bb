// Where the text of a function's file comes from.
#include "gpu/frontend/source_text.h"

#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

void addText(std::vector<std::string>& texts, PyObject* text) {
    const char* bytes = text != nullptr && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : nullptr;
    if (bytes != nullptr && *bytes != '\0') {
        texts.push_back(bytes);
    }
    PyErr_Clear();
}

// linecache knows files, zip archives and notebooks' cells.
void addLines(std::vector<std::string>& texts, PyObject* file, PyObject* globals) {
    Ref<> linecache = Ref<>::steal(PyImport_ImportModule("linecache"));
    Ref<> lines = linecache
        ? Ref<>::steal(PyObject_CallMethod(linecache.get(), "getlines", "OO", file, globals)) : Ref<>();
    Ref<> empty = Ref<>::steal(PyUnicode_FromString(""));
    Ref<> text = lines && empty ? Ref<>::steal(PyUnicode_Join(empty.get(), lines.get())) : Ref<>();
    addText(texts, text.get());
    PyErr_Clear();
}

// The program after -c: sys.orig_argv ends with it and its arguments.
void addCommand(std::vector<std::string>& texts) {
    PyObject* arguments = PySys_GetObject("orig_argv");
    for (Py_ssize_t i = 0; arguments != nullptr && i < PyList_Size(arguments); i++) {
        const char* option = PyUnicode_AsUTF8(PyList_GET_ITEM(arguments, i));
        if (option != nullptr && std::string(option) == "-c" && i + 1 < PyList_Size(arguments)) {
            addText(texts, PyList_GET_ITEM(arguments, i + 1));
        }
    }
    PyErr_Clear();
}

}  // namespace

std::vector<std::string> sourceTexts(PyObject* function) {
    std::vector<std::string> texts;
    PyObject* file = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function))->co_filename;
    addLines(texts, file, PyFunction_GET_GLOBALS(function));
    if (PyUnicode_CompareWithASCIIString(file, "<string>") == 0) {
        addCommand(texts);
    }
    return texts;
}

}  // namespace kiln::gpu
