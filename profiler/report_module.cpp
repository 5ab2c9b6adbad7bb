// _kiln.render_report() and render_page(), and the sections of this folder.
#include "profiler/report_module.h"

#include <Python.h>

#include "interp/embedded_module.h"
#include "profiler/call_edges.h"
#include "profiler/report_json.h"
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

// A dict of names and texts. False with an exception for anything else.
bool readTexts(PyObject* dict, SourceTexts& texts) {
    PyObject* name = nullptr;
    PyObject* text = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &name, &text);) {
        const char* nameBytes = PyUnicode_AsUTF8(name);
        const char* textBytes = nameBytes != nullptr ? PyUnicode_AsUTF8(text) : nullptr;
        if (textBytes == nullptr) {
            return false;
        }
        texts.emplace(nameBytes, textBytes);
    }
    return true;
}

PyObject* renderHtml(PyObject*, PyObject* arguments) {
    PyObject* text = nullptr;
    int withSource = 1;
    PyObject* dict = nullptr;
    SourceTexts texts;
    if (!PyArg_ParseTuple(arguments, "Up|O!", &text, &withSource, &PyDict_Type, &dict) ||
        (dict != nullptr && !readTexts(dict, texts))) {
        return nullptr;
    }
    Py_ssize_t size = 0;
    const char* json = PyUnicode_AsUTF8AndSize(text, &size);
    if (json == nullptr) {
        return nullptr;
    }
    std::string page;
    std::string error;
    if (!renderPage({json, static_cast<size_t>(size)}, withSource != 0, texts, page, error)) {
        PyErr_SetString(PyExc_ValueError, error.c_str());
        return nullptr;
    }
    return PyUnicode_DecodeUTF8(page.data(), static_cast<Py_ssize_t>(page.size()), "replace");
}

// Adds the report of a JSON text to `report`. False with an exception when it is none.
bool mergeText(PyObject* object, Report& report) {
    Py_ssize_t size = 0;
    const char* json = PyUnicode_AsUTF8AndSize(object, &size);
    Report part;
    std::string error;
    if (json == nullptr) {
        return false;
    }
    if (!reportFromJson({json, static_cast<size_t>(size)}, part, error)) {
        PyErr_SetString(PyExc_ValueError, error.c_str());
        return false;
    }
    mergeReport(report, part);
    return true;
}

PyObject* merge(PyObject*, PyObject* arguments) {
    Report report;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments); i++) {
        if (!mergeText(PyTuple_GET_ITEM(arguments, i), report)) {
            return nullptr;
        }
    }
    std::string text = reportToJson(report);
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

PyMethodDef methods[] = {
    {"merge_reports", merge, METH_VARARGS,
     "merge_reports(text, ...) -> the JSON text of one report for several processes; ValueError says why one is none"},
    {"render_report", render, METH_O,
     "render_report(text) -> the table of a report's JSON text; ValueError says why it is none"},
    {"render_page", renderHtml, METH_VARARGS,
     "render_page(text, with_source, texts={}) -> the HTML page of a report's JSON text, with source text that is in "
     "no file by "
     "its name; ValueError says why it is none"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void addReportFunctions() {
    addReportSection(&edgeSection());
    addReportSection(&windowSection());
    addEmbeddedFunctions(methods);
}

}  // namespace kiln
