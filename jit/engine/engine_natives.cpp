// The native entries of functions: what callers are compiled against, filled while the function has code.
#include <algorithm>

#include "jit/engine/engine.h"

namespace kiln {

bool fitsFunctionRoot(PyCodeObject* code) {
    return (code->co_flags & CO_OPTIMIZED) && code->co_ncellvars == 0 && code->co_nfreevars == 0;
}

NativeFunction& JitEngine::entryOf(Root& root, PyFunctionObject* function, const std::vector<ir::Type>& arguments,
                                   ir::Type result) {
    for (NativeFunction* native : root.natives) {
        if (native->function == function && native->arguments == arguments && native->returnType == result) {
            return *native;
        }
    }
    NativeFunction& native = natives_.emplace_back();
    native.function = function;
    native.arguments = arguments;
    native.returnType = result;
    root.natives.push_back(&native);
    return native;
}

NativeFunction* JitEngine::nativeFunction(PyFunctionObject* function, const std::vector<ir::Type>& arguments,
                                          ir::Type expected) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    Root& root = recordOf(code)->functionRoot();
    for (NativeFunction* native : root.natives) {
        if (native->function == function && native->arguments == arguments && native->owner != nullptr) {
            return native;
        }
    }
    bool hopeful = fitsFunctionRoot(code) && root.state != RootState::kBlacklisted && mayCompileAgain(root);
    return hopeful ? &entryOf(root, function, arguments, expected) : nullptr;
}

// The region is being compiled: callers that are built meanwhile may count on it.
void JitEngine::expectCode(Root& root, CompiledRegion& region) {
    NativeFunction& native = entryOf(root, region.function, region.region.argumentTypes, region.region.returnType);
    if (native.owner == nullptr) {
        native.owner = &region;
    }
}

void JitEngine::fillEntries(Root& root, CompiledRegion& region) {
    NativeFunction& native = entryOf(root, region.function, region.region.argumentTypes, region.region.returnType);
    native.owner = &region;
    native.entry = region.entry;
    native.boxedEntry = region.boxedEntry;
    for (const NativeFunction* other : root.natives) {
        if (other != &native && other->owner == nullptr && other->function == native.function &&
            other->arguments == native.arguments) {
            rebuildCallers(*other);  // they expect another result
        }
    }
}

// Calls that were compiled against them go on through CPython.
void JitEngine::emptyEntries(Root& root, CompiledRegion& region) {
    for (NativeFunction* native : root.natives) {
        if (native->owner == &region) {
            native->owner = nullptr;
            native->entry = nullptr;
            native->boxedEntry = nullptr;
        }
    }
}

// Done when the root is entered next. A function's compiled callers come by the interpreter's entry until then.
void JitEngine::requestRebuild(Root& root) {
    root.rebuild = true;
    for (NativeFunction* native : root.natives) {
        native->entry = nullptr;
    }
}

void JitEngine::rebuildCallers(const NativeFunction& callee) {
    for (const auto& [region, root] : rootOf_) {
        const std::vector<const void*>& objects = region->region.objects;
        if (region->valid != 0 && mayCompileAgain(*root) && std::find(objects.begin(), objects.end(), &callee) != objects.end()) {
            requestRebuild(*root);
        }
    }
}

}  // namespace kiln
