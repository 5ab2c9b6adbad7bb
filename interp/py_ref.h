// Ref<T>: an owned reference to a Python object.
#pragma once

#include <Python.h>

#include <utility>

namespace kiln {

// Owns one reference, or none. All operations need the GIL; releasing may run finalisers.
template <typename T = PyObject>
class Ref {
   public:
    Ref() = default;
    static Ref steal(T* object) { return Ref(object); }
    static Ref borrow(T* object) {
        Py_XINCREF(reinterpret_cast<PyObject*>(object));
        return Ref(object);
    }
    Ref(const Ref& other) : object_(other.object_) { Py_XINCREF(reinterpret_cast<PyObject*>(object_)); }
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() { Py_XDECREF(reinterpret_cast<PyObject*>(object_)); }

    T* get() const { return object_; }
    T* release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }
    T* operator->() const { return object_; }

   private:
    explicit Ref(T* object) : object_(object) {}
    T* object_ = nullptr;
};

}  // namespace kiln
