#include "jit/quick/stencil_table.h"

namespace kiln {
namespace {

#include "stencil_table.inc"

}  // namespace

const Stencil& stencilAt(int index) {
    return kStencils[index];
}

const unsigned char* codeOf(const Stencil& stencil) {
    return kStencilCode + stencil.code;
}

const Hole* holesOf(const Stencil& stencil) {
    return kStencilHoles + stencil.holes;
}

}  // namespace kiln
