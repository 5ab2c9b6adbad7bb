#include "jit/frontend/bound_methods.h"

#include <utility>

#include "jit/frontend/build_indirect_call.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_spread_calls.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// As `random.randint`, which the module holds: what it leads to lives as long as it does.
bool isKnownMethod(const AbstractValue& value) {
    return value.kind == Kind::kConstant && value.value == ir::kNoId && Py_IS_TYPE(value.constant, &PyMethod_Type) &&
           PyFunction_Check(PyMethod_GET_FUNCTION(value.constant));
}

bool isVirtualMethod(const AbstractValue& value) {
    return value.kind == Kind::kMethod && value.parts[0].kind == Kind::kConstant;
}

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

bool unbindMethod(RegionBuilder& b, int arguments, const Site& site) {
    AbstractValue bound = b.top(arguments);
    if (isKnownMethod(bound)) {
        b.top(arguments + 1) = AbstractValue::constantObject(PyMethod_GET_FUNCTION(bound.constant));
        b.top(arguments) = AbstractValue::constantObject(PyMethod_GET_SELF(bound.constant));
    } else if (isVirtualMethod(bound)) {
        b.top(arguments + 1) = std::move(bound.parts[0]);
        b.top(arguments) = std::move(bound.parts[1]);
    } else if (site.rights.only() == &PyMethod_Type && !site.generic && bound.kind == Kind::kObject) {
        unbindObject(b, arguments);
    } else {
        return false;
    }
    goOnFromHere(b);
    return true;
}

void unbindSpread(RegionBuilder& b, const BytecodeInstruction& in) {
    int keywords = in.oparg & 1;
    if (!unbindMethod(b, keywords + 1, b.siteOf(in))) {
        return;
    }
    AbstractValue names = keywords != 0 ? b.pop() : AbstractValue::null();
    std::vector<AbstractValue> items;
    takeItems(b, items);
    items.insert(items.begin(), b.pop());
    AbstractValue function = b.pop();
    b.push(AbstractValue::null());
    b.push(std::move(function));
    b.push(virtualObject(b, Kind::kTuple, std::move(items)));
    if (keywords != 0) {
        b.push(std::move(names));
    }
    goOnFromHere(b);
}

}  // namespace kiln
