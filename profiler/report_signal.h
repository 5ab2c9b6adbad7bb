// A report before death by SIGTERM.
#pragma once

namespace kiln {

// Makes SIGTERM, if nothing handles it, run `write` and then kill the process as it would have. `write` is called
// once, with the GIL held (withPython) or, when no GIL can be had within two seconds, without it. Python still shows
// SIG_DFL, and a handler that the program sets replaces this one. Needs the sampler's thread; call after Python's
// initialisation.
void writeOnTermination(void (*write)(bool withPython));
// True once SIGTERM came. Whoever is about to end the process then calls dieIfTerminated() after it wrote the report,
// so that the process ends by the signal although it was faster.
bool terminationRequested();
void dieIfTerminated();

}  // namespace kiln
