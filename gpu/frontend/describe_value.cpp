// What messages call a value.
#include "gpu/frontend/object_text.h"
#include "gpu/frontend/value.h"

namespace kiln::gpu {
namespace {

// "module 'math'", "function 'f'", "class 'C'", or the type of another object.
std::string describeObject(PyObject* object) {
    const char* kind = PyModule_Check(object)     ? "module '"
                       : PyType_Check(object)     ? "class '"
                       : PyCallable_Check(object) ? "function '"
                                                  : nullptr;
    std::string name = kind != nullptr ? textAttribute(object, "__name__") : "";
    return !name.empty() ? kind + name + "'" : std::string("a Python object of type ") + Py_TYPE(object)->tp_name;
}

// As numba: "Enum<int64>(Color)".
std::string describeMember(const Value& value) {
    bool isInteger = PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(value.object.get()), &PyLong_Type) != 0;
    return std::string(isInteger ? "IntEnum<" : "Enum<") + describe(value.items[0]) + ">(" + textAttribute(value.object.get(), "__name__") + ")";
}

}  // namespace

std::string describe(const Value& value) {
    switch (value.kind) {
    case ValueKind::kPoison: return "undefined";
    case ValueKind::kNone: return "none";
    case ValueKind::kScalar:
    case ValueKind::kArray: return value.type->name;
    case ValueKind::kRecord: return value.type->element->name;
    case ValueKind::kText: return "a string";
    case ValueKind::kObject: return describeObject(value.object.get());
    case ValueKind::kClosure: return "a nested function";
    case ValueKind::kSlice: return "a slice";
    case ValueKind::kRange: return "a range";
    case ValueKind::kEnumerate: return "an enumerate";
    case ValueKind::kZip: return "a zip";
    case ValueKind::kFlat: return describe(value.items[0]) + ".flat";
    case ValueKind::kPlaces: return "an ndindex";
    case ValueKind::kMethod: return "a method";
    case ValueKind::kJoined: return "a string that is made when the kernel runs";
    case ValueKind::kMixed: return value.text;
    case ValueKind::kMember: return describeMember(value);
    case ValueKind::kOptional: return "OptionalType(" + describe(value.items[1]) + ")";
    case ValueKind::kTuple: break;
    }
    std::string name = value.object ? textAttribute(value.object.get(), "__name__") : "";
    std::string text = (name.empty() ? "Tuple" : name) + "(";
    for (size_t i = 0; i < value.items.size(); i++) {
        text += (i > 0 ? ", " : "") + describe(value.items[i]);
    }
    return text + ")";
}

}  // namespace kiln::gpu
