// Where LLVM would end the process, only the compilation ends.
#pragma once

#include <llvm/IR/LLVMContext.h>

#include <functional>
#include <memory>
#include <string>

namespace kiln {

// Runs body(). False, with the reason, when LLVM gave up in the midst of it: its memory and locks are as they were then, so that
// nothing of LLVM's that body() used may be used any more.
bool survivesFailures(const std::function<void()>& body, std::string& error);

// Is this thread in such a body()?
bool isSurvivingFailures();

// A context whose errors are put into `error`, which must outlive it, instead of ending the process.
std::unique_ptr<llvm::LLVMContext> makeContext(std::string& error);

}  // namespace kiln
