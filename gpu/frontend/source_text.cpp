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

// linecache knows files, zip archives and notebooks' cells. What it has read of a file that was edited since stays there
// until it is asked to check.
void addLines(std::vector<std::string>& texts, PyObject* file, PyObject* globals, bool anew) {
    Ref<> linecache = Ref<>::steal(PyImport_ImportModule("linecache"));
    Ref<> checked = linecache && anew ? Ref<>::steal(PyObject_CallMethod(linecache.get(), "checkcache", "O", file)) : Ref<>();
    PyErr_Clear();
    Ref<> lines = linecache
        ? Ref<>::steal(PyObject_CallMethod(linecache.get(), "getlines", "OO", file, globals)) : Ref<>();
    Ref<> empty = Ref<>::steal(PyUnicode_FromString(""));
    Ref<> text = lines && empty ? Ref<>::steal(PyUnicode_Join(empty.get(), lines.get())) : Ref<>();
    addText(texts, text.get());
    PyErr_Clear();
}

// What the module's loader says it was made from, where the file that is there now is another one.
void addLoaded(std::vector<std::string>& texts, PyObject* globals) {
    PyObject* loader = PyDict_GetItemString(globals, "__loader__");
    PyObject* name = PyDict_GetItemString(globals, "__name__");
    Ref<> text = loader != nullptr && name != nullptr
        ? Ref<>::steal(PyObject_CallMethod(loader, "get_source", "O", name)) : Ref<>();
    addText(texts, text.get());
    PyErr_Clear();
}

}  // namespace

std::vector<std::string> sourceTexts(PyObject* function, bool anew) {
    std::vector<std::string> texts;
    PyObject* file = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function))->co_filename;
    PyObject* globals = PyFunction_GET_GLOBALS(function);
    for (size_t i = 0; !anew && kiln_kept_source(file, i) != nullptr; i++) {
        texts.push_back(kiln_kept_source(file, i));
    }
    addLines(texts, file, globals, anew);
    if (anew) {
        addLoaded(texts, globals);
    }
    return texts;
}

}  // namespace kiln::gpu
