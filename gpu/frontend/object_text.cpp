// Texts of Python objects.
#include "gpu/frontend/object_text.h"

#include "interp/python_text.h"

namespace kiln::gpu {

std::string textOrEmpty(PyObject* value) {
    std::string text = value != nullptr && PyUnicode_Check(value) ? kiln::textOf(value) : std::string();
    PyErr_Clear();
    return text;
}

std::string textAttribute(PyObject* object, const char* name) {
    Ref<> value = Ref<>::steal(PyObject_GetAttrString(object, name));
    return textOrEmpty(value.get());
}

std::string exactText(PyObject* string) {
    Ref<> bytes = Ref<>::steal(PyUnicode_AsEncodedString(string, "utf-8", "surrogatepass"));
    PyErr_Clear();
    return bytes ? std::string(PyBytes_AS_STRING(bytes.get()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.get())))
                 : std::string();
}

Ref<> exactString(const std::string& text) {
    for (const char* errors : {"surrogatepass", "replace"}) {
        Ref<> string = Ref<>::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), errors));
        PyErr_Clear();
        if (string) {
            return string;
        }
    }
    return {};
}

}  // namespace kiln::gpu
