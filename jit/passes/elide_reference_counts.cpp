// Removes `incref v` … `decref v` in one block where nothing between them can release a reference or see the count.
//
// Whoever held v before still holds it at the decref, so v stays alive without the extra reference. A guard in between
// that leaves the region hands that reference to the interpreter: its snapshot then owns v. With the pair gone the exit
// has to take a reference of its own, so one owned entry of v becomes a copy. Where the snapshot serves guards elsewhere
// too, the guards in between get a clone. The guard that asks whether the decref may be the last one is then asked no more.
//
// `decref v` … `incref v` goes as well, where nobody can see the count in between: somebody else holds v then.
#include <algorithm>
#include <map>

#include "jit/passes/passes.h"

namespace kiln::passes {

namespace {

using ir::Instruction;
using ir::Op;
using ir::SlotSource;
using ir::SnapshotId;
using ir::ValueId;

// Ops that neither release a reference nor change what one op in a pair relies on.
bool keepsReferences(Op op) {
    switch (ir::info(op).effect) {
    case ir::Effect::kPure:
    case ir::Effect::kGuard:
    case ir::Effect::kRead: return true;
    default:
        return op == Op::k_incref || op == Op::k_incref_box || op == Op::k_decref_held || op == Op::k_box_int || op == Op::k_box_float ||
               op == Op::k_set_position || op == Op::k_count || op == Op::k_leave_frame;
    }
}

bool releases(const Instruction& instruction, ValueId value) {
    return (instruction.op == Op::k_decref || instruction.op == Op::k_decref_number || instruction.op == Op::k_decref_lender || instruction.op == Op::k_decref_unpacked || instruction.op == Op::k_decref_held ||
            instruction.op == Op::k_xdecref || instruction.op == Op::k_decref_box || instruction.op == Op::k_drop) &&
           instruction.operands[0] == value;
}

// The first owned entry of `value`, parts included; nullptr if there is none.
SlotSource* findOwned(SlotSource& source, ValueId value) {
    if (source.owned && source.value == value) {
        return &source;
    }
    for (SlotSource& part : source.parts) {
        if (SlotSource* found = findOwned(part, value)) {
            return found;
        }
    }
    return nullptr;
}

SlotSource* findOwned(ir::FrameSnapshot& frame, ValueId value) {
    if (SlotSource* found = findOwned(frame.function, value)) {
        return found;
    }
    for (SlotSource& slot : frame.slots) {
        if (SlotSource* found = findOwned(slot, value)) {
            return found;
        }
    }
    return nullptr;
}

SlotSource* findOwned(std::vector<ir::NameSource>& names, ValueId value) {
    for (ir::NameSource& name : names) {
        if (SlotSource* found = findOwned(name.source, value)) {
            return found;
        }
    }
    return nullptr;
}

bool owns(ir::Region& region, ir::Snapshot& snapshot, ValueId value) {
    const auto isOwner = [&](ir::FrameId frame) { return findOwned(region.frames[static_cast<size_t>(frame)], value) != nullptr; };
    return std::ranges::any_of(snapshot.frames, isOwner) || findOwned(snapshot.names, value) != nullptr;
}

// The first owned entry becomes a copy: in this snapshot, not in those that share the frame.
void disown(ir::Region& region, ir::Snapshot& snapshot, ValueId value) {
    for (ir::FrameId& frame : snapshot.frames) {
        if (findOwned(region.frames[static_cast<size_t>(frame)], value) != nullptr) {
            findOwned(region.ownFrame(frame), value)->owned = false;
            return;
        }
    }
    findOwned(snapshot.names, value)->owned = false;
}

bool asksNothing(const Instruction& instruction) {
    return instruction.op == Op::k_guard_quiet && instruction.operands.empty();
}

class PairFinder {
public:
    // `snapshotUses` counts the instructions that name each snapshot, and is kept up to date.
    PairFinder(ir::Region& region, ir::Block& block, std::vector<int>& snapshotUses)
        : region_(region), instructions_(block.instructions), snapshotUses_(snapshotUses) {}

    bool run() {
        bool changed = false;
        // Inner pairs first: an outer one may become removable with them.
        for (bool again = true; again;) {
            again = false;
            for (size_t i = instructions_.size(); i-- > 0;) {
                const Op op = instructions_[i].op;
                if (((op == Op::k_incref || op == Op::k_incref_box) && elidePair(i)) || (op == Op::k_decref && elideReturn(i))) {
                    again = true;
                }
            }
            changed |= again;
        }
        return changed;
    }

private:
    bool elidePair(size_t first) {
        const ValueId value = instructions_[first].operands[0];
        size_t last = first + 1;
        while (!releases(instructions_[last], value)) {
            if (!keepsReferences(instructions_[last].op) || !ownsAtExit(instructions_[last], value)) {
                return false;
            }
            ++last;  // ends at the latest at the block's end, which keeps nothing
        }
        disownBetween(first, last, value);
        forgetQuestion(last, value);
        instructions_.erase(instructions_.begin() + static_cast<std::ptrdiff_t>(last));
        instructions_.erase(instructions_.begin() + static_cast<std::ptrdiff_t>(first));
        return true;
    }

