// UNPACK_EX: `first, *rest = items`.
#include <opcode.h>

#include "jit/frontend/build_container.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr int kBeforeBits = 8;

// The helper's tuple is nobody else's: the entries take what is in it.
void pushParts(RegionBuilder& b, Id parts, int before, int count) {
    pushItems(b, parts, count, false);
    b.top(before).cls = &PyList_Type;
}

}  // namespace

bool unpackWithRest(RegionBuilder& b, const BytecodeInstruction& in) {
    int before = in.oparg & ((1 << kBeforeBits) - 1);
    int after = in.oparg >> kBeforeBits;
    takeConstantSequence(b, 0);
    if (b.top().kind == Kind::kTuple) {
        boxEntry(b, 0);
    }
    knowSequence(b, b.siteOf(in).receivers);
    if (b.top().kind != Kind::kObject) {
        return false;
    }
    bool plain = b.top().cls == &PyList_Type || b.top().cls == &PyTuple_Type;
    std::vector<Id> operands = {b.constInt(before), b.constInt(after), b.top().value};
    if (plain && !b.siteOf(in).generic) {
        Id parts = makePlain(b, Helper::k_plain_unpack_rest, std::move(operands));
        AbstractValue sequence = b.pop();
        pushParts(b, parts, before, before + 1 + after);
        b.emit(ir::Op::k_decref_unpacked, {parts});
        release(b, std::move(sequence));
        b.state().frame().unit = in.next;
        return true;
    }
    Id version = beforeOpaque(b, "UNPACK_EX");
    if (b.stopped()) {
        return true;
    }
    ir::SnapshotId raise = b.raising();
    asCallee(b, b.unit() + 1, [&] {
        Id parts = b.emitExitingAt(ir::Op::k_opaque_object, std::move(operands), raise, static_cast<int64_t>(Helper::k_unpack_rest));
        releaseTop(b, 1);
        pushParts(b, parts, before, before + 1 + after);
        b.emit(ir::Op::k_drop, {parts});
    });
    b.state().frame().unit = in.next;
    afterOpaque(b, version);
    return true;
}

}  // namespace kiln
