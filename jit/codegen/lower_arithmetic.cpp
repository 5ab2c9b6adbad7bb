// Int ops: exact, leaving where 64 bits do not suffice. Comparisons, constants.
#include <llvm/IR/Intrinsics.h>

#include "jit/codegen/lowering.h"

namespace kiln {

bool Lowering::lowerConstant(const ir::Instruction& in) {
    switch (in.op) {
        case ir::Op::k_const_int: define(in, number(in)); return true;
        case ir::Op::k_const_float: define(in, hidden(builder_.CreateBitCast(number(in), f64_))); return true;
        case ir::Op::k_const_bool: define(in, builder_.getInt1(in.immediate != 0)); return true;
        case ir::Op::k_const_no_box: define(in, pointerConstant(reinterpret_cast<const void*>(kBareInt))); return true;
        case ir::Op::k_const_unbound: define(in, llvm::ConstantPointerNull::get(pointer_)); return true;
        case ir::Op::k_float_box: {
            Value* box = value(in.operands[0]);
            Value* isBare = builder_.CreateICmpEQ(toWord(box), builder_.getInt64(kBareInt));
            define(in, builder_.CreateSelect(isBare, pointerConstant(reinterpret_cast<const void*>(kBareFloat)), box));
            return true;
        }
        case ir::Op::k_counted: {
            Value* box = value(in.operands[0]);
            define(in, builder_.CreateSelect(isCountedBox(box), box, llvm::ConstantPointerNull::get(pointer_)));
            return true;
        }
        case ir::Op::k_or_object: define(in, builder_.CreateSelect(builder_.CreateIsNull(value(in.operands[0])), object(in), value(in.operands[0]))); return true;
        case ir::Op::k_lend_box: define(in, fromWord(builder_.CreateOr(toWord(value(in.operands[0])), builder_.getInt64(1)), ir::Type::kObject)); return true;
        case ir::Op::k_const_box: define(in, pointerConstant(static_cast<const char*>(region_.objects[in.immediate]) + 1)); return true;
        case ir::Op::k_const_object: define(in, object(in)); return true;
        case ir::Op::k_root_function: define(in, rootFunction_); return true;
        default: return false;
    }
}

bool Lowering::lowerInt(const ir::Instruction& in) {
    auto a = [&] { return value(in.operands[0]); };
    auto b = [&] { return value(in.operands[1]); };
    auto checked = [&](llvm::Intrinsic::ID intrinsic, Value* left, Value* right) {
        if (in.snapshot == ir::kNoId) {
            define(in, deferredInt(in.op, left, right));
            return;
        }
        Value* pair = builder_.CreateBinaryIntrinsic(intrinsic, left, right);
        exitWhen(builder_.CreateExtractValue(pair, 1), in.snapshot);
        define(in, builder_.CreateExtractValue(pair, 0));
    };
    switch (in.op) {
        case ir::Op::k_int_add: checked(llvm::Intrinsic::sadd_with_overflow, a(), b()); return true;
        case ir::Op::k_int_sub: checked(llvm::Intrinsic::ssub_with_overflow, a(), b()); return true;
        case ir::Op::k_int_mul: checked(llvm::Intrinsic::smul_with_overflow, a(), b()); return true;
        case ir::Op::k_int_neg: checked(llvm::Intrinsic::ssub_with_overflow, builder_.getInt64(0), a()); return true;
        case ir::Op::k_int_and: define(in, builder_.CreateAnd(a(), b())); return true;
        case ir::Op::k_int_or: define(in, builder_.CreateOr(a(), b())); return true;
        case ir::Op::k_int_xor: define(in, builder_.CreateXor(a(), b())); return true;
        case ir::Op::k_int_not: define(in, builder_.CreateNot(a())); return true;
        case ir::Op::k_int_add_index: define(in, builder_.CreateNSWAdd(a(), b())); return true;
        case ir::Op::k_int_mul_index: define(in, builder_.CreateNSWMul(a(), b())); return true;
        case ir::Op::k_int_add_wrap: define(in, builder_.CreateAdd(a(), b())); return true;
        case ir::Op::k_int_sub_wrap: define(in, builder_.CreateSub(a(), b())); return true;
        case ir::Op::k_int_min: define(in, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a(), b())); return true;
        case ir::Op::k_int_max: define(in, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a(), b())); return true;
        case ir::Op::k_int_select: case ir::Op::k_float_select:
            define(in, builder_.CreateSelect(a(), b(), value(in.operands[2])));
            return true;
        case ir::Op::k_int_pow: define(in, fallible(RuntimeFunction::k_int_pow, i64_, {a(), b()}, in.snapshot)); return true;
        case ir::Op::k_range_length: {
            Value* length = pure(callRuntime(RuntimeFunction::k_range_length, i64_, {a(), b(), value(in.operands[2])}));
            exitWhen(builder_.CreateICmpSLT(length, builder_.getInt64(0)), in.snapshot);
            define(in, length);
            return true;
        }
        default: return false;
    }
}

