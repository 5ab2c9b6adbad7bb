#include "jit/runtime/plain_texts.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "interp/py_ref.h"

namespace kiln {
namespace {

// Writes `format % arguments` piece by piece: texts between, and %s, %r and %d without flags, width or precision.
class Formatter {
   public:
    Formatter(PyObject* format, PyObject* const* arguments, Py_ssize_t count)
        : format_(format), length_(PyUnicode_GET_LENGTH(format)), arguments_(arguments), count_(count) {
        constexpr Py_ssize_t kRoom = 100;  // as CPython
        _PyUnicodeWriter_Init(&writer_);
        writer_.min_length = length_ + kRoom;
        writer_.overallocate = 1;
    }
    Formatter(const Formatter&) = delete;
    Formatter& operator=(const Formatter&) = delete;

    PyObject* run() {
        bool done = true;
        while (done && at_ < length_) {
            done = PyUnicode_READ_CHAR(format_, at_) == '%' ? writeArgument() : writeBetween();
        }
        if (!done || next_ != count_) {
            _PyUnicodeWriter_Dealloc(&writer_);
            return nullptr;
        }
        return _PyUnicodeWriter_Finish(&writer_);
    }

   private:
    // Where one text is all there is, CPython gives the very object: nothing follows.
    void noteEnd() { writer_.overallocate = at_ < length_ ? 1 : 0; }

    bool writeBetween() {
        Py_ssize_t start = at_;
        Py_ssize_t end = PyUnicode_FindChar(format_, '%', start, length_, 1);
        at_ = end < 0 ? length_ : end;
        noteEnd();
        return _PyUnicodeWriter_WriteSubstring(&writer_, format_, start, at_) == 0;
    }

    bool writeArgument() {
        Py_UCS4 kind = at_ + 1 < length_ ? PyUnicode_READ_CHAR(format_, at_ + 1) : 0;
        at_ += 2;
        if (kind == '%') {
            return _PyUnicodeWriter_WriteChar(&writer_, '%') == 0;
        }
        bool known = kind == 's' || kind == 'r' || kind == 'd';
        if (!known || next_ == count_ || (kind == 'd' && !PyLong_CheckExact(arguments_[next_]))) {
            return false;
        }
        Ref<> text = Ref<>::steal(plainText(arguments_[next_++], kind == 'r'));
        noteEnd();
        return text && _PyUnicodeWriter_WriteStr(&writer_, text.get()) == 0;
    }

    PyObject* format_;
    Py_ssize_t length_;
    PyObject* const* arguments_;
    Py_ssize_t count_;
    Py_ssize_t at_ = 0;
    Py_ssize_t next_ = 0;
    _PyUnicodeWriter writer_;
};

}  // namespace

PyObject* decimalText(int64_t number) {
    std::array<char, 24> text;
    auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    PyObject* made = PyUnicode_New(end - text.data(), 127);
    if (made != nullptr) {
        std::copy(text.data(), end, PyUnicode_1BYTE_DATA(made));
    }
    return made;
}

PyObject* plainText(PyObject* value, bool represented) {
    if (PyUnicode_CheckExact(value) && !represented) {
        return Py_NewRef(value);
    }
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
        return overflow == 0 ? decimalText(number) : nullptr;
    }
    bool known = PyUnicode_CheckExact(value) || PyFloat_CheckExact(value) || PyBool_Check(value) || value == Py_None;
    return known ? Py_TYPE(value)->tp_repr(value) : nullptr;
}

PyObject* formatPlainly(PyObject* format, PyObject* arguments) {
    bool isTuple = PyTuple_CheckExact(arguments);
    return Formatter(format, isTuple ? PySequence_Fast_ITEMS(arguments) : &arguments, isTuple ? PyTuple_GET_SIZE(arguments) : 1).run();
}

}  // namespace kiln
