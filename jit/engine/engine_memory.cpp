// What regions hold: nothing of the program's while they are valid; what their code may still touch, once thrown away.
#include "jit/engine/engine.h"
#include "jit/runtime/activation.h"

namespace kiln {

// The change that throws the region away may take the last reference to what it has for constant, and its code may still be
// on a stack.
void JitEngine::holdConstants(CompiledRegion& region) {
    if (NativeScope::newest() == nullptr || region.entry == nullptr) {
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
    if (NativeScope::newest() != nullptr) {
        replacedCode_.push_back(Ref<>::borrow(function->func_code));
    }
}

// Nothing enters the region any more. Touches no Python object.
void JitEngine::retire(CompiledRegion& region) {
    region.valid = 0;
    assumptions_.remove(region);
    rootOf_.erase(&region);
    retired_.push_back(&region);
}

// Code that was thrown away may still be on a stack, and so may the objects that it names: both are given up when no compiled
// code runs at all, in any thread. May run finalisers.
void JitEngine::releaseRetired() {
    if (NativeScope::newest() != nullptr) {
        return;
    }
    std::vector<void*> code;
    std::vector<std::unique_ptr<CompiledRegion>> released;
    for (CompiledRegion* region : std::exchange(retired_, {})) {
        if (region->codeHandle != nullptr) {
            code.push_back(region->codeHandle);
        }
        auto found = regions_.find(region);
        released.push_back(std::move(found->second));
        regions_.erase(found);
    }
    deadNatives_.clear();
    queue_.discard(std::move(code));
    std::vector<Ref<>> replaced = std::exchange(replacedCode_, {});
}

}  // namespace kiln
