// The class array.array, where the program has imported the module and its objects lie as compiled code expects them to.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>

#include "interp/numpy_elements.h"

namespace kiln {

// Where arrayobject keeps what compiled code reads: private to the module, and checked on arrays that it makes.
namespace array_layout {
inline constexpr int kItems = 24;
inline constexpr int kDescriptor = 40;
}  // namespace array_layout

// One for the process. All of it needs the GIL.
class ArrayModule {
public:
    // Looks whether the program has imported the module by now: makes an array of each type. An exception that is set stays.
    static void look();
    // nullptr as long as it has not, and where arrays are not as expected.
    static const ArrayModule* known() { return known_; }

    PyTypeObject* cls() const { return cls_; }
    // The class of its iterators; nullptr where these do not lie as a list's do.
    PyTypeObject* iterator() const { return iterator_; }
    // What the array's items are like; kCount for a type that compiled code does not know. `array` is of class cls().
    Element elementOf(PyObject* array) const;
    // Of such arrays: what may stand at kDescriptor. The second is 0 where there is only one: "q" is "l" by another name.
    using Descriptors = std::array<int64_t, 2>;
    const Descriptors& descriptorsOf(Element element) const { return descriptors_[static_cast<int>(element)]; }

private:
    bool find();
    bool addType(PyObject* make, const char* typecode, Element element);

    static const ArrayModule* known_;
    PyTypeObject* cls_ = nullptr;  // held
    PyTypeObject* iterator_ = nullptr;  // likewise
    Descriptors descriptors_[kElementCount] = {};
};

// False for nullptr.
bool isArrayModuleClass(const PyTypeObject* cls);

}  // namespace kiln
