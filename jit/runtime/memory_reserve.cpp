#include "jit/runtime/memory_reserve.h"

#include <sys/mman.h>

#include <csetjmp>
#include <cstddef>
#include <new>
#include <utility>

namespace kiln {
namespace {

// Some of CPython's arenas, and what one exit may need. Pages that nobody touches cost addresses only.
constexpr size_t kReserve = 8 << 20;

void* reserve = nullptr;

thread_local std::jmp_buf* attempt = nullptr;

bool giveBack() {
    bool had = reserve != nullptr && munmap(reserve, kReserve) == 0;
    reserve = nullptr;
    reserveIsGone = true;
    return had;
}

// For `new`, on any thread: it tries again when this returns.
void onNewFailed() {
    if (attempt != nullptr) {
        std::longjmp(*attempt, 1);
    }
    bool isProgram = _PyThreadState_UncheckedGet() != nullptr;
    if (!isProgram || !giveBack()) {
        Py_FatalError("kiln: no memory is left for the interpreter's state");
    }
    PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), PyExc_MemoryError);
}

}  // namespace

bool reserveIsGone = true;

bool takeReserve() {
    // Until the MemoryError is raised the program goes on with what the reserve was.
    if (PyThreadState_Get()->async_exc != nullptr) {
        return false;
    }
    std::set_new_handler(onNewFailed);
    void* memory = mmap(nullptr, kReserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
        reserve = memory;
        reserveIsGone = false;
    }
    return !reserveIsGone;
}

bool survivesLackOfMemory(const std::function<void()>& body) {
    std::jmp_buf start;
    std::jmp_buf* around = std::exchange(attempt, &start);
    bool survived = setjmp(start) == 0;
    if (survived) {
        body();
    }
    attempt = around;
    return survived;
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
