// Lets those who read the stack without the GIL see where compiled code loops: faulthandler's watchdog and signals, profilers
// outside of the process.
//
// An inlined callee has no frame, nor has a function root that calls nothing. Around each loop of such code shadow frames are
// linked. Nothing runs meanwhile that could take one for a real frame: they are unlinked while the activation waits for a
// callee, and by each exit.
#include <algorithm>
#include <utility>

#include "jit/ir/cycles.h"
#include "jit/passes/passes.h"

namespace kiln::passes {

namespace {

using ir::Block;
using ir::BlockId;
using ir::FrameSnapshot;
using ir::Instruction;
using ir::Op;
using ir::SnapshotId;

// However it is entered.
struct Loop {
    BlockId header;
    std::vector<BlockId> blocks;
    SnapshotId frames;  // of its poll: the frames in which it loops
};

const Instruction* findPoll(const Block& block) {
    const auto found = std::ranges::find(block.instructions, Op::k_poll, &Instruction::op);
    return found != block.instructions.end() ? &*found : nullptr;
}

class FrameLinker {
public:
    explicit FrameLinker(ir::Region& region) : region_(region), linked_(region.blocks.size(), ir::kNoId) {}

    bool run() {
        std::vector<Loop> loops = findLoops();
        std::erase_if(loops, [&](const Loop& loop) { return !isHidden(loop); });
        // A loop stands behind those around it.
        std::ranges::stable_sort(loops, std::ranges::greater(), [](const Loop& loop) { return loop.blocks.size(); });
        for (const Loop& loop : loops) {
            assignFrames(loop);
        }
        if (loops.empty()) {
            return false;
        }
        for (BlockId block = 0; block < static_cast<BlockId>(linked_.size()); block++) {
            unlinkWhereItWaits(block);
            linkOnEdges(block);
        }
        return true;
    }

private:
    auto framesOf(SnapshotId snapshot) const { return std::as_const(region_).framesOf(region_.snapshots[snapshot]); }

    // A loop root's own frame is real.
    bool isHidden(const Loop& loop) const {
        return loop.frames != ir::kNoId && (region_.isFunction || framesOf(loop.frames).size() > 1);
    }

    std::vector<Loop> findLoops() const {
        std::vector<Loop> loops;
        for (ir::Cycle& found : ir::findCycles(region_)) {
            Loop loop = {.header = found.header, .blocks = std::move(found.blocks), .frames = ir::kNoId};
            // Loops inside of it may be those of callees.
            for (const BlockId block : loop.blocks) {
                const Instruction* poll = findPoll(region_.blocks[block]);
                if (poll != nullptr && (loop.frames == ir::kNoId || framesOf(poll->snapshot).size() < framesOf(loop.frames).size())) {
                    loop.frames = poll->snapshot;
                }
            }
            loops.push_back(std::move(loop));
        }
        return loops;
    }

    void assignFrames(const Loop& loop) {
        if (const SnapshotId around = linked_[loop.header]; around != ir::kNoId && sameFrames(around, loop.frames)) {
            return;
        }
        ir::Snapshot snapshot = region_.snapshots[loop.frames];
        snapshot.names.clear();
        for (ir::FrameId& frame : snapshot.frames) {
            const FrameSnapshot& around = region_.frames[frame];
            frame = region_.newFrame({.code = around.code, .function = {}, .unit = around.unit, .slots = {}});
        }
        region_.snapshots.push_back(std::move(snapshot));
        for (const BlockId block : loop.blocks) {
            linked_[block] = static_cast<SnapshotId>(region_.snapshots.size()) - 1;
        }
    }

    bool sameFrames(SnapshotId a, SnapshotId b) const {
        const FrameSnapshot* innermost = &framesOf(a).back();
        return std::ranges::equal(framesOf(a), framesOf(b), [&](const FrameSnapshot& one, const FrameSnapshot& other) {
            return one.code == other.code && (one.unit == other.unit || &one == innermost);
        });
    }

    static Instruction unlink() { return {.op = Op::k_unlink_frames, .operands = {}}; }
    static Instruction link(SnapshotId frames) { return {.op = Op::k_link_frames, .snapshot = frames, .operands = {}}; }

    void unlinkWhereItWaits(BlockId block) {
        if (linked_[block] == ir::kNoId) {
            return;
        }
        std::vector<Instruction> instructions;
        for (Instruction& in : region_.blocks[block].instructions) {
            const Op op = in.op;
            if (op == Op::k_suspend) {
                instructions.push_back(unlink());
            }
            instructions.push_back(std::move(in));
            if (op == Op::k_resume) {
                instructions.push_back(link(linked_[block]));
            }
        }
        region_.blocks[block].instructions = std::move(instructions);
    }

    void linkOnEdges(BlockId block) {
        for (size_t index = 0; index < region_.blocks[block].targets.size(); index++) {
            ir::Target target = region_.blocks[block].targets[index];
            const SnapshotId frames = linked_[target.block];
            if (frames == linked_[block]) {
                continue;
            }
            region_.blocks[block].targets[index] = {.block = static_cast<BlockId>(region_.blocks.size()), .arguments = {}};
            Block between;
            between.cold = region_.blocks[target.block].cold;
            between.instructions = {frames == ir::kNoId ? unlink() : link(frames), {.op = Op::k_jump, .operands = {}}};
            between.targets.push_back(std::move(target));
            region_.blocks.push_back(std::move(between));
        }
    }

    ir::Region& region_;
    std::vector<SnapshotId> linked_;  // by block: the frames that are linked there
};

}  // namespace

bool linkFrames(ir::Region& region) {
    const bool linked = std::ranges::any_of(region.blocks, [](const Block& block) {
        return std::ranges::find(block.instructions, Op::k_link_frames, &Instruction::op) != block.instructions.end();
    });
    return !linked && FrameLinker(region).run();
}

}  // namespace kiln::passes
