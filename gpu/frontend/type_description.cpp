// Types as numba's package passes them.
#include "gpu/frontend/type_description.h"

#include "gpu/frontend/build_structure.h"
#include "gpu/frontend/dtype.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

Ref<> describedElement(const Type* element) {
    if (element->isStructure) {
        return Ref<>::steal(PyObject_GetAttrString(classOfStructure(element), "_kiln_struct"));
    }
    return element->isRecord() ? dtypeOfRecord(element) : Ref<>::steal(PyUnicode_FromString(element->name.c_str()));
}

}  // namespace

Ref<> describedType(const Value& value) {
    switch (value.kind) {
    case ValueKind::kScalar: return describedElement(value.type);
    case ValueKind::kArray: {
        Ref<> element = describedElement(value.type->element);
        return Ref<>::steal(element ? Py_BuildValue("(sOiCi)", "array", element.get(), value.type->ndim,
                                                    static_cast<int>(value.type->layout), value.type->readonly ? 1 : 0) : nullptr);
    }
    case ValueKind::kRecord: {
        Ref<> element = describedElement(value.type->element);
        return Ref<>::steal(element ? Py_BuildValue("(sO)", "record", element.get()) : nullptr);
    }
    case ValueKind::kTuple: {
        auto count = static_cast<Py_ssize_t>(value.items.size());
        Ref<> tuple = Ref<>::steal(PyTuple_New(count + 2));
        PyTuple_SET_ITEM(tuple.get(), 0, PyUnicode_FromString("tuple"));
        PyTuple_SET_ITEM(tuple.get(), 1, Py_NewRef(value.object ? value.object.get() : Py_None));
        for (Py_ssize_t i = 0; i < count; i++) {
            Ref<> item = describedType(value.items[static_cast<size_t>(i)]);
            if (!item) {
                return {};
            }
            PyTuple_SET_ITEM(tuple.get(), i + 2, item.release());
        }
        return tuple;
    }
    case ValueKind::kMember: {
        Ref<> item = describedType(value.items[0]);
        return Ref<>::steal(item ? Py_BuildValue("(sOO)", "enum", value.object.get(), item.get()) : nullptr);
    }
    case ValueKind::kText: return Ref<>::steal(Py_BuildValue("(sN)", "text", exactString(value.text).release()));
    case ValueKind::kObject: return Ref<>::steal(Py_BuildValue("(sO)", "object", value.object.get()));
    default: return Ref<>::borrow(Py_None);
    }
}

Ref<> describedTypes(const std::vector<Value>& values) {
    Ref<> tuple = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (size_t i = 0; tuple && i < values.size(); i++) {
        Ref<> item = describedType(values[i]);
        if (!item) {
            return {};
        }
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), item.release());
    }
    return tuple;
}

}  // namespace kiln::gpu
