// The names of root states.
#include "profiler/root.h"

namespace kiln {

const char* rootStateName(RootState state) {
    static constexpr const char* kNames[] = {"counting", "recording", "compiling", "compiled", "blacklisted"};
    return kNames[static_cast<int>(state)];
}

}  // namespace kiln
