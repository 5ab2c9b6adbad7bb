// The native entries of functions: what callers are compiled against, filled while the function has code.
#include <algorithm>

#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"

namespace kiln {
namespace {

bool looksUpAlike(const NativeFunction& native, const Callee& callee) {
    return native.globals == callee.globals && native.builtins == callee.builtins;
}

size_t parametersOf(const NativeFunction& native) {
    return native.arguments.size() - native.boxedParameters.size();
}

bool haveSameParameters(const NativeFunction& a, const NativeFunction& b) {
    return parametersOf(a) == parametersOf(b) && std::equal(a.arguments.begin(), a.arguments.begin() + static_cast<std::ptrdiff_t>(parametersOf(a)), b.arguments.begin());
}

bool takesAlike(const NativeFunction& native, const Callee& callee, const std::vector<ir::Type>& arguments, const std::vector<int>& boxed) {
    return looksUpAlike(native, callee) && native.arguments == arguments && native.boxedParameters == boxed;
}

// `NativeFunction::numbers` has no bits for more parameters.
void* boxedEntryOf(const CompiledRegion& region) {
    return parameterCount(region.code) <= static_cast<int>(kMostNativeParameters) ? region.boxedEntry : nullptr;
}

}  // namespace

bool fitsFunctionRoot(PyCodeObject* code) {
    return (code->co_flags & CO_OPTIMIZED) != 0;
}

int parameterCount(const PyCodeObject* code) {
    return code->co_argcount + code->co_kwonlyargcount + ((code->co_flags & CO_VARARGS) != 0) +
           ((code->co_flags & CO_VARKEYWORDS) != 0);
}

NativeFunction& JitEngine::entryOf(Root& root, const Callee& callee, const std::vector<ir::Type>& arguments,
                                   const std::vector<int>& boxed, ir::Type result) {
    for (const auto& native : root.natives) {
        if (takesAlike(*native, callee, arguments, boxed) && native->returnType == result) {
            return *native;
        }
    }
    NativeFunction& native = *root.natives.emplace_back(std::make_unique<NativeFunction>());
    native.globals = callee.globals;
    native.builtins = callee.builtins;
    native.arguments = arguments;
    native.boxedParameters = boxed;
    native.returnType = result;
    size_t parameters = arguments.size() - boxed.size();
    for (size_t index = 0; index < std::min(parameters, kMostNativeParameters); index++) {
        native.numbers |= arguments[index] != ir::Type::kObject ? uint64_t{1} << index : 0;
    }
    return native;
}

NativeFunction& JitEngine::entryOf(Root& root, const CompiledRegion& region) {
    return entryOf(root, region.callee(), region.region.argumentTypes, region.region.boxedParameters, region.region.returnType);
}

// The function is worth code, whatever a call from the interpreter costs.
void JitEngine::want(Root& root) {
    if (root.wanted) {
        return;
    }
    root.wanted = true;
    root.threshold = 0;  // it is weighed again
    root.settle();
    if (root.state == RootState::kBlacklisted && root.refusal == Refusal::k_small) {
        root.state = RootState::kCounting;
        root.refusal = Refusal::kNone;
        root.nextTry = root.count;
    }
    if (root.state == RootState::kCounting && fitsFunctionRoot(root.record->code)) {
        root.record->events |= KILN_EVENT_PY_START;  // it may not have been worth counting
        root.record->quieted = true;
        records_.rearmLater(*root.record);
    }
}

void JitEngine::wantCode(PyCodeObject* code) {
    if (fitsFunctionRoot(code) && !isSuspendable(code)) {
        want(records_.of(code).functionRoot());
    }
}

NativeFunction* JitEngine::nativeFunction(const Callee& callee, const std::vector<ir::Type>& arguments, const std::vector<int>& boxed,
                                          ir::Type expected) {
    Root& root = records_.of(callee.code).functionRoot();
    for (const auto& native : root.natives) {
        if (takesAlike(*native, callee, arguments, boxed) && native->owner != nullptr) {
            return native.get();
        }
    }
    want(root);
    bool hopeful = fitsFunctionRoot(callee.code) && root.state != RootState::kBlacklisted && mayCompileAgain(root);
    return hopeful ? &entryOf(root, callee, arguments, boxed, expected) : nullptr;
}

NativeFunction* JitEngine::anyCallable(Called called, size_t words) {
    size_t place = called == Called::kAnythingSpread ? 0 : words;
    if (anyCallables_.size() <= place) {
        anyCallables_.resize(place + 1);
    }
    std::unique_ptr<NativeFunction>& any = anyCallables_[place];
    if (any == nullptr) {
        any = std::make_unique<NativeFunction>();
        any->arguments.assign(words, ir::Type::kObject);
        any->called = called;
    }
    return any.get();
}

// Whatever it gives for a result.
bool JitEngine::hasCodeFor(const Root& root, const NativeFunction& wanted) {
    return std::any_of(root.natives.begin(), root.natives.end(), [&](const auto& native) {
        return native->owner != nullptr && native->globals == wanted.globals && native->builtins == wanted.builtins && haveSameParameters(*native, wanted);
    });
}

// The region is being compiled: callers that are built meanwhile may count on it.
void JitEngine::expectCode(Root& root, CompiledRegion& region) {
    NativeFunction& native = entryOf(root, region);
    if (native.owner == nullptr) {
        native.owner = &region;
    }
}

void JitEngine::fillEntries(Root& root, CompiledRegion& region) {
    NativeFunction& native = entryOf(root, region);
    native.owner = &region;
    native.entry = region.entry;
    native.boxedEntry = boxedEntryOf(region);
    for (const auto& other : root.natives) {
        if (other.get() != &native && other->owner == nullptr && looksUpAlike(*other, region.callee()) && haveSameParameters(*other, native)) {
            rebuildCallers(*other);  // they expect another result, or pass other objects
        }
    }
    settleCells(root);
}

// The region has better code. While the root is recorded, compiled callers come by the interpreter.
void JitEngine::replaceEntries(Root& root, const CompiledRegion& region, const void* before) {
    for (const auto& native : root.natives) {
        if (native->owner == &region) {
            native->entry = native->entry == before ? region.entry : native->entry;
            native->boxedEntry = boxedEntryOf(region);
        }
    }
    settleCells(root);
}

// Calls that were compiled against them go on through CPython.
void JitEngine::emptyEntries(Root& root, CompiledRegion& region) {
    for (const auto& native : root.natives) {
        if (native->owner == &region) {
            native->owner = nullptr;
            native->entry = nullptr;
            native->boxedEntry = nullptr;
        }
    }
    settleCells(root);
}

// A function's compiled callers come by the interpreter's entry.
void JitEngine::emptyCalls(Root& root) {
    for (const auto& native : root.natives) {
        native->entry = nullptr;
    }
}

// Done when the root is entered next, a function with arguments that fit: its compiled callers come by the interpreter's entry.
void JitEngine::requestRebuild(Root& root, const CompiledRegion* outdated) {
    root.rebuild = true;
    root.outdated = outdated;
    for (const auto& native : root.natives) {
        native->entry = outdated == nullptr || native->owner == outdated ? nullptr : native->entry;
    }
    settleCells(root);
}

// All code that a root has is called again, for whatever arguments, unless it is to be built anew.
void JitEngine::restoreCalls(Root& root) {
    for (const auto& native : root.natives) {
        if (native->owner != nullptr && !root.rebuild) {
            native->entry = static_cast<CompiledRegion*>(native->owner)->entry;
        }
    }
}

// The code that a root has is entered again: there will be no better one for now.
void JitEngine::resume(Root& root) {
    root.state = RootState::kCompiled;
    root.rebuild = false;
    root.outdated = nullptr;
    restoreCalls(root);
    settleCells(root);
}

// After whatever decides which code is entered first, and whether calls of the functions may go past the root.
void JitEngine::settleCells(Root& root) {
    bool asksRoot = root.rebuild || root.record->armed || root.versions.empty();
    for (const EntryCellRef& cell : root.cells) {
        auto enters = [&](const std::unique_ptr<NativeFunction>& native) {
            return native->boxedEntry != nullptr && native->globals == cell->globals && native->builtins == cell->builtins;
        };
        auto first = std::find_if(root.natives.begin(), root.natives.end(), enters);
        bool isOpen = !asksRoot && first != root.natives.end();
        cell->entry = isOpen ? reinterpret_cast<BoxedEntry>((*first)->boxedEntry) : nullptr;
        cell->numbers = isOpen ? (*first)->numbers : 0;
        cell->tier = root.versions.empty() ? ReportTier::kQuick : root.versions.front()->runningTier();
    }
}

void JitEngine::rebuildCallers(const NativeFunction& callee) {
    for (const auto& [region, root] : rootOf_) {
        const std::vector<const void*>& objects = region->region.objects;
        if (region->valid != 0 && mayCompileAgain(*root) && std::find(objects.begin(), objects.end(), &callee) != objects.end()) {
            requestRebuild(*root, region);
        }
    }
}

}  // namespace kiln
