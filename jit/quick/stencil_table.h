// The stencils themselves, which make_stencils writes.
#pragma once

#include "jit/quick/stencil_set.h"

namespace kiln {

// By stencilIndex().
const Stencil& stencilAt(int index);
const unsigned char* codeOf(const Stencil& stencil);
const Hole* holesOf(const Stencil& stencil);

}  // namespace kiln
