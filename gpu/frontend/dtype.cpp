// The types of NumPy's dtypes.
#include "gpu/frontend/dtype.h"

#include <cstdlib>
#include <cstring>
#include <map>

#include "gpu/frontend/array_interface.h"
#include "gpu/frontend/object_text.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

Ref<> attributeOf(PyObject* object, const char* name) {
    Ref<> value = Ref<>::steal(PyObject_GetAttrString(object, name));
    PyErr_Clear();
    return value;
}

int64_t integerOf(PyObject* number) {
    int64_t value = number != nullptr && PyLong_Check(number) ? PyLong_AsLongLong(number) : -1;
    PyErr_Clear();
    return value;
}

// (dtype, offset), or (dtype, offset, title).
bool readField(PyObject* name, PyObject* description, Field& field) {
    if (description == nullptr || !PyTuple_Check(description) || PyTuple_GET_SIZE(description) < 2 || !PyUnicode_Check(name)) {
        return false;
    }
    Ref<> dtype = Ref<>::borrow(PyTuple_GET_ITEM(description, 0));
    Ref<> whole = attributeOf(dtype.get(), "subdtype");
    if (whole && PyTuple_Check(whole.get()) && PyTuple_GET_SIZE(whole.get()) == 2) {
        PyObject* shape = PyTuple_GET_ITEM(whole.get(), 1);
        for (Py_ssize_t i = 0; PyTuple_Check(shape) && i < PyTuple_GET_SIZE(shape); i++) {
            field.shape.push_back(integerOf(PyTuple_GET_ITEM(shape, i)));
        }
        dtype = Ref<>::borrow(PyTuple_GET_ITEM(whole.get(), 0));
    }
    field.name = exactText(name);
    field.type = typeOfDtype(dtype.get());
    field.offset = integerOf(PyTuple_GET_ITEM(description, 1));
    return field.type != nullptr && field.offset >= 0 && field.shape.size() <= kMaxDimensions;
}

// Bytes without a meaning, as dtype.descr has them between fields.
bool isPadding(PyObject* description) {
    bool isTuple = description != nullptr && PyTuple_Check(description) && PyTuple_GET_SIZE(description) >= 2;
    PyObject* dtype = isTuple ? PyTuple_GET_ITEM(description, 0) : nullptr;
    Ref<> kind = dtype != nullptr ? attributeOf(dtype, "kind") : Ref<>();
    Ref<> names = dtype != nullptr ? attributeOf(dtype, "names") : Ref<>();
    Ref<> whole = dtype != nullptr ? attributeOf(dtype, "subdtype") : Ref<>();
    return kind && PyUnicode_Check(kind.get()) && PyUnicode_CompareWithASCIIString(kind.get(), "V") == 0 && names.get() == Py_None &&
           whole.get() == Py_None;
}

const Type* readDtype(PyObject* dtype) {
    Ref<> fields = attributeOf(dtype, "fields");
    Ref<> names = attributeOf(dtype, "names");
    if (!fields || fields.get() == Py_None || !names || !PyTuple_Check(names.get())) {
        const Type* type = typeOfString(textAttribute(dtype, "str"));
        Ref<> name = type == nullptr ? attributeOf(dtype, "name") : Ref<>();
        bool isBrain = name && PyUnicode_Check(name.get()) && PyUnicode_CompareWithASCIIString(name.get(), "bfloat16") == 0;
        return isBrain ? brainType() : type;
    }
    std::vector<Field> found;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names.get()); i++) {
        PyObject* name = PyTuple_GET_ITEM(names.get(), i);
        Ref<> description = Ref<>::steal(PyObject_GetItem(fields.get(), name));
        PyErr_Clear();
        if (isPadding(description.get())) {
            continue;
        }
        if (!readField(name, description.get(), found.emplace_back())) {
            return nullptr;
        }
    }
    Ref<> bytes = attributeOf(dtype, "itemsize");
    Ref<> aligned = attributeOf(dtype, "isalignedstruct");
    return recordType(std::move(found), integerOf(bytes.get()), aligned.get() == Py_True);
}

}  // namespace

namespace {

// By dtype, which is held.
std::map<PyObject*, std::pair<Ref<>, const Type*>>& knownDtypes() {
    static auto* known = new std::map<PyObject*, std::pair<Ref<>, const Type*>>;  // for ever: no reference is given back at exit
    return *known;
}

}  // namespace

Ref<> dtypeOfRecord(const Type* record) {
    if (record->isText) {
        const Field& codes = record->fields[0];
        Ref<> numpy = Ref<>::steal(PyImport_ImportModule("numpy"));
        std::string name = (codes.type->bits == 8 ? "S" : "U") + std::to_string(codes.shape[0]);
        return Ref<>::steal(numpy ? PyObject_CallMethod(numpy.get(), "dtype", "s", name.c_str()) : nullptr);
    }
    for (const auto& [dtype, entry] : knownDtypes()) {
        if (entry.second == record) {
            return entry.first;
        }
    }
    PyErr_Format(PyExc_TypeError, "no dtype of %s is known any more", record->name.c_str());
    return {};
}

const Type* typeOfDtype(PyObject* dtype) {
    constexpr size_t kMostKept = 1024;
    auto& known = knownDtypes();
    auto found = known.find(dtype);
    if (found != known.end()) {
        return found->second.second;
    }
    const Type* type = readDtype(dtype);
    if (known.size() < kMostKept) {
        known[dtype] = {Ref<>::borrow(dtype), type};
    }
    return type;
}

const Type* elementOfObject(PyObject* object) {
    Ref<> dtype = attributeOf(object, "dtype");
    return dtype ? typeOfDtype(dtype.get()) : nullptr;
}

}  // namespace kiln::gpu
