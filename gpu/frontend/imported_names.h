// Which names a module imports, by its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln::gpu {

// Names that import statements outside of functions and classes bind, in order. CPython compiles a call of an attribute of such
// a name, as cuda.grid(1), in another way than that of another name. Found by lines: a text that only looks like a statement, in
// a string, counts as well.
std::vector<std::string> importedNames(std::string_view text);

}  // namespace kiln::gpu
