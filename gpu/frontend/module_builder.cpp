// What the functions of one kernel share while they are built.
#include "gpu/frontend/module_builder.h"
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

std::string ModuleBuilder::uniqueName(const std::string& name, uint32_t index) const {
    std::string unique;
    for (char c : name) {
        unique += static_cast<unsigned char>(c) < 128 ? std::string(1, c) : "_u";
    }
    for (const auto& function : module->functions) {
        if (function->name == unique) {
            return unique + "_" + std::to_string(index);
        }
    }
    return unique;
}

void ModuleBuilder::note(PyObject* holder, PyObject* name, PyObject* value) {
    bool isKnown = std::any_of(bindings.begin(), bindings.end(), [&](const Binding& other) {
        return other.holder.get() == holder && other.name.get() == name;
    });
    if (isLoop && !isKnown) {
        bindings.push_back({Ref<>::borrow(holder), Ref<>::borrow(name), Ref<>::borrow(value)});
    }
}

void ModuleBuilder::noteResult(uint32_t index, const Value& result) {
    for (Callee& callee : callees) {
        if (callee.index == index && !callee.finished && !callee.isAssumed) {
            callee.result = result;
            callee.hasResult = true;
        }
    }
}

bool ModuleBuilder::isUsedAgain(const Value& value) const {
    bool isOwn = isLoop && value.isArray() && value.type->space == Space::kLocal && value.id != scratch;
    return isOwn ||
           std::any_of(value.items.begin(), value.items.end(), [&](const Value& item) { return isUsedAgain(item); });
}

}  // namespace kiln::gpu
