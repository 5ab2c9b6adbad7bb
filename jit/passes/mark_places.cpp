// Where marks stand is decided block by block, each after its dominators. Then what each stands for is found: a mark goes forward, along
// all ways, up to the next ones.
#include "jit/passes/mark_places.h"

#include <algorithm>
#include <map>
#include <set>

#include "jit/ir/natural_loops.h"
#include "jit/passes/place_work.h"

namespace kiln::passes {

namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;

constexpr int kNone = -1;
constexpr int kMostDepth = 4;
constexpr double kRounds = 8;  // of a loop, as a guess at how often what is in it runs

struct Mark {
    size_t before = 0;       // the instruction that it stands in front of
    int32_t number = 0;      // the place of what follows
    std::map<int32_t, double> work = {};
};

// What the store holds where a block begins, and how much of other places has run since.
struct Told {
    int32_t number = kNone;  // not known, or a callee's
    int work = 0;
};

class PlaceMarker {
public:
    PlaceMarker(ir::Region& region, const PlaceMarking& marking)
        : region_(region), marking_(marking), dominators_(region), marks_(region.blocks.size()),
          loops_(region.blocks.size()), depth_(region.blocks.size()), isStrip_(region.blocks.size()), told_(region.blocks.size()),
          isTold_(region.blocks.size()), arriving_(region.blocks.size()) {}

    void run() {
        runs_ = findPlaceRuns(region_, marking_.numbers);
        findLoops();
        isTold_[0] = true;
        for (const BlockId block : dominators_.reversePostorder()) {
            placeMarks(block);
        }
        follow();
        for (const BlockId block : dominators_.reversePostorder()) {
            insertMarks(block);
        }
    }

private:
    void findLoops() {
        for (const ir::NaturalLoop& loop : ir::findNaturalLoops(region_, dominators_)) {
            bool polls = false;
            for (const BlockId block : loop.blocks) {
                depth_[block] = std::min(depth_[block] + 1, kMostDepth);
                const std::vector<Instruction>& instructions = region_.blocks[block].instructions;
                polls = polls || std::ranges::find(instructions, Op::k_poll, &Instruction::op) != instructions.end();
            }
            for (const BlockId block : loop.blocks) {
                loops_[block].insert(loop.header);
                isStrip_[block] = isStrip_[block] || !polls;
            }
        }
    }

    // The loop that an edge leads into: its header, else kNoId.
    BlockId entered(BlockId from, BlockId to) const {
        return loops_[to].contains(to) && !loops_[from].contains(to) ? to : ir::kNoId;
    }

    void placeMarks(BlockId block) {
        Told told = told_[block];
        for (const PlaceRun& run : runs_[block]) {
            told.number = run.isBehindCall ? kNone : told.number;
            if (run.number == 0 || run.number == told.number || isStrip_[block]) {
                continue;
            }
            told.work += run.work;
            if (told.work >= marking_.leastWork) {
                marks_[block].push_back({.before = run.first, .number = run.number});
                told = {.number = run.number};
            }
        }
        for (const ir::Target& target : region_.blocks[block].targets) {
            if (entered(block, target.block) != ir::kNoId) {
                markLoop(block, target.block, told);
            }
        }
        for (const ir::Target& target : region_.blocks[block].targets) {
            arrive(target.block, told);
        }
    }

    void markLoop(BlockId block, BlockId header, Told& told) {
        const auto first = std::ranges::find_if(runs_[header], [](const PlaceRun& run) { return run.number != 0 && run.work != 0; });
        if (first != runs_[header].end() && !isStrip_[block]) {
            marks_[block].push_back({.before = region_.blocks[block].instructions.size() - 1, .number = first->number});
            told = {.number = first->number};
        }
    }

    void arrive(BlockId block, const Told& told) {
        if (!isTold_[block]) {
            told_[block] = told;
        } else if (told_[block].number != told.number) {
            told_[block] = {.number = kNone, .work = std::max(told_[block].work, told.work)};
        } else {
            told_[block].work = std::max(told_[block].work, told.work);
        }
        isTold_[block] = true;
    }

    // What each mark stands for.
    void follow() {
        std::vector<BlockId> waiting = dominators_.reversePostorder();
        std::ranges::reverse(waiting);
        while (!waiting.empty()) {
            const BlockId block = waiting.back();
            waiting.pop_back();
            const std::set<Mark*> leaving = marks_[block].empty() ? arriving_[block] : std::set{&marks_[block].back()};
            for (const ir::Target& target : region_.blocks[block].targets) {
                const size_t before = arriving_[target.block].size();
                arriving_[target.block].insert(leaving.begin(), leaving.end());
                if (arriving_[target.block].size() != before) {
                    waiting.push_back(target.block);
                }
            }
        }
        for (const BlockId block : dominators_.reversePostorder()) {
            addWork(block);
        }
    }

    void addWork(BlockId block) {
        double rounds = 1;
        for (int depth = 0; depth < depth_[block]; depth++) {
            rounds *= kRounds;
        }
        std::set<Mark*> marks = arriving_[block];
        auto next = marks_[block].begin();
        for (const PlaceRun& run : runs_[block]) {
            if (next != marks_[block].end() && next->before == run.first && next->number == run.number) {
                marks = {&*next++};
            }
            for (Mark* mark : marks) {
                mark->work[run.number] += run.work * rounds;
            }
        }
    }

    PlaceShares sharesOf(const Mark& mark) const {
        double all = 0;
        for (const auto& [number, work] : mark.work) {
            all += number != 0 ? work : 0;
        }
        PlaceShares shares;
        for (const auto& [number, work] : mark.work) {
            const int share = number != 0 && all > 0 ? static_cast<int>(kAllShares * work / all) : 0;
            if (share > 0) {
                shares.emplace_back(number, share);
            }
        }
        return !shares.empty() ? shares : PlaceShares{{mark.number, kAllShares}};
    }

    void insertMarks(BlockId block) {
        std::vector<Instruction>& instructions = region_.blocks[block].instructions;
        for (size_t index = marks_[block].size(); index-- > 0;) {
            const Mark& mark = marks_[block][index];
            Instruction store = {.op = Op::k_at_place, .immediate = marking_.markOf(sharesOf(mark)), .operands = {}};
            instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(mark.before), std::move(store));
        }
    }

    ir::Region& region_;
    const PlaceMarking& marking_;
    const ir::Dominators dominators_;
    std::vector<std::vector<PlaceRun>> runs_;  // by block, as all that follows
    std::vector<std::vector<Mark>> marks_;
    std::vector<std::set<BlockId>> loops_;     // headers
    std::vector<int> depth_;
    std::vector<bool> isStrip_;
    std::vector<Told> told_;
    std::vector<bool> isTold_;
    std::vector<std::set<Mark*>> arriving_;
};

}  // namespace

void markPlaces(ir::Region& region, const PlaceMarking& marking) {
    PlaceMarker(region, marking).run();
}

}  // namespace kiln::passes
