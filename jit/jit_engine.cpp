#include "jit/jit_engine.h"

namespace kiln {

void startJit() {}

std::vector<CodeStatistics> jitStatistics() {
    return {};
}

}  // namespace kiln
