#include "jit/codegen/vector_functions.h"

#include <array>
#include <string>

#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace kiln {
namespace {

using llvm::Value;

constexpr const char* kSquare = "kiln_square";
constexpr std::array<unsigned, 3> kWidths = {2, 4, 8};

std::string vectorName(unsigned width) {
    return std::string(kSquare) + "_" + std::to_string(width);
}

llvm::Function* makeFunction(llvm::Module& module, llvm::Type* type, const std::string& name) {
    auto* function = llvm::Function::Create(llvm::FunctionType::get(type, {type}, false), llvm::GlobalValue::InternalLinkage, name, module);
    function->setMemoryEffects(llvm::MemoryEffects::none());
    function->setDoesNotThrow();
    function->addFnAttr(llvm::Attribute::WillReturn);
    return function;
}

llvm::BasicBlock* addBlock(llvm::Function* function, const char* name) {
    return llvm::BasicBlock::Create(function->getContext(), name, function);
}

llvm::CallInst* callPower(llvm::IRBuilder<>& builder, llvm::Constant* power, Value* x) {
    llvm::Type* type = x->getType();
    llvm::CallInst* call = builder.CreateCall(llvm::FunctionType::get(type, {type, type}, false), power, {x, llvm::ConstantFP::get(type, 2.0)});
    call->setMemoryEffects(llvm::MemoryEffects::none());
    call->setDoesNotThrow();
    call->addFnAttr(llvm::Attribute::WillReturn);
    return call;
}

// Of one number: never inlined, for LLVM to find its vector forms.
llvm::Function* makeScalar(llvm::Module& module, llvm::Constant* power) {
    llvm::Function* function = makeFunction(module, llvm::Type::getDoubleTy(module.getContext()), kSquare);
    function->addFnAttr(llvm::Attribute::NoInline);
    llvm::IRBuilder<> builder(addBlock(function, "entry"));
    llvm::BasicBlock* ask = addBlock(function, "ask");
    llvm::BasicBlock* done = addBlock(function, "done");
    Square square = squareOf(builder, function->getArg(0));
    builder.CreateCondBr(builder.CreateOr(square.isNear, square.isExact), done, ask);
    builder.SetInsertPoint(done);
    builder.CreateRet(square.product);
    builder.SetInsertPoint(ask);
    builder.CreateRet(callPower(builder, power, function->getArg(0)));
    return function;
}

// The numbers that are not known are asked for one by one.
void makeVector(llvm::Module& module, llvm::Function* scalar, unsigned width) {
    auto* type = llvm::FixedVectorType::get(scalar->getReturnType(), width);
    llvm::Function* function = makeFunction(module, type, vectorName(width));
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::appendToCompilerUsed(module, {function});
    llvm::IRBuilder<> builder(addBlock(function, "entry"));
    llvm::BasicBlock* ask = addBlock(function, "ask");
    llvm::BasicBlock* done = addBlock(function, "done");
    Value* x = function->getArg(0);
    Square square = squareOf(builder, x);
    builder.CreateCondBr(builder.CreateAndReduce(square.isNear), done, ask);
    llvm::BasicBlock* entry = builder.GetInsertBlock();
    builder.SetInsertPoint(ask);
    Value* result = square.product;
    for (uint64_t lane = 0; lane < width; lane++) {
        llvm::BasicBlock* here = builder.GetInsertBlock();
        llvm::BasicBlock* one = addBlock(function, "one");
        llvm::BasicBlock* next = addBlock(function, "next");
        builder.CreateCondBr(builder.CreateExtractElement(square.isNear, lane), next, one);
        builder.SetInsertPoint(one);
        Value* asked = builder.CreateInsertElement(result, builder.CreateCall(scalar, {builder.CreateExtractElement(x, lane)}), lane);
        builder.CreateBr(next);
        builder.SetInsertPoint(next);
        llvm::PHINode* merged = builder.CreatePHI(type, 2);
        merged->addIncoming(result, here);
        merged->addIncoming(asked, one);
        result = merged;
    }
    llvm::BasicBlock* last = builder.GetInsertBlock();
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    llvm::PHINode* merged = builder.CreatePHI(type, 2);
    merged->addIncoming(square.product, entry);
    merged->addIncoming(result, last);
    builder.CreateRet(merged);
}

}  // namespace

// The C library's pow() is off by less than 0.54 units in the last place (glibc's e_pow.c), and so gives the nearest double where the
// exact square is no further from that than 0.46. Between 2**-40 and 2**40 it is off by less than 0.511 units: what makes the rest, an
// error of the logarithm, grows with that. Where the square is nearer to the middle between two doubles, pow() itself is asked. So it is
// where the product is too small, too large, or a power of two, below which units are smaller.
Square squareOf(llvm::IRBuilderBase& builder, Value* x) {
    constexpr uint64_t kExponent = 0x7ff0000000000000;
    constexpr uint64_t kMantissa = 0x000fffffffffffff;
    constexpr double kUnit = 0x1p-52;
    llvm::Type* type = x->getType();
    llvm::Type* bitsType = type->getWithNewType(builder.getInt64Ty());
    auto number = [&](double constant) { return llvm::ConstantFP::get(type, constant); };
    auto word = [&](uint64_t constant) { return llvm::ConstantInt::get(bitsType, constant); };
    Square square;
    square.product = builder.CreateFMul(x, x);
    Value* bits = builder.CreateBitCast(square.product, bitsType);
    Value* rest = builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {x, x, builder.CreateFNeg(square.product)});
    Value* distance = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, rest);
    Value* exponent = builder.CreateBitCast(builder.CreateAnd(bits, word(kExponent)), type);
    Value* isNoPower = builder.CreateICmpNE(builder.CreateAnd(bits, word(kMantissa)), word(0));
    auto isNear = [&](double units, double smallest, double largest) {
        Value* isBetween = builder.CreateAnd(builder.CreateFCmpOGT(square.product, number(smallest)),
                                             builder.CreateFCmpOLT(square.product, number(largest)));
        Value* isClose = builder.CreateFCmpOLT(distance, builder.CreateFMul(exponent, number(units * kUnit)));
        return builder.CreateAnd(builder.CreateAnd(isBetween, isClose), isNoPower);
    };
    square.isNear = isNear(0.489, 0x1p-40, 0x1p40);
    square.isExact = isNear(0.45, 0x1p-900, 0x1p1023);
    return square;
}

llvm::Function* squareFunction(llvm::Module& module, llvm::Constant* power) {
    if (llvm::Function* made = module.getFunction(kSquare)) {
        return made;
    }
    llvm::Function* scalar = makeScalar(module, power);
    for (unsigned width : kWidths) {
        makeVector(module, scalar, width);
    }
    return scalar;
}

void nameVectorForms(llvm::CallInst& call) {
    std::string names;
    for (unsigned width : kWidths) {
        names += (names.empty() ? "" : ",") + std::string("_ZGV_LLVM_N") + std::to_string(width) + "v_" + kSquare + "(" + vectorName(width) + ")";
    }
    call.addFnAttr(llvm::Attribute::get(call.getContext(), "vector-function-abi-variant", names));
}

}  // namespace kiln
