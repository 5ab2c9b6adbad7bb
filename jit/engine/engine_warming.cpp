// Roots that are hot because what they contain is: loops inside of loops, and the loops of generators.
#include <algorithm>

#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"

namespace kiln {
namespace {

void warm(Root& root, uint64_t events) {
    if (root.state == RootState::kCounting) {
        root.settle();
        root.count += std::max<uint64_t>(events, 1);
        grantUntilHot(root);
    }
}

}  // namespace

// An inner loop that is entered often means that the loops around it are hot.
void JitEngine::warmEnclosing(CodeRecord& record, int unit) {
    constexpr uint64_t kShare = 25;
    const Bytecode& bytecode = record.profile().bytecode();
    const BytecodeLoop* inner = bytecode.loopAt(unit);
    for (const BytecodeLoop& loop : bytecode.loops()) {
        if (inner != nullptr && loop.isAround(*inner)) {
            Root& outer = record.loopRoot(loop.header);
            warm(outer, threshold(outer) / kShare);
        }
    }
}

// Such a loop is compiled with the code that takes its items: its rounds count as that code's. It has none where CPython takes them
// in one call that began with the program.
void JitEngine::countYielding(Root& root, KilnFrame* frame) {
    constexpr uint64_t kMostSteps = 128;
    uint64_t step = threshold(root);
    uint64_t next = std::max(step, root.nextTry);
    if (root.count < next) {
        root.grant(next > root.count + 1 ? next - root.count - 1 : 0);
        return;
    }
    warmConsumer(frame, step);
    root.nextTry = root.count + step;
    if (root.count > kMostSteps * step) {
        refuse(root, Refusal::k_generator, "", PyCode_Addr2Line(root.record->code, root.unit * 2));
    }
}

void JitEngine::warmConsumer(KilnFrame* generator, uint64_t rounds) {
    KilnFrame* frame = kiln_frame_caller(generator);
    PyCodeObject* code = frame != nullptr ? kiln_frame_code(frame) : nullptr;
    if (code == nullptr || isSuspendable(code)) {
        return;
    }
    CodeRecord& record = records_.of(code);
    for (const BytecodeLoop& loop : record.profile().bytecode().loops()) {
        if (loop.contains(kiln_frame_last_unit(frame))) {
            warm(record.loopRoot(loop.header), rounds);
        }
    }
    if (fitsFunctionRoot(code)) {
        warm(record.functionRoot(), rounds);
    }
}

}  // namespace kiln
