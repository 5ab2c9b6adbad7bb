// What regions rely on and hold: watched while they are valid, given up when they are thrown away.
#include "jit/engine/engine.h"
#include "jit/runtime/activation.h"

namespace kiln {
namespace {

template <typename Map, typename Key>
void removeFrom(Map& regions, const Key& key, CompiledRegion* region) {
    auto found = regions.find(key);
    if (found != regions.end() && std::erase(found->second, region) != 0 && found->second.empty()) {
        regions.erase(found);
    }
}

}  // namespace

void JitEngine::watch(CompiledRegion& region) {
    for (const NameDependency& name : region.dependencies) {
        if (watchedDicts_.insert(name.dict).second && PyDict_Watch(dictWatcher_, name.dict) != 0) {
            PyErr_Clear();
        }
        byName_[{name.dict, name.key}].push_back(&region);
    }
    for (PyFunctionObject* function : region.functions) {
        byFunction_[function].push_back(&region);
    }
    for (PyTypeObject* cls : region.classes) {
        byClass_[cls].push_back(&region);
    }
}

void JitEngine::unwatch(const CompiledRegion& region) {
    auto* address = const_cast<CompiledRegion*>(&region);
    for (const NameDependency& name : region.dependencies) {
        removeFrom(byName_, std::pair(name.dict, name.key), address);
    }
    for (PyFunctionObject* function : region.functions) {
        removeFrom(byFunction_, function, address);
    }
    for (PyTypeObject* cls : region.classes) {
        removeFrom(byClass_, cls, address);
    }
}

// The change that throws the region away may take the last reference to what it has for constant, and its code may still be
// on a stack.
void JitEngine::holdConstants(CompiledRegion& region) {
    if (NativeScope::newest() == nullptr) {
        return;
    }
    for (const NameDependency& name : region.dependencies) {
        if (name.value != nullptr) {
            region.keptAlive.push_back(Ref<>::borrow(name.value));
        }
    }
}

// Nothing enters the region any more. Touches no Python object.
void JitEngine::retire(CompiledRegion& region) {
    region.valid = 0;
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
        unwatch(*region);
        if (region->codeHandle != nullptr) {
            code.push_back(region->codeHandle);
        }
        auto found = regions_.find(region);
        released.push_back(std::move(found->second));
        regions_.erase(found);
    }
    queue_.discard(std::move(code));
}

}  // namespace kiln
