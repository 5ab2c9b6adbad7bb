#include "jit/frontend/build_properties.h"

#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/called_function.h"

namespace kiln {

bool callProperty(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, PyObject* getter) {
    auto* function = reinterpret_cast<PyFunctionObject*>(getter);
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    if (!takesOnly(code, 1) || rebinds(b, code, 0) || !shouldInline(b, Callee::of(function))) {
        return false;
    }
    b.result().functions.push_back(function);
    dependOnAttribute(b, b.top().cls, name);
    inlineCall(b, in, CalledFunction::of(function), {b.top()}, 1);
    return true;
}

bool storeProperty(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, PyObject* setter) {
    auto* function = reinterpret_cast<PyFunctionObject*>(setter);
    if (!takesOnly(reinterpret_cast<PyCodeObject*>(function->func_code), 2) || !shouldInline(b, Callee::of(function))) {
        return false;
    }
    b.result().functions.push_back(function);
    dependOnAttribute(b, b.top().cls, name);
    settle(b, 1);
    inlineCall(b, in, CalledFunction::of(function), lent({b.top(0), b.top(1)}), 0, {.use = ResultUse::k_stored});
    return true;
}

}  // namespace kiln
