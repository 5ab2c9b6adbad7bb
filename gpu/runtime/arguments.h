// The arguments of one launch: what types they have, and their packed form.
#pragma once

#include <Python.h>

#include <memory>
#include <vector>

#include "gpu/frontend/value.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// A scalar or an array, as it was passed; the parts of tuples are arguments of their own.
struct RawArgument {
    const Type* type = nullptr;
    int64_t bits = 0;       // of a scalar; of a complex one its real part's
    int64_t imaginary = 0;  // the bits of its other part
    uintptr_t data = 0;     // of an array
    Py_ssize_t shape[kMaxDimensions] = {};
    Py_ssize_t strides[kMaxDimensions] = {};
    bool isHost = false;            // an array in the host's memory
    bool isExplicit = false;   // by In, Out or InOut
    bool isForeign = false;         // an array of another library's, on a GPU as it says
    const Backend* home = nullptr;  // whose memory a device array is
    int device = 0;                 // of a device array
    PyObject* owner = nullptr;      // of its memory; borrowed
};

// Arguments as a kernel reads them. Those of most launches need no memory but the object's own.
class PackedArguments {
public:
    // Room for so many bytes, all of them zeros.
    uint8_t* make(size_t bytes);
    const uint8_t* data() const { return data_; }
    int64_t size() const { return size_; }

private:
    static constexpr size_t kUsual = 256;
    alignas(16) uint8_t usual_[kUsual];
    std::unique_ptr<uint8_t[]> more_;
    uint8_t* data_ = usual_;
    int64_t size_ = 0;
};

// Holds the objects of the arguments until it ends. Needs the GIL.
class ArgumentList {
public:
    ArgumentList() = default;
    // For so many objects.
    explicit ArgumentList(size_t count);
    ArgumentList(const ArgumentList&) = delete;
    ArgumentList& operator=(const ArgumentList&) = delete;
    ~ArgumentList();

    // False with a Python exception for an object that kernels cannot take.
    [[nodiscard]] bool add(PyObject* object);
    // Memory of the caller's that outlives the list: an array of `count` elements.
    void addMemory(void* memory, const Type* element, int64_t count);
    // Types, and the structure of tuples: equal keys mean equal types.
    const std::vector<uintptr_t>& key() const { return key_; }
    // Empty, or why kernels on the device in use cannot take an array: it is elsewhere.
    Failure checkPlaces(Backend& where) const;
    // What they launch there goes on after the call.
    void noteStream(uintptr_t stream) const;
    // For the front end.
    std::vector<Value> types() const;
    std::vector<RawArgument>& flat() { return flat_; }
    bool anyOnHost() const;
    // A host array that was not passed by In, Out or InOut.
    bool anyImplicit() const;
    // Looks whether two of the arrays share memory, or may: true, and areApart() is false from then on. To be called when all are there
    // that the program has passed; what the caller adds later is memory of its own.
    bool anyOverlap();
    bool areApart() const { return areApart_; }
    // How well the arguments fit parameters of these types, the lesser the better; -1 when they do not.
    int64_t distanceTo(const std::vector<const Type*>& parameters) const;
    // Packed for parameters of these types and offsets, to which scalars are converted. False with a TypeError when they do not fit.
    [[nodiscard]] bool pack(const std::vector<const Type*>& parameters, const std::vector<int64_t>& offsets, PackedArguments& out) const;

private:
    bool addScalar(PyObject* object);
    bool addBuffer(PyObject* object);
    bool addTypeObject(PyObject* object);
    bool addForeign(PyObject* object);
    bool addInterface(PyObject* object, PyObject* interface);
    bool addDlpack(PyObject* object);
    // Of a value whose type the program has registered (numba/structures.py), the members as a tuple of the type's class; null for
    // another object, and with an exception.
    static Ref<> membersOf(PyObject* object);
    // Of an array of records of a class whose type, as the program says, is an array of values of a type of its own: that one, else
    // `element`. nullptr with an exception where arrays of such values cannot be had.
    static const Type* registeredElement(PyObject* object, const Type* element);
    void addArray(RawArgument argument, const Type* element, int ndim, bool readonly);
    bool addRecord(const Py_buffer& buffer, const Type* element);
    Value typeAt(size_t& position, size_t& argument) const;

    std::vector<uintptr_t> key_;
    std::vector<RawArgument> flat_;
    std::vector<Py_buffer> buffers_;
    std::vector<PyObject*> owners_;
    bool areApart_ = false;
};

// Whether they are the same types; tuples, of the same classes.
bool sameTypes(const std::vector<Value>& first, const std::vector<Value>& second);

// "array(float32, 1d, C), int64": for messages.
std::string describeTypes(const std::vector<Value>& types);

// One type as numba's package passes it: a scalar's name, ("array", element, ndim, layout, readonly) where the element is a name
// or a dtype, ("record", dtype), ("tuple", class or None, ...), ("enum", class, type of its values) or None. False with an exception.
[[nodiscard]] bool parseType(PyObject* object, Value& out);

// C, F or A; contiguous in both orders is C.
Layout layoutOf(const Py_ssize_t* shape, const Py_ssize_t* strides, int ndim, int64_t itemBytes);

}  // namespace kiln::gpu
