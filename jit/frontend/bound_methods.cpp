#include "jit/frontend/bound_methods.h"

#include <utility>

#include "jit/frontend/build_indirect_call.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

void unbindObject(RegionBuilder& b, int arguments) {
    AbstractValue bound = b.top(arguments);
    b.guardClass(bound.value, &PyMethod_Type, ExitReason::k_callee);
    Id function = b.emit(ir::Op::k_load_reference, {bound.value}, static_cast<int64_t>(Field::k_method_function));
    Id self = b.emit(ir::Op::k_load_reference, {bound.value}, static_cast<int64_t>(Field::k_method_self));
    b.emit(ir::Op::k_incref, {function});
    b.emit(ir::Op::k_incref, {self});
    b.top(arguments + 1) = AbstractValue::object(function, nullptr, true);
    b.top(arguments) = AbstractValue::object(self, nullptr, true);
    release(b, std::move(bound));
}

}  // namespace

void bindTop(RegionBuilder& b, const BytecodeInstruction& in, PyObject* function) {
    b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(function));
    if (b.top().isVirtual()) {
        boxEntry(b, 0);
    }
    own(b, b.top());
    AbstractValue instance = b.pop();
    AbstractValue method = heldConstant(b, AbstractValue::constantObject(function));
    b.push(virtualObject(b, Kind::kMethod, {std::move(method), std::move(instance)}));
    b.state().frame().unit = in.next;
}

// One that is a constant, as `random.randint`, is held by its module: what it leads to lives as long as it does.
std::optional<BoundParts> partsOfMethod(const AbstractValue& entry) {
    if (entry.kind == Kind::kMethod && entry.parts[0].kind == Kind::kConstant) {
        return BoundParts{entry.parts[0], entry.parts[1]};
    }
    bool isKnown = entry.kind == Kind::kConstant && entry.value == ir::kNoId && Py_IS_TYPE(entry.constant, &PyMethod_Type) &&
                   PyFunction_Check(PyMethod_GET_FUNCTION(entry.constant));
    return isKnown ? std::optional(BoundParts{AbstractValue::constantObject(PyMethod_GET_FUNCTION(entry.constant)),
                                              AbstractValue::constantObject(PyMethod_GET_SELF(entry.constant))})
                   : std::nullopt;
}

bool unbindMethod(RegionBuilder& b, int arguments, const Site& site) {
    AbstractValue bound = b.top(arguments);
    if (std::optional<BoundParts> parts = partsOfMethod(bound)) {
        b.top(arguments + 1) = std::move(parts->function);
        b.top(arguments) = std::move(parts->instance);
    } else if (site.rights.only() == &PyMethod_Type && !site.generic && bound.kind == Kind::kObject) {
        unbindObject(b, arguments);
    } else {
        return false;
    }
    goOnFromHere(b);
    return true;
}

}  // namespace kiln
