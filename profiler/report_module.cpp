// _kiln.render_report() and render_page(), and the sections of this folder.
#include "profiler/report_module.h"

#include <Python.h>

#include "interp/embedded_module.h"
#include "profiler/call_edges.h"
#include "profiler/report_page.h"
#include "profiler/report_section.h"
#include "profiler/report_text.h"

namespace kiln {
namespace {

PyObject* render(PyObject*, PyObject* argument) {
    Py_ssize_t size = 0;
    const char* json = PyUnicode_AsUTF8AndSize(argument, &size);
    if (json == nullptr) {
        return nullptr;
    }
    std::string text;
    std::string error;
    if (!renderReport({json, static_cast<size_t>(size)}, text, error)) {
        PyErr_SetString(PyExc_ValueError, error.c_str());
        return nullptr;
    }
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

PyObject* renderHtml(PyObject*, PyObject* arguments) {
    PyObject* text = nullptr;
    int withSource = 1;
    if (!PyArg_ParseTuple(arguments, "Up", &text, &withSource)) {
        return nullptr;
    }
    Py_ssize_t size = 0;
    const char* json = PyUnicode_AsUTF8AndSize(text, &size);
    if (json == nullptr) {
        return nullptr;
    }
    std::string page;
    std::string error;
    if (!renderPage({json, static_cast<size_t>(size)}, withSource != 0, page, error)) {
        PyErr_SetString(PyExc_ValueError, error.c_str());
        return nullptr;
    }
    return PyUnicode_DecodeUTF8(page.data(), static_cast<Py_ssize_t>(page.size()), "replace");
}

PyMethodDef methods[] = {
    {"render_report", render, METH_O,
     "render_report(text) -> the table of a report's JSON text; ValueError says why it is none"},
    {"render_page", renderHtml, METH_VARARGS,
     "render_page(text, with_source) -> the HTML page of a report's JSON text; ValueError says why it is none"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void addReportFunctions() {
    addReportSection(&edgeSection());
    addReportSection(&windowSection());
    addEmbeddedFunctions(methods);
}

}  // namespace kiln
