// How an attribute is reached, as long as the class stays what it is.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

namespace kiln {

enum class AttributeKind : uint8_t {
    kOther,     // CPython must look it up
    kValue,     // among the instance's values; an instance with a dict has none
    kOwn,       // in the instance's dict, if at all: its class has values, but none of this name
    kMember,    // in a slot of the instance
    kItem,      // an item of the instance, which is a tuple; offset: its index
    kMethod,    // a function of the class, or a C method, to be called with the instance
    kConstant,  // an object of the class
    kClassMethod,  // object: its function, to be called with the class
    kProperty,  // object: the getter, or for a store the setter, a function
};

struct AttributeAccess {
    AttributeKind kind = AttributeKind::kOther;
    // kValue, kMember: bytes from the values, or from the instance.
    int64_t offset = 0;
    bool writable = true;
    // kMethod, kConstant, kProperty: borrowed; the class holds it.
    PyObject* object = nullptr;
    // kMethod, kClassMethod, kConstant: may an instance's own attribute hide it?
    bool mayBeHidden = false;
    // Then: where the version of the keys stands, and what it must be, so that no instance with values hides the attribute.
    // NULL when each instance must be asked.
    const uint32_t* keys = nullptr;
    uint32_t keysVersion = 0;
};

// Of an instance of `cls`, whose lookup must be CPython's own; for what is not there a `__getattr__` may be asked: then code leaves. Needs the GIL; runs no Python code. `reliedOn` gets the
// program's other classes that must stay as they are: what they are the classes of could become a descriptor.
AttributeAccess findAttribute(PyTypeObject* cls, PyObject* name, std::vector<PyTypeObject*>& reliedOn);
// For a store: kValue, kOwn, kMember, kProperty or kOther.
AttributeAccess findStoredAttribute(PyTypeObject* cls, PyObject* name, std::vector<PyTypeObject*>& reliedOn);
// The function of a class method; nullptr of anything else. Borrowed.
PyObject* functionOfClassMethod(PyObject* found);
// What `cls.name` is, when it is one object as long as the classes stay as they are; nullptr otherwise. A class method is as it was found. Borrowed.
PyObject* findClassAttribute(PyTypeObject* cls, PyObject* name, std::vector<PyTypeObject*>& reliedOn);

}  // namespace kiln
