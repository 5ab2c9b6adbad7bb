// Where the text of a function's file comes from.
#include "gpu/frontend/source_text.h"

#include "interp/cpython/kept_sources.h"
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

}  // namespace

std::vector<std::string> sourceTexts(PyObject* function) {
    std::vector<std::string> texts;
    PyObject* file = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function))->co_filename;
    for (size_t i = 0; kiln_kept_source(file, i) != nullptr; i++) {
        texts.push_back(kiln_kept_source(file, i));
    }
    addLines(texts, file, PyFunction_GET_GLOBALS(function));
    return texts;
}

}  // namespace kiln::gpu
