#include "jit/runtime/memory_reserve.h"

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace kiln {
namespace {

// Some of CPython's arenas, and what one exit may need. Pages that nobody touches cost addresses only.
constexpr size_t kReserve = 8 << 20;

void* reserve = nullptr;

bool giveBack() {
    bool had = reserve != nullptr && munmap(reserve, kReserve) == 0;
    reserve = nullptr;
    reserveIsGone = true;
    return had;
}

// For `new`, on any thread. Without the reserve it fails as it would without kiln.
void onNewFailed() {
    std::set_new_handler(nullptr);
    giveBack();
    if (PyGILState_Check()) {
        PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), PyExc_MemoryError);
    }
}

}  // namespace

bool reserveIsGone = true;

void takeReserve() {
    // Until the MemoryError is raised the program goes on with what the reserve was.
    if (PyThreadState_Get()->async_exc != nullptr) {
        return;
    }
    void* memory = mmap(nullptr, kReserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
        reserve = memory;
        reserveIsGone = false;
        std::set_new_handler(onNewFailed);
    }
}

bool giveReserve() {
    if (!giveBack()) {
        return false;
    }
    PyErr_Clear();
    PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), PyExc_MemoryError);
    return true;
}

}  // namespace kiln
