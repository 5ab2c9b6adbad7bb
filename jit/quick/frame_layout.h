// Where a region's values lie in its native frame.
#pragma once

#include "jit/quick/quick_code.h"

namespace kiln {

NativeFrameLayout layOutNativeFrame(const CodegenRequest& request);

}  // namespace kiln
