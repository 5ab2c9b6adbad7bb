// A module of kernel IR as a cubin, PTX or LTO-IR.
#pragma once

#include <string>

#include "gpu/driver/nvrtc.h"
#include "gpu/runtime/code_backend.h"

namespace kiln::gpu {

// False, with a CudaSupportError that lists every place tried, when there is no NVRTC for the architecture `sm`.
bool findCompiler(int sm, Failure& failure);

// The library, opened. nullptr with a CudaSupportError. In a LibraryScope.
const Nvrtc* openCompiler(int sm, Failure& failure);

// Which launches machine code is for: each form is compiled when a launch comes that takes it.
struct CudaForm {
    bool isNarrow = false;  // narrow ones only (ir/narrow_launch.h)
    bool inPairs = false;   // large ones, with half the blocks (ir/pair_blocks.h)
};

// Whether a kernel has that form.
bool hasForm(const Module& module, const KernelOptions& options, CudaForm form);

// For the architecture `sm` (90 is sm_90). Taken from the disk cache if it is there. Needs no GPU and no GIL.
bool compileCuda(const Module& module, const KernelOptions& options, int sm, ImageKind kind, CudaForm form, std::string& image, bool& fromCache,
                 Failure& failure);

// Cubins of every form that there is, for the disk cache.
bool compileAllForms(const Module& module, const KernelOptions& options, int sm, Failure& failure);

// The text that compileCuda() compiles.
std::string cudaText(const Module& module, const KernelOptions& options, CudaForm form = {});

}  // namespace kiln::gpu
