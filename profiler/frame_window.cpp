#include "profiler/frame_window.h"

#include <utility>

#include "interp/cpython/frame_hook.h"

namespace kiln {
namespace {

struct OpenWindow {
    FrameObserver* observer = nullptr;
    PyThreadState* thread = nullptr;
    KilnFrame* caller = nullptr;  // on top when it was opened: of the thread's greenlets, the one that opened it
    int credit = 0;
};

OpenWindow current;
WindowStatistics counts;

// Hooks chain: one that came over this one may call it long after the window has closed.
PyObject* startFrame(PyThreadState* thread, KilnFrame* frame, int throwing) {
    OpenWindow window = std::exchange(current, {});
    kiln_frame_hook_remove(thread, startFrame);
    if (window.thread == thread && window.caller == kiln_current_frame(thread) && !throwing) {
        counts.frames++;
        PyObject* result = nullptr;
        if (window.observer->frameStarted(frame, &result)) {
            counts.takenOver++;
            kiln_frame_discard(thread, frame);
            return result;
        }
    }
    return kiln_frame_evaluate(thread, frame, throwing, window.credit);
}

}  // namespace

bool FrameWindow::isTaken(PyThreadState* thread) {
    KilnFrameHook hook = kiln_frame_hook_current(thread);
    return hook != nullptr && hook != startFrame;
}

bool FrameWindow::isOpen(PyThreadState* thread) {
    return current.thread == thread;
}

bool FrameWindow::open(PyThreadState* thread, FrameObserver& observer, int credit) {
    if (isTaken(thread)) {
        counts.notFree++;
        return false;
    }
    counts.opened++;
    current = {&observer, thread, kiln_current_frame(thread), credit};
    kiln_frame_hook_set(thread, startFrame);
    return true;
}

void FrameWindow::close(PyThreadState* thread, FrameObserver& observer) {
    if (current.observer == &observer) {
        current = {};
        kiln_frame_hook_remove(thread, startFrame);
    }
}

const WindowStatistics& FrameWindow::statistics() {
    return counts;
}

}  // namespace kiln
