// Tarjan's strongly connected components, again and again with the headers left out.
#include "jit/ir/cycles.h"

#include <algorithm>
#include <utility>

#include "jit/ir/dominators.h"

namespace kiln::ir {

namespace {

class CycleFinder {
public:
    explicit CycleFinder(const Region& region) : region_(region), places_(region.blocks.size()) {
        std::vector<BlockId> all = reversePostorder(region);
        for (size_t place = 0; place < all.size(); place++) {
            places_[all[place]] = place;
        }
        pending_.push_back(std::move(all));
    }

    std::vector<Cycle> run() {
        while (!pending_.empty()) {
            const std::vector<BlockId> blocks = std::exchange(pending_.back(), {});
            pending_.pop_back();
            searchIn(blocks);
        }
        return std::move(cycles_);
    }

private:
    struct Visit {
        int number = 0;  // 0: not yet
        int lowest = 0;
        bool isOpen = false;
    };
    struct Step {
        BlockId block;
        size_t target = 0;
    };

    void searchIn(const std::vector<BlockId>& blocks) {
        inside_.assign(region_.blocks.size(), false);
        visits_.assign(region_.blocks.size(), {});
        count_ = 0;
        for (const BlockId block : blocks) {
            inside_[block] = true;
        }
        for (const BlockId block : blocks) {
            if (visits_[block].number == 0) {
                visit(block);
            }
        }
    }

    void visit(BlockId first) {
        std::vector<Step> path;
        auto enter = [&](BlockId block) {
            visits_[block] = {.number = ++count_, .lowest = count_, .isOpen = true};
            open_.push_back(block);
            path.push_back({block});
        };
        enter(first);
        while (!path.empty()) {
            Step& step = path.back();
            const BlockId block = step.block;
            const std::vector<Target>& targets = region_.blocks[block].targets;
            if (step.target < targets.size()) {
                const BlockId next = targets[step.target++].block;
                if (inside_[next] && visits_[next].number == 0) {
                    enter(next);
                } else if (inside_[next] && visits_[next].isOpen) {
                    visits_[block].lowest = std::min(visits_[block].lowest, visits_[next].number);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty()) {
                int& lowest = visits_[path.back().block].lowest;
                lowest = std::min(lowest, visits_[block].lowest);
            }
            if (visits_[block].lowest == visits_[block].number) {
                close(block);
            }
        }
    }

    // The blocks from this one on reach each other.
    void close(BlockId block) {
        const auto start = std::ranges::find(open_, block);
        std::vector<BlockId> blocks(start, open_.end());
        open_.erase(start, open_.end());
        for (const BlockId closed : blocks) {
            visits_[closed].isOpen = false;
        }
        if (blocks.size() == 1 && std::ranges::find(region_.blocks[block].targets, block, &Target::block) == region_.blocks[block].targets.end()) {
            return;
        }
        std::ranges::sort(blocks, {}, [&](BlockId member) { return places_[member]; });
        cycles_.push_back({.header = blocks.front(), .blocks = blocks});
        blocks.erase(blocks.begin());
        pending_.push_back(std::move(blocks));
    }

    const Region& region_;
    std::vector<size_t> places_;  // in reverse postorder
    std::vector<std::vector<BlockId>> pending_;
    std::vector<bool> inside_;
    std::vector<Visit> visits_;
    std::vector<BlockId> open_;
    int count_ = 0;
    std::vector<Cycle> cycles_;
};

}  // namespace

std::vector<Cycle> findCycles(const Region& region) {
    return CycleFinder(region).run();
}

}  // namespace kiln::ir
