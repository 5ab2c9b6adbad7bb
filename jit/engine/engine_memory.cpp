// What regions hold: nothing of the program's while they are valid; what their code may still touch, once thrown away.
#include "jit/engine/engine.h"
#include "jit/runtime/native_scope.h"

namespace kiln {

// The change that throws the region away may take the last reference to what it has for constant, and its code may still be
// on a stack.
void JitEngine::holdConstants(CompiledRegion& region) {
    // A function's code is called by other code too, which does not count.
    bool mayRun = region.region.isFunction ? region.entry != nullptr && oldestStay() != nextStay() : region.running > 0;
    if (!mayRun) {
        return;
    }
    auto hold = [&](PyObject* object) {
        if (object != nullptr) {
            region.keptAlive.push_back(Ref<>::borrow(object));
        }
    };
    for (const NameDependency& name : region.dependencies) {
        hold(name.value);
    }
    for (PyFunctionObject* function : region.functions) {
        hold(reinterpret_cast<PyObject*>(function));
        hold(function->func_defaults);
        hold(function->func_kwdefaults);
    }
}

// Compiled code that runs for the function leaves to the frames of the code that it was compiled from.
void JitEngine::holdCode(PyFunctionObject* function) {
    if (oldestStay() != nextStay()) {
        retired_.add(Ref<>::borrow(function->func_code));
    }
}

std::vector<CompiledRegion*> JitEngine::allRegions() const {
    std::vector<CompiledRegion*> all;
    for (const auto& [address, region] : regions_) {
        all.push_back(address);
    }
    return all;
}

// Nothing enters the region any more. Touches no Python object.
void JitEngine::retire(CompiledRegion& region) {
    region.valid = 0;
    region.paused = false;
    assumptions_.remove(region);
    rootOf_.erase(&region);
    auto found = regions_.find(&region);
    retired_.add(std::move(found->second));
    regions_.erase(found);
}

void JitEngine::releaseRetired() {
    if (std::vector<void*> code = retired_.release(); !code.empty()) {
        queue_.discard(std::move(code));
    }
}

void JitEngine::beforeFork() {
    queue_.beforeFork();
    if (session_.root != nullptr) {
        requestAttention();
    }
}

// Nothing of the parent's other threads goes on here. Machine code of a compiler that was at work stays for ever.
void JitEngine::afterForkInChild() {
    forked_ = true;
    if (queue_.afterForkInChild()) {
        for (const auto& [address, region] : regions_) {
            region->codeHandle = nullptr;
        }
        retired_.forgetMachineCode();
    }
    if (PyThreadState* thread = _PyThreadState_UncheckedGet()) {
        endStaysOfOthers(thread);
        kiln_keep_waiting_values_of_all();
    }
}

}  // namespace kiln
