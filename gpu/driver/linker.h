// Linking of machine code, by NVIDIA's nvJitLink, which is opened at the first use. It needs no GPU.
#pragma once

#include <string>
#include <vector>

#include "gpu/driver/nvrtc.h"
#include "gpu/ir/kernel_ir.h"
#include "gpu/runtime/code_backend.h"

namespace kiln::gpu {

// CUDA C++ for sm_`sm`, relocatable. Headers are looked for beside NVRTC, and where numba looks for them. In a LibraryScope.
bool compileText(const Nvrtc& nvrtc, int sm, const LinkedCode& code, ImageKind kind, const std::vector<std::string>& more, std::string& image,
                 Failure& failure);

struct LinkWishes {
    std::string what;  // is linked, for errors
    std::vector<std::string> options;
    bool asPtx = false;  // which takes LTO-IR
};

// Pieces of code, none of which is CUDA C++, as a cubin or PTX. False as below. `log`: gets what the linker says beside errors. In a
// LibraryScope.
bool linkPieces(const Nvrtc& nvrtc, int sm, const std::vector<LinkedCode>& pieces, const LinkWishes& wishes, std::string& image,
                Failure& failure, std::string* log = nullptr);

// A cubin for sm_`sm` of relocatable machine code and of what it is linked with, whose CUDA C++ that NVRTC compiles. False with
// `failure`: a CudaSupportError without a library of NVRTC's version, else a LinkerError. In a LibraryScope.
bool linkCubin(const Nvrtc& nvrtc, int sm, const std::string& object, const std::vector<LinkedCode>& links,
               std::string& image, Failure& failure);

}  // namespace kiln::gpu
