// Windows of the frame-evaluation hook (PEP 523): for one frame, somebody sees it before it runs, or runs it instead.
//
// A hook that stays costs every call 1.65x and the recursion limit; so a window ends with the first frame that starts in
// the interpreter, whoever starts it, and what that frame calls is no longer hooked. Specialised call sites miss once.
#pragma once

#include <Python.h>

#include <cstdint>

#include "interp/cpython/cpython_shim.h"

namespace kiln {

// Who opened a window.
class FrameObserver {
   public:
    virtual ~FrameObserver() = default;
    // A frame is about to start: its arguments are bound, it is not linked yet. True when the observer has done the frame's
    // work: `result` is what it returns, a new reference, or nullptr with an exception. May then have run any Python code.
    virtual bool frameStarted(KilnFrame* frame, PyObject** result) = 0;
};

// What windows did, for the report.
struct WindowStatistics {
    uint64_t opened = 0;
    uint64_t frames = 0;     // seen by who opened the window
    uint64_t takenOver = 0;  // run in compiled code
    uint64_t notFree = 0;    // not opened: another hook is in place
};

// At most one is open; needs the GIL.
class FrameWindow {
   public:
    // Opens a window for the next frame of this thread; a window that is open closes. `credit`: what the frame takes of the C
    // recursion budget and CPython's own call would not. False when another hook is in place. The observer must live until the
    // window closes, and may be destroyed in frameStarted() no more than after it.
    static bool open(PyThreadState* thread, FrameObserver& observer, int credit);
    // Closes this observer's window if it is still open.
    static void close(PyThreadState* thread, FrameObserver& observer);
    // The next frame of this thread is to be seen.
    static bool isOpen(PyThreadState* thread);
    static const WindowStatistics& statistics();
    // Another hook is in place: it must see every frame.
    static bool isTaken(PyThreadState* thread);
};

}  // namespace kiln
