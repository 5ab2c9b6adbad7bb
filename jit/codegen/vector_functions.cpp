#include "jit/codegen/vector_functions.h"

#include <array>
#include <cmath>
#include <string>

#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace kiln {
namespace {

using llvm::Value;

constexpr std::array<unsigned, 3> kWidths = {2, 4, 8};
constexpr double kLeastExponent = -3.0;
constexpr double kLargestExponent = 4.0;

std::string scalarName(double exponent) {
    const std::string halves = std::to_string(static_cast<int>(std::abs(exponent) * 2));
    return (exponent < 0 ? "kiln_power_of_less_" : "kiln_power_of_") + halves + "_halves";
}

std::string vectorName(const std::string& scalar, unsigned width) {
    return scalar + "_" + std::to_string(width);
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

llvm::CallInst* callPower(llvm::IRBuilder<>& builder, llvm::Constant* power, Value* x, double exponent) {
    llvm::Type* type = x->getType();
    llvm::CallInst* call = builder.CreateCall(llvm::FunctionType::get(type, {type, type}, false), power, {x, llvm::ConstantFP::get(type, exponent)});
    call->setMemoryEffects(llvm::MemoryEffects::none());
    call->setDoesNotThrow();
    call->addFnAttr(llvm::Attribute::WillReturn);
    return call;
}

// Of one number: never inlined, for LLVM to find its vector forms.
llvm::Function* makeScalar(llvm::Module& module, llvm::Constant* power, double exponent) {
    llvm::Function* function = makeFunction(module, llvm::Type::getDoubleTy(module.getContext()), scalarName(exponent));
    function->addFnAttr(llvm::Attribute::NoInline);
    llvm::IRBuilder<> builder(addBlock(function, "entry"));
    llvm::BasicBlock* ask = addBlock(function, "ask");
    llvm::BasicBlock* done = addBlock(function, "done");
    EasyPower easy = powerOf(builder, function->getArg(0), exponent);
    builder.CreateCondBr(builder.CreateOr(easy.isNear, easy.isExact), done, ask);
    builder.SetInsertPoint(done);
    builder.CreateRet(easy.result);
    builder.SetInsertPoint(ask);
    builder.CreateRet(callPower(builder, power, function->getArg(0), exponent));
    return function;
}

// The numbers that are not known are asked for one by one.
void makeVector(llvm::Module& module, llvm::Function* scalar, double exponent, unsigned width) {
    auto* type = llvm::FixedVectorType::get(scalar->getReturnType(), width);
    llvm::Function* function = makeFunction(module, type, vectorName(scalarName(exponent), width));
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::appendToCompilerUsed(module, {function});
    llvm::IRBuilder<> builder(addBlock(function, "entry"));
    llvm::BasicBlock* ask = addBlock(function, "ask");
    llvm::BasicBlock* done = addBlock(function, "done");
    Value* x = function->getArg(0);
    EasyPower easy = powerOf(builder, x, exponent);
    builder.CreateCondBr(builder.CreateAndReduce(easy.isNear), done, ask);
    llvm::BasicBlock* entry = builder.GetInsertBlock();
    builder.SetInsertPoint(ask);
    Value* result = easy.result;
    for (uint64_t lane = 0; lane < width; lane++) {
        llvm::BasicBlock* here = builder.GetInsertBlock();
        llvm::BasicBlock* one = addBlock(function, "one");
        llvm::BasicBlock* next = addBlock(function, "next");
        builder.CreateCondBr(builder.CreateExtractElement(easy.isNear, lane), next, one);
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
    merged->addIncoming(easy.result, entry);
    merged->addIncoming(result, last);
    builder.CreateRet(merged);
}

// A number as a sum: `low` is what `high` lacks, but for some units of 2**-105 of it.
struct Twofold {
    Value* high;
    Value* low;  // nullptr: nothing
};

class TwofoldBuilder {
public:
    TwofoldBuilder(llvm::IRBuilderBase& builder, Value* x) : builder_(builder), x_(x) {}

    Twofold power(double exponent) {
        const double size = std::abs(exponent);
        Twofold result = size == std::floor(size) ? Twofold{x_, nullptr} : root();
        const int factors = static_cast<int>(size) - (size == std::floor(size) ? 1 : 0);
        for (int factor = 0; factor < factors; factor++) {
            result = timesX(result);
        }
        return nearest(exponent < 0 ? reciprocal(result) : result);
    }

private:
    Value* number(double constant) { return llvm::ConstantFP::get(x_->getType(), constant); }
    Value* fused(Value* a, Value* b, Value* c) { return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {x_->getType()}, {a, b, c}); }

    Twofold root() {
        Value* high = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x_);
        Value* rest = fused(builder_.CreateFNeg(high), high, x_);
        return {high, builder_.CreateFDiv(rest, builder_.CreateFAdd(high, high))};
    }
    Twofold timesX(Twofold a) {
        Value* high = builder_.CreateFMul(a.high, x_);
        Value* rest = fused(a.high, x_, builder_.CreateFNeg(high));
        return {high, a.low != nullptr ? builder_.CreateFAdd(rest, builder_.CreateFMul(a.low, x_)) : rest};
    }
    Twofold reciprocal(Twofold a) {
        Value* high = builder_.CreateFDiv(number(1.0), a.high);
        Value* rest = fused(builder_.CreateFNeg(high), a.high, number(1.0));
        if (a.low != nullptr) {
            rest = builder_.CreateFSub(rest, builder_.CreateFMul(a.low, high));
        }
        return {high, builder_.CreateFMul(high, rest)};
    }
    Twofold nearest(Twofold a) {
        Value* high = builder_.CreateFAdd(a.high, a.low);
        return {high, builder_.CreateFSub(a.low, builder_.CreateFSub(high, a.high))};
    }

    llvm::IRBuilderBase& builder_;
    Value* x_;
};

}  // namespace

