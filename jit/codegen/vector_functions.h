// Functions of numbers that seldom need a call, each with a form for vectors: LLVM can vectorise the loops of strips around them.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace kiln {

// x ** exponent, or vectors of it, as the C library's pow() gives it, which need not be the double that is nearest to the power.
// Where it is not known to be, pow() itself is asked.
struct EasyPower {
    llvm::Value* result = nullptr;
    llvm::Value* isNear = nullptr;   // pow() gives it too, as it does of most numbers of a usual size
    llvm::Value* isExact = nullptr;  // the same of others
};
// Whether products, quotients and square roots make it: multiples of a half, but for those that need none.
bool isEasyExponent(double exponent);
EasyPower powerOf(llvm::IRBuilderBase& builder, llvm::Value* x, double exponent);

// A function of the module that takes such a power of its argument, by `power` where it must. Its vector forms are inlined
// behind all of LLVM's passes.
llvm::Function* powerFunction(llvm::Module& module, llvm::Constant* power, double exponent);
// How LLVM finds them: an attribute of calls.
void nameVectorForms(llvm::CallInst& call);

}  // namespace kiln
