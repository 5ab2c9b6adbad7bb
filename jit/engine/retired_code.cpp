#include "jit/engine/retired_code.h"

#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/runtime/native_scope.h"

namespace kiln {

void RetiredCode::add(std::unique_ptr<CompiledRegion> region) {
    kept_.push_back({.stay = nextStay(), .region = std::move(region)});
}

void RetiredCode::add(std::unique_ptr<NativeFunction> native) {
    kept_.push_back({.stay = nextStay(), .native = std::move(native)});
}

void RetiredCode::add(Ref<> code) {
    kept_.push_back({.stay = nextStay(), .code = std::move(code)});
}

void RetiredCode::addMachineCode(void* handle) {
    kept_.push_back({.stay = nextStay(), .machineCode = handle});
}

std::vector<void*> RetiredCode::release() {
    std::vector<Kept> unused;
    auto isInUse = [](const Kept& kept) { return kept.stay > oldestStay() || (kept.region && kept.region->improving); };
    for (; !kept_.empty() && !isInUse(kept_.front()); kept_.pop_front()) {
        unused.push_back(std::move(kept_.front()));
    }
    std::vector<void*> code;
    for (const Kept& kept : unused) {
        if (kept.region && kept.region->codeHandle != nullptr) {
            code.push_back(kept.region->codeHandle);
        }
        if (kept.machineCode != nullptr) {
            code.push_back(kept.machineCode);
        }
    }
    PyThreadState* thread = PyThreadState_Get();
    int tracing = kiln_tracing_suspend(thread);  // of a callback's: another greenlet would not take it back
    unused.clear();
    kiln_tracing_restore(thread, tracing);
    return code;
}

void RetiredCode::releaseObjects() {
    for (size_t index = 0; index < kept_.size() && kept_[index].stay <= oldestStay(); index++) {
        Ref<> code = std::move(kept_[index].code);
        if (CompiledRegion* region = kept_[index].region.get()) {
            std::vector<Ref<>> released = std::exchange(region->keptAlive, {});
        }
    }
}

void RetiredCode::forgetMachineCode() {
    for (Kept& kept : kept_) {
        kept.machineCode = nullptr;
        if (kept.region) {
            kept.region->codeHandle = nullptr;
        }
    }
}

}  // namespace kiln
