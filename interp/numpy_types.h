// NumPy's classes, where the program has imported NumPy and its objects lie as compiled code expects them to.
#pragma once

#include <Python.h>

#include <optional>

#include "interp/numpy_elements.h"

namespace kiln {

// One for the process, made when NumPy is there. All of it needs the GIL. Classes and dtypes of NumPy's are static or held.
class NumPyTypes {
public:
    // Looks whether the program has imported NumPy by now, and what it is like: a few attributes and arrays of NumPy's, whose
    // functions are called; no code of the program's. An exception that is set stays.
    static void look();
    // nullptr as long as there is no NumPy, and where it is not as expected.
    static const NumPyTypes* known() { return known_; }

    PyTypeObject* array() const { return array_; }
    PyTypeObject* scalar(Element element) const { return scalars_[static_cast<int>(element)]; }
    PyObject* dtype(Element element) const { return dtypes_[static_cast<int>(element)]; }
    // Of a scalar class; kCount for any other.
    Element elementOf(const PyTypeObject* cls) const;
    // numpy.True_ and numpy.False_, borrowed.
    PyObject* truth(bool value) const { return truths_[value ? 1 : 0]; }
    // Of one of numpy_functions.def; kCount for any other object.
    NumPyFunction functionOf(const PyObject* callee) const;
    // A Python number does not decide what a NumPy scalar becomes with it (NEP 50, from NumPy 2 on).
    bool hasWeakNumbers() const { return weakNumbers_; }
    // nullopt for an array that only NumPy can handle. `array` is of class array().
    std::optional<ArrayLayout> layoutOf(PyObject* array) const;
    // Its elements are of those classes, and nothing happens as it ends but that its base is given up. Of any dimensions and flags.
    bool holdsNumbers(PyObject* array) const;
    // Whose memory it shows; nullptr, or borrowed.
    static PyObject* baseOf(PyObject* array);

private:
    Element dtypeOf(PyObject* array) const;
    static void make();
    bool find();
    bool findElements(PyObject* module);
    bool findFunctions(PyObject* module);
    bool findLoops(PyObject* module) const;
    bool checkArrays(PyObject* module) const;
    bool checkScalars(PyObject* module) const;

    static const NumPyTypes* known_;
    PyTypeObject* array_ = nullptr;
    PyTypeObject* scalars_[kElementCount] = {};
    PyObject* dtypes_[kElementCount] = {};
    PyObject* truths_[2] = {};
    PyObject* functions_[static_cast<int>(NumPyFunction::kCount)] = {};
    bool weakNumbers_ = false;
};

// The class of NumPy's arrays, and those of the scalars that compiled code works on. False for nullptr.
bool isArrayClass(const PyTypeObject* cls);
bool isScalarClass(const PyTypeObject* cls);

}  // namespace kiln
