// Functions of numbers that seldom need a call, each with a form for vectors: LLVM can vectorise the loops of strips around them.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace kiln {

// x ** 2.0, or what the C library's pow() gives, which need not be the same: a product, or vectors of them, that pow() gives too.
// Where this is not known to be so, pow() itself is asked.
struct Square {
    llvm::Value* product = nullptr;
    llvm::Value* isNear = nullptr;   // pow() gives it too, as it does of most numbers of a usual size
    llvm::Value* isExact = nullptr;  // the same of others
};
Square squareOf(llvm::IRBuilderBase& builder, llvm::Value* x);

// A function of the module that squares, by `power` with a second argument of 2.0 where it must. Its vector forms are inlined
// behind all of LLVM's passes.
llvm::Function* squareFunction(llvm::Module& module, llvm::Constant* power);
// How LLVM finds them: an attribute of calls.
void nameVectorForms(llvm::CallInst& call);

}  // namespace kiln
