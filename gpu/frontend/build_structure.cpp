// Elements of arrays that are values of types which the program adds (numba/structures.py): records of their members.
#include "gpu/frontend/build_structure.h"

#include <algorithm>
#include <map>

#include "gpu/frontend/build_records.h"
#include "gpu/frontend/object_text.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

// By the class of the values, which is held.
std::map<PyObject*, const Type*>& knownStructures() {
    static auto* known = new std::map<PyObject*, const Type*>;  // for ever: no reference is given back at exit
    return *known;
}

// One by its name, or a type of the program's.
const Type* memberType(PyObject* kind) {
    return PyUnicode_Check(kind) ? scalarNamed(textOrEmpty(kind)) : structureOf(kind);
}

// (class, ((name, type), ...)), as structures.parts_of() has it: members one after another, each where it is aligned.
const Type* readStructure(const std::string& name, PyObject* members) {
    std::vector<Field> fields;
    int64_t end = 0;
    int most = 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(members); i++) {
        PyObject* label = nullptr;
        PyObject* kind = nullptr;
        const Type* type =
            PyArg_ParseTuple(PyTuple_GET_ITEM(members, i), "UO", &label, &kind) ? memberType(kind) : nullptr;
        if (type == nullptr) {
            return nullptr;
        }
        int alignment = type->isComplex() ? type->bytes() / 2 : type->alignment;
        int64_t offset = (end + alignment - 1) / alignment * alignment;
        fields.push_back({exactText(label), type, {}, offset});
        end = offset + type->bytes();
        most = std::max(most, alignment);
    }
    return structureType(name, std::move(fields), std::max<int64_t>((end + most - 1) / most * most, 1), most);
}

}  // namespace

const Type* structureOf(PyObject* kind) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.structures"));
    Ref<> parts = Ref<>::steal(module ? PyObject_CallMethod(module.get(), "parts_of", "O", kind) : nullptr);
    PyObject* values = nullptr;
    PyObject* members = nullptr;
    if (!parts || !PyArg_ParseTuple(parts.get(), "OO!", &values, &PyTuple_Type, &members)) {
        return nullptr;
    }
    auto found = knownStructures().find(values);
    if (found != knownStructures().end()) {
        return found->second;
    }
    const Type* type = readStructure(textAttribute(values, "__name__"), members);
    if (type != nullptr) {
        knownStructures()[Py_NewRef(values)] = type;
    }
    return type;
}

const Type* structureNamedBy(FunctionBuilder& build, const Node& node, const Value& type) {
    Ref<> module = Ref<>::steal(type.kind == ValueKind::kObject ? PyImport_ImportModule("numba.structures") : nullptr);
    Ref<> isOne =
        Ref<>::steal(module ? PyObject_CallMethod(module.get(), "is_structure", "O", type.object.get()) : nullptr);
    PyErr_Clear();
    const Type* found = isOne.get() == Py_True ? structureOf(type.object.get()) : nullptr;
    if (found == nullptr && PyErr_Occurred() != nullptr) {
        build.fail(node, takeMessage());
    }
    return found;
}

PyObject* classOfStructure(const Type* record) {
    for (const auto& [values, type] : knownStructures()) {
        if (type == record) {
            return values;
        }
    }
    return nullptr;
}

Value loadStructure(FunctionBuilder& build, const Node& node, const Value& record) {
    Value tuple = Value::tuple({}, Ref<>::borrow(classOfStructure(record.type->element)));
    for (const Field& field : record.type->element->fields) {
        Value member = load(build, fieldPlace(build, node, record, field));
        tuple.items.push_back(member.isRecord() ? loadStructure(build, node, member) : member);
    }
    return tuple;
}

void storeStructure(FunctionBuilder& build, const Node& node, const Value& record, const Value& value) {
    const Type* type = record.type->element;
    if (value.kind != ValueKind::kTuple || value.object.get() != classOfStructure(type)) {
        build.fail(node, describe(value) + " cannot be assigned to " + describe(record));
        return;
    }
    for (size_t i = 0; i < type->fields.size(); i++) {
        store(build, fieldPlace(build, node, record, type->fields[i]), value.items[i]);
    }
}

}  // namespace kiln::gpu
