// Loops of few rounds in the midst of another loop, as those over the neighbours of a pixel: laid out, so that the loop around them is
// an innermost one.
#pragma once

#include <vector>

#include "jit/ir/region.h"
#include "jit/passes/assumed_limits.h"
#include "jit/passes/counted_loops.h"

namespace kiln::passes {

// Headers of loops with others inside of them, the outermost first.
std::vector<ir::BlockId> findHeadersAroundLoops(const ir::Region& region);

// A copy of a loop's body, as far as a round goes: what its inner loops do stands one behind the other, as often as their constants say.
// Nothing leads to it yet: it is there to be copied.
struct UnrolledLoop {
    CountedLoop loop;
    std::vector<ir::BlockId> original;  // the blocks that were laid out
    Numbers assumed;                    // the copy holds only if these values are these numbers
};

// Adds such a copy to the region. What rounds hand on by the way, as the body is entered in its midst, becomes a parameter of the header.
// False, and the region is as it was, where the rounds of a loop inside are not known, or too many. `assumes`: where such a loop has always
// ended at the same number (the number that its comparison has seen), it is taken to end there.
bool unroll(ir::Region& region, ir::BlockId header, bool assumes, UnrolledLoop& unrolled);

}  // namespace kiln::passes
