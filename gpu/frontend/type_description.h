// Types as numba's package passes them: what parseType() reads.
#pragma once

#include "gpu/frontend/value.h"

namespace kiln::gpu {

// A scalar's name, ("array", element, ndim, layout, readonly) where the element is a name or a dtype, ("record", dtype),
// ("tuple", class or None, ...), ("text", str), ("object", object) or None. New reference; null with an exception. Needs the GIL.
Ref<> describedType(const Value& value);
// A tuple of these.
Ref<> describedTypes(const std::vector<Value>& values);

}  // namespace kiln::gpu
