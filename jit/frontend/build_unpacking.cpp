// UNPACK_EX: `first, *rest = items`.
#include <opcode.h>

#include "jit/frontend/build_container.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr int kBeforeBits = 8;

}  // namespace

bool unpackWithRest(RegionBuilder& b, const BytecodeInstruction& in) {
    int before = in.oparg & ((1 << kBeforeBits) - 1);
    int after = in.oparg >> kBeforeBits;
    takeConstantSequence(b, 0);
    if (b.top().kind == Kind::kTuple) {
        boxEntry(b, 0);
    }
    knowSequence(b, b.siteOf(in).receivers);
    int parts = before + 1 + after;
    bool plain = b.top().kind == Kind::kObject && (b.top().cls == &PyList_Type || b.top().cls == &PyTuple_Type);
    if (plain && !b.siteOf(in).generic) {
        Id tuple = makePlain(b, Helper::k_plain_unpack_rest, {b.constInt(before), b.constInt(after), b.top().value});
        AbstractValue sequence = b.pop();
        pushItems(b, tuple, parts, false);
        b.emit(ir::Op::k_decref_unpacked, {tuple});  // nobody else has it
        release(b, std::move(sequence));
        b.state().frame().unit = in.next;
    } else if (!opaqueUnpack(b, in, "UNPACK_EX", Helper::k_unpack_rest, {before, after}, parts)) {
        return false;
    }
    if (!b.stopped()) {
        b.top(before).cls = &PyList_Type;
    }
    return true;
}

}  // namespace kiln
