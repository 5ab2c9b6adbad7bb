// Who is importing: found by walking the frames of the running thread.
#pragma once

namespace kiln {

// Whether the code that asked for the import now under way belongs to the standard library or to an installed package,
// importlib's own frames left out. Needs the GIL; runs no Python code.
bool importerIsLibrary();

}  // namespace kiln
