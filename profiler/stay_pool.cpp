#include "profiler/stay_pool.h"

#include <vector>

namespace kiln {

SamplerStay firstStays[kFirstStays];

namespace {

// Never destroyed: threads and greenlets go after static destructors, too.
std::vector<SamplerStay*>& unused() {
    static std::vector<SamplerStay*>& stays = *[] {
        auto* all = new std::vector<SamplerStay*>;
        for (size_t i = kFirstStays; i-- > 0;) {
            all->push_back(&firstStays[i]);
        }
        return all;
    }();
    return stays;
}

}  // namespace

SamplerStay* takeStay() {
    std::vector<SamplerStay*>& stays = unused();
    if (stays.empty()) {
        return new SamplerStay;
    }
    SamplerStay* stay = stays.back();
    stays.pop_back();
    return stay;
}

void giveStayBack(SamplerStay* stay) {
    unused().push_back(stay);
}

}  // namespace kiln