bool isEasyExponent(double exponent) {
    return exponent >= kLeastExponent && exponent <= kLargestExponent && exponent * 2 == std::floor(exponent * 2) && exponent != 0 && exponent != 1;
}

// The C library's pow() is off by less than 0.54 units in the last place (glibc's e_pow.c), and so gives the nearest double where the
// exact power is no further from that than 0.46. Between 2**-40 and 2**40 it is off by less than 0.511 units: what makes the rest, an
// error of the logarithm, grows with that. Where the power is nearer to the middle between two doubles, pow() itself is asked. So it is
// where the result is too small, too large, or a power of two, below which units are smaller.
EasyPower powerOf(llvm::IRBuilderBase& builder, Value* x, double exponent) {
    constexpr uint64_t kExponent = 0x7ff0000000000000;
    constexpr uint64_t kMantissa = 0x000fffffffffffff;
    constexpr double kUnit = 0x1p-52;
    llvm::Type* type = x->getType();
    llvm::Type* bitsType = type->getWithNewType(builder.getInt64Ty());
    auto number = [&](double constant) { return llvm::ConstantFP::get(type, constant); };
    auto word = [&](uint64_t constant) { return llvm::ConstantInt::get(bitsType, constant); };
    const Twofold power = TwofoldBuilder(builder, x).power(exponent);
    Value* bits = builder.CreateBitCast(power.high, bitsType);
    Value* size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, power.high);
    Value* distance = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, power.low);
    Value* unit = builder.CreateBitCast(builder.CreateAnd(bits, word(kExponent)), type);
    Value* isNoPower = builder.CreateICmpNE(builder.CreateAnd(bits, word(kMantissa)), word(0));
    auto isNear = [&](double units, double smallest, double largest) {
        Value* isBetween = builder.CreateAnd(builder.CreateFCmpOGT(size, number(smallest)), builder.CreateFCmpOLT(size, number(largest)));
        Value* isClose = builder.CreateFCmpOLT(distance, builder.CreateFMul(unit, number(units * kUnit)));
        return builder.CreateAnd(builder.CreateAnd(isBetween, isClose), isNoPower);
    };
    return {.result = power.high, .isNear = isNear(0.489, 0x1p-40, 0x1p40), .isExact = isNear(0.45, 0x1p-300, 0x1p300)};
}

llvm::Function* powerFunction(llvm::Module& module, llvm::Constant* power, double exponent) {
    if (llvm::Function* made = module.getFunction(scalarName(exponent))) {
        return made;
    }
    llvm::Function* scalar = makeScalar(module, power, exponent);
    for (unsigned width : kWidths) {
        makeVector(module, scalar, exponent, width);
    }
    return scalar;
}

void nameVectorForms(llvm::CallInst& call) {
    const std::string scalar = call.getCalledFunction()->getName().str();
    std::string names;
    for (unsigned width : kWidths) {
        names += (names.empty() ? "" : ",") + std::string("_ZGV_LLVM_N") + std::to_string(width) + "v_" + scalar + "(" + vectorName(scalar, width) + ")";
    }
    call.addFnAttr(llvm::Attribute::get(call.getContext(), "vector-function-abi-variant", names));
}

}  // namespace kiln
