// What the report is made from.
#include "interp/config.h"
#include "interp/python_text.h"
#include "jit/engine/engine.h"
#include "jit/runtime/native_scope.h"
#include "profiler/observed_callees.h"

namespace kiln {
namespace {

RootStatistics describe(const Root& root, const NativeCounters& counters, PyCodeObject* code) {
    RootStatistics s;
    s.kind = root.kind;
    s.state = root.state;
    s.unit = root.unit;
    s.line = root.kind == RootKind::kFunction ? code->co_firstlineno : PyCode_Addr2Line(code, root.unit * 2);
    s.interpreted = root.interpreted;
    s.native = counters.at(root.counter);
    s.compiles = root.compiles;
    s.compileMs = root.compileMs;
    s.firstMs = root.firstMs;
    if (root.refusal != Refusal::kNone) {
        s.refusal = info(root.refusal).code;
        s.refusalLine = root.refusalLine;
        s.refusalDetail = root.refusalDetail;
    }
    s.exits = root.oldExits;
    s.opaque = root.opaque;
    return s;
}

// Code whose reason is known without counting.
RootStatistics describeUncounted(PyCodeObject* code) {
    RootStatistics s;
    s.kind = RootKind::kFunction;
    s.state = RootState::kBlacklisted;
    s.line = s.refusalLine = code->co_firstlineno;
    s.refusal = info(Refusal::k_generator).code;
    return s;
}

}  // namespace

CodeStatistics JitEngine::statisticsOf(CodeRecord* record) {
    record->settleAll();
    CodeStatistics s;
    s.qualifiedName = textOf(record->code->co_qualname);
    s.file = textOf(record->code->co_filename);
    s.firstLine = record->code->co_firstlineno;
    s.callsInterpreted = record->callsInterpreted();
    auto add = [&](Root& root) {
        for (CompiledRegion* region : root.versions) {
            keepExits(root, *region);
        }
        s.roots.push_back(describe(root, counters_, record->code));
    };
    if (record->function) {
        add(*record->function);
        s.callsNative = s.roots.back().native;
    }
    for (auto& [unit, root] : record->loops) {
        add(*root);
    }
    if (record->events == 0 && isSuspendable(record->code)) {
        s.roots.push_back(describeUncounted(record->code));
    }
    return s;
}

std::vector<CodeStatistics> JitEngine::statistics() {
    std::vector<CodeStatistics> all = dead_;
    for (CodeRecord* record : records_.all()) {
        all.push_back(statisticsOf(record));
    }
    return all;
}

void JitEngine::forget(Root& root) {
    if (session_.root == &root) {
        session_.root = nullptr;
        session_.extends = false;
        requestAttention();  // what was armed for it still is
    }
    for (CompiledRegion* region : std::exchange(root.versions, {})) {
        if (region->improving) {
            queue_.withdraw(*region);
        }
        retire(*region);
    }
    if (root.pending != nullptr) {
        root.pending->valid = 0;
        assumptions_.remove(*root.pending);
        rootOf_.erase(root.pending);  // adopt() sees it
        queue_.withdraw(*root.pending);
    }
    assumptions_.forget(root);
    for (std::unique_ptr<NativeFunction>& native : root.natives) {
        *native = {.arguments = native->arguments, .returnType = native->returnType};
        retired_.add(std::move(native));
    }
}

// The code object is being freed: nothing can run in its regions any more, nor be entered.
void JitEngine::codeDestroyed(CodeRecord* record) {
    if (!records_.all().contains(record)) {
        return;  // another user of code extras stored something else in our place
    }
    if (config().reports && record->callsInterpreted() + record->loops.size() > 0) {
        dead_.push_back(statisticsOf(record));
    }
    invalidateAll(assumptions_.ofCode(record->code));
    if (record->function) {
        forget(*record->function);
    }
    for (auto& [unit, root] : record->loops) {
        forget(*root);
    }
    counters_.codeDestroyed(record->code);
    ObservedCallees::instance().codeDestroyed(record->code);
    records_.destroy(record);
}

}  // namespace kiln
