// Roots that are hot because what they contain is: loops inside of loops, and the loops of generators.
#include <opcode.h>

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

// It has been hot for a while, and nobody has called it since: perhaps nobody will, as where a script calls it once.
bool awaitsCall(Root& function) {
    return function.state == RootState::kCounting && isHot(function);
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

// Such a loop is compiled with the code that takes its items: its rounds count as that code's, until it is compiled or refused. Where
// there is no such code, none that is run again, or none that becomes hot, the loop is compiled by itself, unless it yields in the rounds that are recorded
// (yieldsOften).
bool JitEngine::isConsumersWork(Root& root, KilnFrame* frame) {
    if (isAsynchronous(root.record->code)) {
        refuse(root, Refusal::k_generator, "", PyCode_Addr2Line(root.record->code, root.unit * 2));
        return true;
    }
    uint64_t step = threshold(root);
    constexpr int kMostDeferrals = 8;  // such code takes long to become hot where it is a chain of generators, and counting costs all the time
    if (root.deferrals == kMostDeferrals || !warmConsumer(frame, step)) {
        return false;
    }
    root.deferrals++;
    root.nextTry = root.count + step;
    // For the report, as long as it is so.
    root.refusal = Refusal::k_generator;
    root.refusalLine = PyCode_Addr2Line(root.record->code, root.unit * 2);
    return true;
}

// In more than one of eight rounds that were recorded: then there is little to be done between two ways in.
bool JitEngine::yieldsOften(const Root& root) {
    constexpr uint32_t kRoundsForYield = 8;
    if (root.kind == RootKind::kFunction || !root.yields()) {
        return false;
    }
    CodeProfile& profile = root.record->profile();
    const BytecodeLoop* loop = profile.bytecode().loopAt(root.unit);
    uint32_t rounds = profile.site(loop->header).executed;
    return std::ranges::any_of(profile.bytecode().instructions(), [&](const BytecodeInstruction& in) {
        return in.opcode == YIELD_VALUE && loop->contains(in.unit) && profile.site(in.unit).executed * kRoundsForYield > rounds;
    });
}

// False when nothing counts them.
bool JitEngine::warmConsumer(KilnFrame* generator, uint64_t rounds) {
    KilnFrame* frame = kiln_frame_caller(generator);
    PyCodeObject* code = frame != nullptr ? kiln_frame_code(frame) : nullptr;
    if (code == nullptr || isAsynchronous(code)) {
        return false;
    }
    CodeRecord& record = records_.of(code);
    bool counts = false;
    if (!isSuspendable(code) && fitsFunctionRoot(code)) {
        if ((record.events & KILN_EVENT_PY_START) == 0) {
            want(record.functionRoot());
        }
        counts = !awaitsCall(record.functionRoot()) && warm(record.functionRoot(), rounds);
    }
    for (const BytecodeLoop& loop : record.profile().bytecode().loops()) {
        bool isHere = loop.contains(kiln_frame_last_unit(frame));
        counts = (isHere && warm(record.loopRoot(loop.header), rounds)) || counts;
    }
    return counts;
}

}  // namespace kiln
