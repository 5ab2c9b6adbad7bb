// Inner loops that count through lists, and what must be known of the loop around for the lists to be the same in all of its rounds.
#pragma once

#include <set>
#include <vector>

#include "jit/ir/dominators.h"
#include "jit/ir/region.h"
#include "jit/listed_numbers.h"
#include "jit/passes/counted_loops.h"

namespace kiln::passes {

// `list_item` of a list from outside, at the loop's counter.
struct ListRead {
    ListedKind kind = ListedKind::kFloats;
    ir::ValueId list = ir::kNoId;
    ir::ValueId item = ir::kNoId;
    std::vector<ir::ValueId> indices;  // of rows: the items that are read of each, the same in all rounds
};

// A loop of one block that counts up by one to a limit, inside of a counted loop.
class InnerLoop {
public:
    explicit InnerLoop(const ir::Region& region)
        : region_(region), dominators_(region), homes_(ir::homesOfValues(region)), isInsideAround(region.blocks.size()) {}

    // False when it is no such loop, or reads no list that could be read before.
    bool find(const CountedLoop& loop);
    // Computed by the inner loop itself.
    bool isOfLoop(ir::ValueId value) const;

private:
    const ir::Region& region_;
    const ir::Dominators dominators_;
    const std::vector<ir::BlockId> homes_;

public:
    ir::BlockId header = ir::kNoId;
    ir::BlockId body = ir::kNoId;
    ir::BlockId around = ir::kNoId;          // header of the loop around
    std::vector<bool> isInsideAround;        // by block
    ir::ValueId counter = ir::kNoId;         // a parameter of the header
    ir::ValueId limit = ir::kNoId;
    ir::ValueId start = ir::kNoId;           // what the counter is at first; kNoId: startNumber
    int64_t startNumber = 0;
    size_t aroundCounter = 0;                // which parameter of the header around
    ir::ValueId aroundLimit = ir::kNoId;
    std::vector<ir::ValueId> appended;       // lists that get more items meanwhile: none of those read may be one
    std::vector<ListRead> reads;
    std::set<ptrdiff_t> dropped;             // of the body's instructions: what is known of all rounds

private:
    const ir::Instruction* definition(ir::ValueId value) const;
    bool isFromOutside(ir::ValueId value) const;
    bool findAround();
    bool countsUp();
    bool countsAround();
    bool keepsLists();
    bool findStart();
    void findReads();
    bool takeRead(const ir::Instruction& in);
    bool takeRow(ListRead& read, const std::vector<const ir::Instruction*>& uses);
    std::vector<const ir::Instruction*> usesOf(ir::ValueId value) const;
    bool isUsedElsewhere(ir::ValueId value) const;
    void drop(const ir::Instruction* in);
    void dropBounds(ir::ValueId list, ir::ValueId index);
};

}  // namespace kiln::passes
