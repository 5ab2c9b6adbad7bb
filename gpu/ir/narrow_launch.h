// Launches with small arrays and grids: what kernels count and index with fits 32 bits there, in which GPUs compute faster.
#pragma once

#include "gpu/ir/find_ranges.h"

namespace kiln::gpu {

// 2^21 blocks have less than 2^31 threads. Bytes, since a view may have elements of one byte.
inline constexpr LaunchLimits kNarrowLaunch = {1 << 21, INT32_MAX};

// Whether a kernel may have a form for narrow launches: none of the arrays that it names is larger.
bool canBeNarrow(const Module& module);

// The module for narrow launches only. Backends take indices of contiguous arrays for 32 bits wide there.
Module narrowed(const Module& module);

// Whether a launch is narrow, by its arguments as argument_layout.h says.
bool isNarrowLaunch(const std::vector<const Type*>& parameters, const std::vector<int64_t>& offsets, const uint8_t* arguments, int32_t blocks);

}  // namespace kiln::gpu
