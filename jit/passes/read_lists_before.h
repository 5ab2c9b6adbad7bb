// Lists that an inner loop reads from one end to the other, again and again, are read before the loop around it.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// An inner loop that counts through a list, in each round of a loop around it that stores to no list, gets a copy. Before the loop around
// it the numbers in the list are copied into a buffer, or, of a list of lists, where the items of each lie. The copy finds them there,
// without looks at length and class, and close together. Where something is not as the copy takes it to be, the loop itself goes on with
// that round. For thorough code, behind form_strips. Returns whether there is such a copy.
bool readListsBefore(ir::Region& region);
// False when no counted loop reads a list.
bool mayReadListsBefore(const ir::Region& region);

}  // namespace kiln::passes
