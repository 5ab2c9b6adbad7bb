// Arithmetic and comparisons, with Python's // and % and numba's answers for a divisor of 0.
#include <llvm/IR/Intrinsics.h>

#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

llvm::Value* FunctionLowering::binary(const Instruction& instruction) {
    llvm::Value* left = scalar(instruction.operands[0]);
    llvm::Value* right = scalar(instruction.operands[1]);
    return instruction.type->isFloat() ? floatBinary(instruction.op, instruction.type, left, right)
                                       : integerBinary(instruction, left, right);
}

llvm::Value* FunctionLowering::integerBinary(const Instruction& instruction, llvm::Value* left, llvm::Value* right) {
    Op op = instruction.op;
    const Type* type = instruction.type;
    bool isSigned = type->isSigned();
    bool isPlain = instruction.isPlain && isSigned;
    auto shift = [&] {
        return builder_.CreateAnd(right,
                                  llvm::ConstantInt::get(right->getType(), static_cast<uint64_t>(type->bits - 1)));
    };
    switch (op) {
    case Op::kAdd: return builder_.CreateAdd(left, right, "", false, isPlain);
    case Op::kSubtract: return builder_.CreateSub(left, right, "", false, isPlain);
    case Op::kMultiply: return builder_.CreateMul(left, right, "", false, isPlain);
    case Op::kFloorDivide:
    case Op::kModulo: return integerDivide(op == Op::kModulo, isSigned && !isPlain, left, right);
    case Op::kPower: return integerPower(type, left, right);
    case Op::kAnd: return builder_.CreateAnd(left, right);
    case Op::kOr: return builder_.CreateOr(left, right);
    case Op::kXor: return builder_.CreateXor(left, right);
    case Op::kShiftLeft: return builder_.CreateShl(left, shift(), "", false, isPlain);
    case Op::kShiftRight: return isSigned ? builder_.CreateAShr(left, shift()) : builder_.CreateLShr(left, shift());
    case Op::kMinimum:
        return builder_.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, left, right);
    default:
        return builder_.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, left, right);
    }
}

// Divisors 0 and -1 are replaced by 1 for the instruction, which traps on them, and answered apart.
llvm::Value* FunctionLowering::integerDivide(bool modulo, bool isSigned, llvm::Value* left, llvm::Value* right) {
    llvm::Value* zero = llvm::ConstantInt::get(left->getType(), 0);
    llvm::Value* one = llvm::ConstantInt::get(left->getType(), 1);
    llvm::Value* isZero = builder_.CreateICmpEQ(right, zero);
    if (!isSigned) {
        llvm::Value* divisor = builder_.CreateSelect(isZero, one, right);
        llvm::Value* result = modulo ? builder_.CreateURem(left, divisor) : builder_.CreateUDiv(left, divisor);
        return builder_.CreateSelect(isZero, zero, result);
    }
    llvm::Value* isMinusOne = builder_.CreateICmpEQ(right, llvm::ConstantInt::getSigned(left->getType(), -1));
    llvm::Value* divisor = builder_.CreateSelect(builder_.CreateOr(isZero, isMinusOne), one, right);
    llvm::Value* rest = builder_.CreateSRem(left, divisor);
    llvm::Value* differs = builder_.CreateICmpSLT(builder_.CreateXor(rest, divisor), zero);
    llvm::Value* adjusts = builder_.CreateAnd(differs, builder_.CreateICmpNE(rest, zero));
    if (modulo) {
        llvm::Value* result = builder_.CreateSelect(adjusts, builder_.CreateAdd(rest, divisor), rest);
        return builder_.CreateSelect(builder_.CreateOr(isZero, isMinusOne), zero, result);
    }
    llvm::Value* quotient =
        builder_.CreateSub(builder_.CreateSDiv(left, divisor), builder_.CreateZExt(adjusts, left->getType()));
    quotient = builder_.CreateSelect(isMinusOne, builder_.CreateNeg(left), quotient);
    return builder_.CreateSelect(isZero, zero, quotient);
}

// CPython's float_divmod, but that a divisor of 0 gives inf or nan.
llvm::Value* FunctionLowering::floatDivide(bool modulo, llvm::Value* left, llvm::Value* right) {
    llvm::Type* type = left->getType();
    llvm::Value* zero = llvm::ConstantFP::get(type, 0.0);
    auto copySign = [&](llvm::Value* size, llvm::Value* sign) {
        return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, size, sign);
    };
    llvm::Value* rest = builder_.CreateFRem(left, right);
    llvm::Value* differs = builder_.CreateXor(builder_.CreateFCmpOLT(rest, zero), builder_.CreateFCmpOLT(right, zero));
    llvm::Value* adjusted = builder_.CreateSelect(differs, builder_.CreateFAdd(rest, right), rest);
    llvm::Value* hasRest = builder_.CreateFCmpUNE(rest, zero);
    llvm::Value* result = builder_.CreateSelect(hasRest, adjusted, copySign(zero, right));
    if (modulo) {
        return result;
    }
    llvm::Value* exact = builder_.CreateFDiv(builder_.CreateFSub(left, rest), right);
    llvm::Value* below = builder_.CreateFSub(exact, llvm::ConstantFP::get(type, 1.0));
    llvm::Value* quotient = builder_.CreateSelect(builder_.CreateAnd(differs, hasRest), below, exact);
    llvm::Value* floor = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient);
    llvm::Value* far = builder_.CreateFCmpOGT(builder_.CreateFSub(quotient, floor), llvm::ConstantFP::get(type, 0.5));
    llvm::Value* rounded =
        builder_.CreateSelect(far, builder_.CreateFAdd(floor, llvm::ConstantFP::get(type, 1.0)), floor);
    llvm::Value* plain = builder_.CreateFDiv(left, right);
    llvm::Value* some = builder_.CreateSelect(builder_.CreateFCmpUNE(quotient, zero), rounded, copySign(zero, plain));
    return builder_.CreateSelect(builder_.CreateFCmpOEQ(right, zero), plain, some);
}

