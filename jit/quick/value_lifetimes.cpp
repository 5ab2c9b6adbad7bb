#include "jit/quick/value_lifetimes.h"

#include <algorithm>

namespace kiln {
namespace {

// Sets of values, a bit each.
class ValueSet {
   public:
    explicit ValueSet(size_t values) : words_((values + kBits - 1) / kBits, 0) {}
    void add(ir::ValueId value) { words_[wordOf(value)] |= bitOf(value); }
    bool has(ir::ValueId value) const { return (words_[wordOf(value)] & bitOf(value)) != 0; }
    // Adds those of `others` that are not `except`. Whether there were new ones.
    bool addAll(const ValueSet& others, const ValueSet* except = nullptr) {
        uint64_t fresh = 0;
        for (size_t word = 0; word < words_.size(); word++) {
            uint64_t more = others.words_[word] & ~words_[word] & (except != nullptr ? ~except->words_[word] : ~uint64_t{0});
            words_[word] |= more;
            fresh |= more;
        }
        return fresh != 0;
    }
    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (size_t word = 0; word < words_.size(); word++) {
            for (uint64_t rest = words_[word]; rest != 0; rest &= rest - 1) {
                visit(word * kBits + static_cast<size_t>(__builtin_ctzll(rest)));
            }
        }
    }

   private:
    static constexpr size_t kBits = 64;
    static size_t wordOf(ir::ValueId value) { return static_cast<size_t>(value) / kBits; }
    static uint64_t bitOf(ir::ValueId value) { return uint64_t{1} << (static_cast<size_t>(value) % kBits); }
    std::vector<uint64_t> words_;
};

class LifetimeAnalysis {
   public:
    explicit LifetimeAnalysis(const ir::Region& region) : region_(region), lifetimes_(region.valueTypes.size()) {
        int32_t place = 0;
        for (const ir::Block& block : region.blocks) {
            auto length = static_cast<int32_t>(block.instructions.size()) + 1;  // the first place is the parameters'
            blocks_.push_back({place, place + length - 1, ValueSet(lifetimes_.size()), ValueSet(lifetimes_.size()), ValueSet(lifetimes_.size())});
            place += length;
        }
    }

    std::vector<Lifetime> run() {
        for (size_t block = 0; block < blocks_.size(); block++) {
            walk(block);
        }
        while (spread()) {
        }
        for (const BlockLives& lives : blocks_) {
            lives.in.forEach([&](size_t value) { extend(lifetimes_[value], lives.first); });
            lives.out.forEach([&](size_t value) { extend(lifetimes_[value], lives.last); });
        }
        return std::move(lifetimes_);
    }

   private:
    struct BlockLives {
        int32_t first;
        int32_t last;
        ValueSet defined;
        ValueSet in;   // at its start, parameters aside: in the beginning, what it reads of others
        ValueSet out;
    };

    static void extend(Lifetime& lifetime, int32_t place) {
        lifetime.first = std::min(lifetime.first, place);
        lifetime.last = std::max(lifetime.last, place);
    }
    void define(BlockLives& lives, ir::ValueId value, int32_t place) {
        lives.defined.add(value);
        extend(lifetimes_[static_cast<size_t>(value)], place);
    }
    void use(BlockLives& lives, ir::ValueId value, int32_t place) {
        extend(lifetimes_[static_cast<size_t>(value)], place);
        if (!lives.defined.has(value)) {
            lives.in.add(value);
        }
    }

    void useSnapshot(BlockLives& lives, ir::SnapshotId snapshot, int32_t place) {
        if (snapshot != ir::kNoId) {
            ir::forEachSnapshotValue(region_, region_.snapshots[static_cast<size_t>(snapshot)], [&](ir::ValueId value) { use(lives, value, place); });
        }
    }

    void walk(size_t index) {
        BlockLives& lives = blocks_[index];
        const ir::Block& block = region_.blocks[index];
        int32_t place = lives.first;
        ir::SnapshotId waiting = ir::kNoId;  // whoever looks while it waits reads that
        for (ir::ValueId parameter : block.parameters) {
            define(lives, parameter, place);
        }
        for (const ir::Instruction& in : block.instructions) {
            place++;
            for (ir::ValueId operand : in.operands) {
                use(lives, operand, place);
            }
            useSnapshot(lives, in.snapshot, place);
            if (in.op == ir::Op::k_suspend) {
                waiting = in.snapshot;
            } else if (waiting != ir::kNoId) {
                useSnapshot(lives, waiting, place);
                waiting = in.op == ir::Op::k_resume ? ir::kNoId : waiting;
            }
            if (in.result != ir::kNoId) {
                define(lives, in.result, place);
            }
        }
        for (const ir::Target& target : block.targets) {
            for (ir::ValueId argument : target.arguments) {
                use(lives, argument, place);
            }
        }
    }

    bool spread() {
        bool changed = false;
        for (size_t index = blocks_.size(); index-- > 0;) {
            BlockLives& lives = blocks_[index];
            bool more = false;
            for (const ir::Target& target : region_.blocks[index].targets) {
                more |= lives.out.addAll(blocks_[static_cast<size_t>(target.block)].in);
            }
            changed |= more && lives.in.addAll(lives.out, &lives.defined);
        }
        return changed;
    }

    const ir::Region& region_;
    std::vector<Lifetime> lifetimes_;
    std::vector<BlockLives> blocks_;
};

}  // namespace

std::vector<Lifetime> lifetimesOf(const ir::Region& region) {
    return LifetimeAnalysis(region).run();
}

}  // namespace kiln