// Python's // and % round towards minus infinity: the C quotient is one too large when the signs differ and a rest remains.
bool Lowering::lowerIntDivision(const ir::Instruction& in) {
    if (in.op != ir::Op::k_int_floordiv && in.op != ir::Op::k_int_mod && in.op != ir::Op::k_int_truediv) {
        return false;
    }
    Value* a = value(in.operands[0]);
    Value* b = value(in.operands[1]);
    auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(b);
    if (in.op != ir::Op::k_int_truediv && divisor != nullptr && divisor->getSExtValue() > 0 && divisor->getValue().isPowerOf2()) {
        // Rounding down is what an arithmetic shift does, and a mask leaves the divisor's sign.
        bool quotient = in.op == ir::Op::k_int_floordiv;
        define(in, quotient ? builder_.CreateAShr(a, divisor->getValue().logBase2())
                            : builder_.CreateAnd(a, builder_.getInt64(divisor->getZExtValue() - 1)));
        return true;
    }
    if (in.snapshot != ir::kNoId) {
        exitWhen(builder_.CreateICmpEQ(b, builder_.getInt64(0)), in.snapshot);
    }
    if (in.op == ir::Op::k_int_truediv) {
        // Up to 2**53 both convert exactly, so one division rounds once, as CPython's long division does.
        for (Value* side : {a, b}) {
            Value* shifted = builder_.CreateAdd(side, builder_.getInt64(int64_t{1} << 53));
            exitUnless(builder_.CreateICmpULE(shifted, builder_.getInt64(int64_t{1} << 54)), in.snapshot);
        }
        define(in, builder_.CreateFDiv(builder_.CreateSIToFP(a, f64_), builder_.CreateSIToFP(b, f64_)));
        return true;
    }
    if (in.snapshot != ir::kNoId) {
        Value* isMinimum = builder_.CreateICmpEQ(a, builder_.getInt64(uint64_t{1} << 63));
        Value* isMinusOne = builder_.CreateICmpEQ(b, builder_.getInt64(~uint64_t{0}));
        exitWhen(builder_.CreateAnd(isMinimum, isMinusOne), in.snapshot);
    }
    Value* quotient = builder_.CreateSDiv(a, b);
    Value* rest = builder_.CreateSub(a, builder_.CreateMul(quotient, b));
    Value* inexact = builder_.CreateICmpNE(rest, builder_.getInt64(0));
    Value* signsDiffer = builder_.CreateICmpSLT(builder_.CreateXor(a, b), builder_.getInt64(0));
    Value* adjust = builder_.CreateAnd(inexact, signsDiffer);
    if (in.op == ir::Op::k_int_floordiv) {
        define(in, builder_.CreateSub(quotient, builder_.CreateZExt(adjust, i64_)));
    } else {
        define(in, builder_.CreateAdd(rest, builder_.CreateSelect(adjust, b, builder_.getInt64(0))));
    }
    return true;
}

bool Lowering::lowerShift(const ir::Instruction& in) {
    if (in.op != ir::Op::k_int_shl && in.op != ir::Op::k_int_shl_wrap && in.op != ir::Op::k_int_shr && in.op != ir::Op::k_int_shr_unsigned) {
        return false;
    }
    Value* a = value(in.operands[0]);
    Value* given = value(in.operands[1]);
    Value* count = builder_.CreateAnd(given, builder_.getInt64(63));  // elsewhere LLVM knows no result
    switch (in.op) {
        case ir::Op::k_int_shr: define(in, builder_.CreateAShr(a, count)); return true;
        case ir::Op::k_int_shr_unsigned: define(in, builder_.CreateLShr(a, count)); return true;
        case ir::Op::k_int_shl_wrap: define(in, builder_.CreateShl(a, count)); return true;
        default: break;
    }
    exitUnless(builder_.CreateICmpULT(given, builder_.getInt64(63)), in.snapshot);
    Value* shifted = builder_.CreateShl(a, count);
    exitUnless(builder_.CreateICmpEQ(builder_.CreateAShr(shifted, count), a), in.snapshot);
    define(in, shifted);
    return true;
}

bool Lowering::lowerCompare(const ir::Instruction& in) {
    using P = llvm::CmpInst::Predicate;
    auto compare = [&](P predicate) {
        define(in, builder_.CreateCmp(predicate, value(in.operands[0]), value(in.operands[1])));
        return true;
    };
    switch (in.op) {
        case ir::Op::k_int_lt: return compare(P::ICMP_SLT);
        case ir::Op::k_int_le: return compare(P::ICMP_SLE);
        case ir::Op::k_int_eq: case ir::Op::k_object_is: return compare(P::ICMP_EQ);
        case ir::Op::k_int_ne: return compare(P::ICMP_NE);
        case ir::Op::k_int_gt: return compare(P::ICMP_SGT);
        case ir::Op::k_int_ge: return compare(P::ICMP_SGE);
        case ir::Op::k_int_below: return compare(P::ICMP_ULT);
        case ir::Op::k_float_lt: return compare(P::FCMP_OLT);
        case ir::Op::k_float_le: return compare(P::FCMP_OLE);
        case ir::Op::k_float_eq: return compare(P::FCMP_OEQ);
        case ir::Op::k_float_ne: return compare(P::FCMP_UNE);
        case ir::Op::k_float_gt: return compare(P::FCMP_OGT);
        case ir::Op::k_float_ge: return compare(P::FCMP_OGE);
        case ir::Op::k_bool_not: define(in, builder_.CreateNot(value(in.operands[0]))); return true;
        case ir::Op::k_bool_and: define(in, builder_.CreateAnd(value(in.operands[0]), value(in.operands[1]))); return true;
        case ir::Op::k_bool_or: define(in, builder_.CreateOr(value(in.operands[0]), value(in.operands[1]))); return true;
        case ir::Op::k_bool_xor: define(in, builder_.CreateXor(value(in.operands[0]), value(in.operands[1]))); return true;
        default: return false;
    }
}

llvm::CallInst* Lowering::pure(llvm::CallInst* call) {
    call->setMemoryEffects(llvm::MemoryEffects::argMemOnly());
    call->addFnAttr(llvm::Attribute::WillReturn);
    return call;
}

}  // namespace kiln
