// Linking of machine code, by NVIDIA's nvJitLink, which is opened at the first use. It needs no GPU.
#pragma once

#include <string>
#include <vector>

#include "gpu/driver/nvrtc.h"
#include "gpu/ir/kernel_ir.h"
#include "gpu/runtime/code_backend.h"

namespace kiln::gpu {

// A cubin for sm_`sm` of relocatable machine code and of what it is linked with, whose CUDA C++ that NVRTC compiles. False with
// `failure`: a CudaSupportError without a library of NVRTC's version, else a LinkerError. In a LibraryScope.
bool linkCubin(const Nvrtc& nvrtc, int sm, const std::string& object, const std::vector<LinkedCode>& links,
               std::string& image, Failure& failure);

}  // namespace kiln::gpu
