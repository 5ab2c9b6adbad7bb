// Checks of a snapshot on its own, apart from where its values are defined.
#pragma once

#include <string>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::ir {

// Empty when indices are in range, values exist and every slot source has the parts that its kind wants. `goodFrames`, by FrameId: those
// that were looked at before, since snapshots share them.
std::string checkSnapshotShape(const Region& region, const Snapshot& snapshot, std::vector<bool>& goodFrames);

}  // namespace kiln::ir
