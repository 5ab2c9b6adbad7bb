// Who is importing.
#include "interp/import_site.h"

#include <Python.h>

#include <string>
#include <string_view>

namespace kiln {
namespace {

// The standard library's folder with a slash behind it; "" when it is not known.
std::string standardLibrary() {
    PyObject* folder = PySys_GetObject("_stdlib_dir");  // borrowed
    const char* text = folder != nullptr && PyUnicode_Check(folder) ? PyUnicode_AsUTF8(folder) : nullptr;
    PyErr_Clear();
    return text != nullptr ? std::string(text) + "/" : std::string();
}

bool isImportMachinery(std::string_view file, std::string_view library) {
    if (file.starts_with("<frozen importlib") || file.starts_with("<frozen zipimport")) {
        return true;
    }
    return !library.empty() && file.starts_with(library) && file.substr(library.size()).starts_with("importlib/");
}

bool isLibrary(std::string_view file, std::string_view library) {
    return file.starts_with("<frozen ") || (!library.empty() && file.starts_with(library)) ||
           file.find("/site-packages/") != std::string_view::npos ||
           file.find("/dist-packages/") != std::string_view::npos;
}

std::string fileOf(PyFrameObject* frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const char* text = PyUnicode_AsUTF8(code->co_filename);
    PyErr_Clear();
    std::string file = text != nullptr ? text : "";
    Py_DECREF(code);
    return file;
}

}  // namespace

bool importerIsLibrary() {
    std::string library = standardLibrary();
    PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
    bool result = false;
    while (frame != nullptr) {
        std::string file = fileOf(frame);
        bool machinery = isImportMachinery(file, library);
        PyFrameObject* back = machinery ? PyFrame_GetBack(frame) : nullptr;
        if (!machinery) {
            result = isLibrary(file, library);
        }
        Py_DECREF(frame);
        frame = back;
    }
    return result;
}

}  // namespace kiln
