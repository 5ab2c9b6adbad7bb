#pragma once

#include <map>
#include <set>
#include <utility>

#include "jit/frontend/build_request.h"
#include "jit/frontend/state_key.h"

namespace kiln {

// What one attempt learned that the next must know from its start.
struct AttemptKnowledge : RootKnowledge {
    std::set<std::pair<PyObject*, PyObject*>> variableNames;  // (dict, key) stored to in the region
    ir::Type returnType = ir::Type::kNone;
    std::set<std::pair<PyCodeObject*, int>> unconsumed;  // calls that take no generator in, by the unit behind
    // Locals met as several things where they are dead, by live key and index there: did one hold a reference?
    std::map<std::pair<StateKey, size_t>, bool> anyLocals;
};

}  // namespace kiln
