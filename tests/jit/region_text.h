// Regions of tests, written as text.
#pragma once

#include <string>

#include "jit/ir/region.h"

namespace kiln::test {

// The region of a text; a syntax error or a malformed region fails the running test.
ir::Region regionOf(const std::string& text);
// The text in print()'s form: comments and spacing normalised.
std::string normalised(const std::string& text);
// The text after one pass. Fails the running test when the region is malformed before or after it, when the pass's
// answer does not fit what it did, or when a second run finds more to do.
std::string after(bool (*pass)(ir::Region&), const std::string& text);

}  // namespace kiln::test
