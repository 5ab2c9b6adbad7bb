#include "profiler/observed_callees.h"

namespace kiln {

ObservedCallees& ObservedCallees::instance() {
    static auto* callees = new ObservedCallees();
    return *callees;
}

}  // namespace kiln
