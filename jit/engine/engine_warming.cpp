// Roots that are hot because what they contain is: loops inside of loops, and the loops of generators.
#include <algorithm>

#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"

namespace kiln {
namespace {

// True while it is not hot yet.
bool warm(Root& root, uint64_t events) {
    if (root.state == RootState::kCounting) {
        root.settle();
        root.count += std::max<uint64_t>(events, 1);
        grantUntilHot(root);
    }
    return root.state == RootState::kCounting || root.state == RootState::kRecording;
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

// Such a loop is compiled with the code that takes its items: its rounds count as that code's, until it is compiled or refused.
void JitEngine::countYielding(Root& root, KilnFrame* frame) {
    uint64_t step = threshold(root);
    root.nextTry = root.count + step;
    // For the report, as long as it is so.
    root.refusal = Refusal::k_generator;
    root.refusalLine = PyCode_Addr2Line(root.record->code, root.unit * 2);
    if (!warmConsumer(frame, step)) {
        refuse(root, Refusal::k_generator, "", root.refusalLine);
    }
}

// False when nothing counts them.
bool JitEngine::warmConsumer(KilnFrame* generator, uint64_t rounds) {
    KilnFrame* frame = kiln_frame_caller(generator);
    PyCodeObject* code = frame != nullptr ? kiln_frame_code(frame) : nullptr;
    if (code == nullptr || isSuspendable(code)) {
        return false;
    }
    CodeRecord& record = records_.of(code);
    bool counts = fitsFunctionRoot(code) && warm(record.functionRoot(), rounds);
    for (const BytecodeLoop& loop : record.profile().bytecode().loops()) {
        bool isHere = loop.contains(kiln_frame_last_unit(frame));
        counts = (isHere && warm(record.loopRoot(loop.header), rounds)) || counts;
    }
    return counts;
}

}  // namespace kiln
