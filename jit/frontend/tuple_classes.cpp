#include "jit/frontend/tuple_classes.h"

#include <utility>

#include "interp/instance_classes.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// A class of the program's whose instances are tuples, and give their items as tuples do.
bool isTupleClass(PyTypeObject* cls) {
    return cls != nullptr && ObservedClasses::instance().mayRelyOn(cls) && baseOfPlainInstances(cls) == &PyTuple_Type &&
           cls->tp_iter == PyTuple_Type.tp_iter && cls->tp_as_mapping->mp_subscript == PyTuple_Type.tp_as_mapping->mp_subscript;
}

}  // namespace

bool knowTupleClass(RegionBuilder& b, int below, const ClassSet& seen) {
    const AbstractValue& value = b.top(below);
    PyTypeObject* cls = value.cls != nullptr ? value.cls : seen.only();
    if (value.kind != Kind::kObject || !isTupleClass(cls)) {
        return false;
    }
    if (value.cls == nullptr) {
        b.guardClass(value.value, cls, ExitReason::k_type);
        markClass(b, value.value, cls);
    }
    dependOn(b, cls);
    return true;
}

void loadField(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access, bool method) {
    Id tuple = b.top().value;
    Id length = b.emit(ir::Op::k_load_field, {tuple}, static_cast<int64_t>(Field::k_ob_size));
    Id index = b.constInt(access.offset);
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_lt, {index, length})}, ExitReason::k_attribute);
    pushLent(b, in, b.emit(ir::Op::k_tuple_item, {tuple, index}), method);
}

bool newTuple(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls) {
    if (cls == nullptr || b.top().kind != Kind::kTuple || baseOfPlainInstances(cls) != &PyTuple_Type) {
        return false;
    }
    dependOn(b, cls);
    Id object = objectOfParts(b, b.top(), Helper::k_new_tuple, {b.constObject(reinterpret_cast<PyObject*>(cls))});
    finishCall(b, in, 4, AbstractValue::object(object, cls, true));
    return true;
}

}  // namespace kiln