llvm::Value* FunctionLowering::floatBinary(Op op, const Type* type, llvm::Value* left, llvm::Value* right) {
    switch (op) {
    case Op::kAdd: return builder_.CreateFAdd(left, right);
    case Op::kSubtract: return builder_.CreateFSub(left, right);
    case Op::kMultiply: return builder_.CreateFMul(left, right);
    case Op::kDivide: return builder_.CreateFDiv(left, right);
    case Op::kFloorDivide:
    case Op::kModulo: return floatDivide(op == Op::kModulo, left, right);
    case Op::kMinimum: return builder_.CreateMinNum(left, right);
    default: return builder_.CreateMaxNum(left, right);
    }
}

// Repeated squaring. Negative exponents give 0, except for bases 1 and -1, and the least value for base 0.
llvm::Value* FunctionLowering::integerPower(const Type* type, llvm::Value* base, llvm::Value* exponent) {
    llvm::Type* word = base->getType();
    llvm::Value* zero = llvm::ConstantInt::get(word, 0);
    llvm::Value* one = llvm::ConstantInt::get(word, 1);
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* head = newBlock("power");
    llvm::BasicBlock* body = newBlock("body");
    llvm::BasicBlock* exit = newBlock("exit");
    branchTo(head);
    llvm::PHINode* result = builder_.CreatePHI(word, 2);
    llvm::PHINode* factor = builder_.CreatePHI(word, 2);
    llvm::PHINode* rest = builder_.CreatePHI(word, 2);
    result->addIncoming(one, before);
    factor->addIncoming(base, before);
    rest->addIncoming(exponent, before);
    bool isSigned = type->isSigned();
    builder_.CreateCondBr(isSigned ? builder_.CreateICmpSGT(rest, zero) : builder_.CreateICmpNE(rest, zero), body,
                          exit);
    builder_.SetInsertPoint(body);
    llvm::Value* odd = builder_.CreateICmpNE(builder_.CreateAnd(rest, one), zero);
    result->addIncoming(builder_.CreateSelect(odd, builder_.CreateMul(result, factor), result), body);
    factor->addIncoming(builder_.CreateMul(factor, factor), body);
    rest->addIncoming(builder_.CreateLShr(rest, one), body);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(exit);
    if (!isSigned) {
        return result;
    }
    llvm::Value* minusOne = llvm::ConstantInt::getSigned(word, -1);
    llvm::Value* least = llvm::ConstantInt::get(word, uint64_t(1) << (type->bits - 1));
    llvm::Value* isOdd = builder_.CreateICmpNE(builder_.CreateAnd(exponent, one), zero);
    llvm::Value* ofMinusOne = builder_.CreateSelect(isOdd, minusOne, one);
    llvm::Value* inverse = builder_.CreateSelect(builder_.CreateICmpEQ(base, minusOne), ofMinusOne, zero);
    inverse = builder_.CreateSelect(builder_.CreateICmpEQ(base, one), one, inverse);
    inverse = builder_.CreateSelect(builder_.CreateICmpEQ(base, zero), least, inverse);
    return builder_.CreateSelect(builder_.CreateICmpSLT(exponent, zero), inverse, result);
}

llvm::Value* FunctionLowering::comparison(const Instruction& instruction) {
    using P = llvm::CmpInst::Predicate;
    static constexpr P kFloats[] = {P::FCMP_OEQ, P::FCMP_UNE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
    static constexpr P kSigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
    static constexpr P kUnsigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
    const Type* type = function_.values[instruction.operands[0]];
    const Type* other = function_.values[instruction.operands[1]];
    llvm::Value* left = scalar(instruction.operands[0]);
    llvm::Value* right = scalar(instruction.operands[1]);
    int kind = static_cast<int>(instruction.op) - static_cast<int>(Op::kEqual);
    if (type != other) {
        return mixedComparison(instruction.op, left, right, type->isSigned());
    }
    if (type->isFloat()) {
        return builder_.CreateFCmp(kFloats[kind], left, right);
    }
    return builder_.CreateICmp(type->isSigned() ? kSigned[kind] : kUnsigned[kind], left, right);
}

// A negative int64 is less than every uint64.
llvm::Value* FunctionLowering::mixedComparison(Op op, llvm::Value* left, llvm::Value* right, bool leftSigned) {
    llvm::Value* isNegative = builder_.CreateICmpSLT(leftSigned ? left : right, int64(0));
    using P = llvm::CmpInst::Predicate;
    static constexpr P kUnsigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
    llvm::Value* plain =
        builder_.CreateICmp(kUnsigned[static_cast<int>(op) - static_cast<int>(Op::kEqual)], left, right);
    bool isLess = op == Op::kLess || op == Op::kLessEqual;
    bool whenNegative = op == Op::kNotEqual || (op != Op::kEqual && isLess == leftSigned);
    return builder_.CreateSelect(isNegative, builder_.getInt1(whenNegative), plain);
}

}  // namespace kiln::gpu
