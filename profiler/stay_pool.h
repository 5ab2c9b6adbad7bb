// Where stays lie that must outlive a native stack's comings and goings.
#pragma once

#include "profiler/sampler.h"

namespace kiln {

// The sampler may look at a stay that has just ended: its memory is kept for later ones. GIL held.
SamplerStay* takeStay();
void giveStayBack(SamplerStay* stay);

// The memory of the first stays, most often of all; others lie elsewhere.
inline constexpr size_t kFirstStays = 64;
extern SamplerStay firstStays[kFirstStays];

}  // namespace kiln
