#include "profiler/command_name.h"

#include <Python.h>

#include "profiler/report_columns.h"

namespace kiln {
namespace {

constexpr int kTextColumns = 40;  // of a program that is no file

// An item of a list of sys, counted from its end when `index` is negative; "" when it isn't there.
std::string argument(const char* list, Py_ssize_t index) {
    PyObject* arguments = PySys_GetObject(list);
    Py_ssize_t size = arguments != nullptr && PyList_Check(arguments) ? PyList_GET_SIZE(arguments) : 0;
    index += index < 0 ? size : 0;
    PyObject* item = index >= 0 && index < size ? PyList_GET_ITEM(arguments, index) : nullptr;
    const char* text = item != nullptr && PyUnicode_Check(item) ? PyUnicode_AsUTF8(item) : nullptr;
    PyErr_Clear();
    return text != nullptr ? text : "";
}

Py_ssize_t programArguments() {
    PyObject* arguments = PySys_GetObject("argv");
    return arguments != nullptr && PyList_Check(arguments) ? PyList_GET_SIZE(arguments) : 0;
}

std::string firstLine(const std::string& text) {
    size_t begin = text.find_first_not_of(" \t\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::string commandName() {
    std::string first = argument("argv", 0);
    if (first != "-m" && first != "-c") {
        return first.empty() ? "-" : first;
    }
    // sys.argv has the option in place of what follows it, and then the program's own arguments.
    std::string text = firstLine(argument("orig_argv", -programArguments()));
    if (text.empty()) {
        return first;
    }
    bool isJoined = text.starts_with(first);  // -mMODULE
    return cutEnd(isJoined ? text : first + " " + text, kTextColumns);
}

}  // namespace kiln
