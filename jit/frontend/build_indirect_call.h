// Calls of callees that are not known when the region is built.
#pragma once

#include <functional>

#include "jit/frontend/region_builder.h"

namespace kiln {

// A callee that was the same object each time becomes a constant behind a guard. Not Python functions: they would be kept alive.
bool guardCallee(RegionBuilder& b, int arguments, const Site& site);
// A built-in method that was bound before, as by `append = list.append`, is called with its instance, as if it were bound by the call.
bool unbindCallee(RegionBuilder& b, int arguments, const Site& site);
// The instruction goes on from here with another callee or instance in its operands.
void goOnFromHere(RegionBuilder& b);
// A callee that is a function of one of a few codes each time: closures and lambdas are made again and again, and tables of functions
// call one or the other.
bool callByCode(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int popped);

// What is done where the callee, the entry below the arguments, is a function of one of the codes seen at the call: `call` builds its
// call, or gives false with nothing emitted that an exit before the instruction would not undo.
struct CalleeArms {
    const std::function<bool(int index)>& call;
    const std::function<void()>& callByCPython;  // of any other callee
};
// True when there was one code only, behind a guard, and its arm was built; else what follows is for all others.
bool branchByCode(RegionBuilder& b, const Site& site, int arguments, const CalleeArms& arms);
// An arm: by the code at `index` of those seen.
bool callCode(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int popped, int index);

}  // namespace kiln
