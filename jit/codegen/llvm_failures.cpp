#include "jit/codegen/llvm_failures.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace kiln {
namespace {

struct Attempt {
    std::jmp_buf start;
    char reason[256] = "";
};

// So the whole object's thread-local data, LLVM's as well, is there from the start: it can't run out of memory at its first use.
__attribute__((tls_model("initial-exec"))) thread_local Attempt* attempt = nullptr;

// The frames in between are left as they are: what they own is lost. As in LLVM's own CrashRecoveryContext. Without an attempt
// LLVM ends the process, as ever.
void giveUp(void*, const char* reason, bool) {
    if (attempt != nullptr) {
        std::snprintf(attempt->reason, sizeof attempt->reason, "LLVM gave up: %s", reason);
        std::longjmp(attempt->start, 1);
    }
}

// The reason is short enough for a string that allocates nothing.
void giveUpForMemory(void*, const char*, bool) {
    if (attempt != nullptr) {
        std::strcpy(attempt->reason, "out of memory");
        std::longjmp(attempt->start, 1);
    }
}

bool installHandlers() {
    llvm::install_fatal_error_handler(giveUp);
    llvm::install_bad_alloc_error_handler(giveUpForMemory);
    return true;
}

}  // namespace

bool survivesFailures(const std::function<void()>& body, std::string& error) {
    [[maybe_unused]] static const bool installed = installHandlers();
    Attempt here;
    attempt = &here;
    bool survived = setjmp(here.start) == 0;
    if (survived) {
        body();
    } else {
        error = here.reason;
    }
    attempt = nullptr;
    return survived;
}

bool isSurvivingFailures() {
    return attempt != nullptr;
}

std::unique_ptr<llvm::LLVMContext> makeContext(std::string& error) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto note = [](const llvm::DiagnosticInfo* diagnostic, void* text) {
        if (diagnostic->getSeverity() == llvm::DS_Error) {
            llvm::raw_string_ostream stream(*static_cast<std::string*>(text));
            llvm::DiagnosticPrinterRawOStream printer(stream);
            diagnostic->print(printer);
        }
    };
    context->setDiagnosticHandlerCallBack(note, &error);
    return context;
}

}  // namespace kiln

// LLVM's allocations fail like this: libstdc++ would throw, and nothing here catches. Local to the shared object. ASan has its
// own, and must see both ends of each.
#ifndef __SANITIZE_ADDRESS__
namespace {

void* orFail(void* memory) {
    if (memory == nullptr) {
        llvm::report_bad_alloc_error("no memory");
    }
    return memory;
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
    auto unit = static_cast<std::size_t>(alignment);
    return orFail(std::aligned_alloc(unit, (bytes + unit - 1) & ~(unit - 1)));
}

}  // namespace

void* operator new(std::size_t bytes) { return orFail(std::malloc(bytes != 0 ? bytes : 1)); }
void* operator new[](std::size_t bytes) { return orFail(std::malloc(bytes != 0 ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, alignment); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, alignment); }
#endif
