// What a user could do to make a kernel faster, by what its launches and its code are.
#pragma once

#include <string>
#include <vector>

#include "gpu/runtime/kernel.h"

namespace kiln::gpu {

struct Advice {
    const char* code;  // one of kiln.reasons
    std::string text;
};

// For a form that was launched. Needs no GPU for what code and launches alone show.
std::vector<Advice> adviceFor(const Specialisation& form, const CompiledForm& compiled);

}  // namespace kiln::gpu