    // What is given up at `first` is taken again.
    bool elideReturn(size_t first) {
        const ValueId value = instructions_[first].operands[0];
        size_t last = first + 1;
        while (ir::info(instructions_[last].op).effect == ir::Effect::kPure) {
            ++last;
        }
        if (instructions_[last].op != Op::k_incref || instructions_[last].operands[0] != value) {
            return false;
        }
        instructions_.erase(instructions_.begin() + static_cast<std::ptrdiff_t>(last));
        forgetQuestion(first, value);
        instructions_.erase(instructions_.begin() + static_cast<std::ptrdiff_t>(first));
        return true;
    }

    // Nobody gives `value` up at `last` any more: the guard before that need not ask about it, if it did.
    void forgetQuestion(size_t last, ValueId value) {
        if (instructions_[last].op == Op::k_decref_held) {
            keepContainer(last, value);
        }
        if (instructions_[last].op != Op::k_decref && instructions_[last].op != Op::k_xdecref) {
            return;
        }
        for (size_t i = last; i-- > 0;) {
            ir::Operands& asked = instructions_[i].operands;
            auto found = std::find(asked.begin(), asked.end(), value);
            if (instructions_[i].op == Op::k_guard_quiet && found != asked.end()) {
                asked.erase(found);
                return;
            }
        }
    }

    // The container of a store is not given up any more: the guard before that need not ask who else holds it.
    void keepContainer(size_t last, ValueId container) {
        for (size_t i = last; i-- > 0;) {
            ir::Operands& operands = instructions_[i].operands;
            const bool names = instructions_[i].op == Op::k_guard_exchange && operands.size() > ir::kExchangedContainer;
            if (names && operands[ir::kExchangedContainer] == container) {
                operands.pop_back();
                return;
            }
        }
    }

    // An exit that does not own v under this name must own the reference under another one: not ours to take away.
    bool ownsAtExit(const Instruction& instruction, ValueId value) {
        return instruction.snapshot == ir::kNoId ||
               owns(region_, region_.snapshots[instruction.snapshot], value);
    }

    void disownBetween(size_t first, size_t last, ValueId value) {
        std::map<SnapshotId, int> usesBetween;
        for (size_t i = first + 1; i < last; ++i) {
            if (instructions_[i].snapshot != ir::kNoId) {
                ++usesBetween[instructions_[i].snapshot];
            }
        }
        for (const auto& [snapshot, uses] : usesBetween) {
            SnapshotId disowned = snapshot;
            if (uses != snapshotUses_[snapshot]) {
                disowned = cloneFor(snapshot, first, last, uses);
            }
            disown(region_, region_.snapshots[disowned], value);
        }
    }

    SnapshotId cloneFor(SnapshotId snapshot, size_t first, size_t last, int uses) {
        const auto clone = static_cast<SnapshotId>(region_.snapshots.size());
        region_.snapshots.push_back(ir::Snapshot(region_.snapshots[snapshot]));
        snapshotUses_.push_back(uses);
        snapshotUses_[snapshot] -= uses;
        for (size_t i = first + 1; i < last; ++i) {
            if (instructions_[i].snapshot == snapshot) {
                instructions_[i].snapshot = clone;
            }
        }
        return clone;
    }

    ir::Region& region_;
    std::vector<Instruction>& instructions_;
    std::vector<int>& snapshotUses_;
};

std::vector<int> countSnapshotUses(const ir::Region& region) {
    std::vector<int> uses(region.snapshots.size());
    for (const ir::Block& block : region.blocks) {
        for (const Instruction& instruction : block.instructions) {
            if (instruction.snapshot != ir::kNoId) {
                ++uses[instruction.snapshot];
            }
        }
    }
    return uses;
}

}  // namespace

bool elideReferenceCounts(ir::Region& region) {
    std::vector<int> snapshotUses = countSnapshotUses(region);
    bool changed = false;
    for (ir::Block& block : region.blocks) {
        changed |= PairFinder(region, block, snapshotUses).run();
        std::erase_if(block.instructions, asksNothing);
    }
    return changed;
}

}  // namespace kiln::passes
