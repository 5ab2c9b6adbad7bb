// Functions of numpy.random that give one number, done as NumPy does them, as far as its generators lie as compiled code expects them
// to. Of RandomState NumPy promises that these numbers stay what they are.
#pragma once

#include <Python.h>

#include <cstdint>

namespace kiln {

enum class NumPyDraw {
    kUniform,  // random(), and of two numbers
    kNormal,   // standard_normal(), and of two numbers
    kInteger,  // below a number, or from one to another
    kNone
};

// What a call draws: by a method, for an instance where that is known.
struct NumPyDrawing {
    NumPyDraw draw = NumPyDraw::kNone;
    PyTypeObject* cls = nullptr;  // of the source of numbers
    PyObject* source = nullptr;   // of a bound method; borrowed
};

class NumPyRandom {
public:
    // Looks whether the program has imported numpy.random by now: makes a few generators, and compares what they give. An exception
    // that is set stays. Needs the GIL.
    static void look();
    // nullptr as long as it has not, and where it is not as expected.
    static const NumPyRandom* known() { return known_; }

    // Of a bound method of a source, or of one that a class has, called with so many arguments.
    NumPyDrawing drawingOf(PyObject* callee, int arguments) const;
    bool isMethod(PyObject* method) const;

    // The number; false where NumPy must do it, and nothing has been drawn: another thread is at this source, or it would raise.
    bool drawFloat(PyObject* source, NumPyDraw draw, double a, double b, double& drawn) const;
    // At least `low` and less than `high`.
    bool drawInteger(PyObject* source, int64_t low, int64_t high, int64_t& drawn) const;

private:
    // Where an object of the class has what, in bytes.
    struct Layout {
        PyTypeObject* cls = nullptr;
        int bits = 0;    // a copy of bitgen_t
        int lock = 0;
        int normal = 0;  // of RandomState: aug_bitgen_t
    };
    struct Method {
        PyObject* method;  // held
        PyTypeObject* cls;
        NumPyDraw draw;
        int fewest;
        int most;  // of arguments
    };

    bool find();
    bool findLayout(PyObject* source, PyObject* bitGenerator, Layout& layout) const;
    bool findLock();
    bool addMethods();
    bool drawsTheSame(PyObject* cls) const;
    const Layout* layoutOf(PyObject* source) const;

    static const NumPyRandom* known_;
    Layout layouts_[2];
    int locked_ = 0;  // of a lock of the module threading
    static constexpr int kMostMethods = 10;
    Method methods_[kMostMethods] = {};
    int count_ = 0;
};

}  // namespace kiln
