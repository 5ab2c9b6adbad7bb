// Float ops and the math module: IEEE doubles, no contraction, libm called as CPython calls it.
#include <llvm/IR/Intrinsics.h>

#include "jit/codegen/lowering.h"
#include "jit/codegen/vector_functions.h"

namespace kiln {
namespace {

// A constant with which a power is easy, where the processor has what that takes.
bool isEasy(llvm::Value* exponent) {
    auto* constant = llvm::dyn_cast<llvm::ConstantFP>(exponent);
    return constant != nullptr && isEasyExponent(constant->getValueAPF().convertToDouble()) && __builtin_cpu_supports("fma");
}

}  // namespace

bool Lowering::lowerFloat(const ir::Instruction& in) {
    auto a = [&] { return hidden(value(in.operands[0])); };
    auto b = [&] { return hidden(value(in.operands[1])); };
    auto zeroDivisor = [&] { exitWhen(builder_.CreateFCmpOEQ(b(), llvm::ConstantFP::get(f64_, 0.0)), in.snapshot); };
    switch (in.op) {
        case ir::Op::k_float_add: define(in, builder_.CreateFAdd(a(), b())); return true;
        case ir::Op::k_float_sub: define(in, builder_.CreateFSub(a(), b())); return true;
        case ir::Op::k_float_mul: define(in, builder_.CreateFMul(a(), b())); return true;
        case ir::Op::k_float_neg: define(in, negative(value(in.operands[0]))); return true;
        case ir::Op::k_float_abs: define(in, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a())); return true;
        case ir::Op::k_float_bits: define(in, builder_.CreateBitCast(a(), i64_)); return true;
        case ir::Op::k_float_div:
            zeroDivisor();
            define(in, builder_.CreateFDiv(a(), b()));
            return true;
        case ir::Op::k_float_floordiv:
            zeroDivisor();
            define(in, pure(callRuntime(RuntimeFunction::k_float_floordiv, f64_, {a(), b()})));
            return true;
        case ir::Op::k_float_mod:
            zeroDivisor();
            define(in, pure(callRuntime(RuntimeFunction::k_float_mod, f64_, {a(), b()})));
            return true;
        case ir::Op::k_complex_real: define(in, load(f64_, a(), Field::k_complex_real, Memory::kFloat)); return true;
        case ir::Op::k_complex_imag: define(in, load(f64_, a(), Field::k_complex_imag, Memory::kFloat)); return true;
        case ir::Op::k_complex_abs: define(in, fallible(RuntimeFunction::k_complex_abs, f64_, {a(), b()}, in.snapshot)); return true;
        case ir::Op::k_float_pow: define(in, isEasy(b()) ? easyPower(in) : power(in)); return true;
        case ir::Op::k_pure_float: {
            auto helper = static_cast<Helper>(in.immediate);
            auto intrinsic = helper == Helper::k_floor  ? llvm::Intrinsic::floor
                             : helper == Helper::k_ceil ? llvm::Intrinsic::ceil
                                                        : llvm::Intrinsic::roundeven;
            define(in, builder_.CreateUnaryIntrinsic(intrinsic, a()));
            return true;
        }
        default: return false;
    }
}

// The function says in the scratch word, its last argument, where only CPython knows the result.
llvm::Value* Lowering::fallible(RuntimeFunction function, llvm::Type* type, std::vector<Value*> arguments, ir::SnapshotId exit) {
    arguments.push_back(scratch_);
    Value* result = pure(callRuntime(function, type, arguments));
    exitWhen(builder_.CreateICmpNE(builder_.CreateLoad(i64_, scratch_), builder_.getInt64(0)), exit);
    return result;
}

llvm::Value* Lowering::power(const ir::Instruction& in) {
    return fallible(RuntimeFunction::k_float_pow, f64_, {value(in.operands[0]), value(in.operands[1])}, in.snapshot);
}

// x ** 2.0, x ** 0.5 and the like. In a strip by a function that LLVM can vectorise: what is no number then fails.
llvm::Value* Lowering::easyPower(const ir::Instruction& in) {
    Value* x = value(in.operands[0]);
    const double exponent = llvm::cast<llvm::ConstantFP>(value(in.operands[1]))->getValueAPF().convertToDouble();
    if (in.snapshot == ir::kNoId) {
        auto* power = llvm::cast<llvm::Constant>(pointerConstant(environment_.math[static_cast<int>(MathFunction::k_pow)]));
        llvm::CallInst* result = builder_.CreateCall(powerFunction(module_, power, exponent), {x});
        nameVectorForms(*result);
        Value* size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, result);
        exitUnless(builder_.CreateFCmpOLT(size, llvm::ConstantFP::getInfinity(f64_)), in.snapshot);
        return result;
    }
    EasyPower easy = powerOf(builder_, x, exponent);
    auto ask = [&] {
        return choose(easy.isExact, [&] { return easy.result; }, [&] { return power(in); });
    };
    return choose(easy.isNear, [&] { return easy.result; }, ask, Odds::kLikely);
}

// A result that is not finite though the arguments are, or nan though none of them is, is where math.* raises.
bool Lowering::lowerMath(const ir::Instruction& in) {
    if (in.op != ir::Op::k_math_unary && in.op != ir::Op::k_math_binary) {
        return false;
    }
    auto function = static_cast<MathFunction>(in.immediate);
    std::vector<Value*> arguments;
    for (ir::ValueId operand : in.operands) {
        arguments.push_back(value(operand));
    }
    Value* result;
    if (function == MathFunction::k_sqrt) {
        exitWhen(builder_.CreateFCmpOLT(arguments[0], llvm::ConstantFP::get(f64_, 0.0)), in.snapshot);  // no other becomes nan
        define(in, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, arguments[0]));
        return true;
    } else if (function == MathFunction::k_fabs) {
        define(in, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, arguments[0]));
        return true;
    } else if (function == MathFunction::k_hypot) {
        result = pure(callRuntime(RuntimeFunction::k_float_hypot, f64_, arguments));
    } else {
        result = pure(call(environment_.math[in.immediate], f64_, arguments));
    }
    Value* infinity = llvm::ConstantFP::getInfinity(f64_);
    auto magnitude = [&](Value* x) { return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
    auto areFinite = [&] {
        Value* finite = builder_.getTrue();
        for (Value* argument : arguments) {
            finite = builder_.CreateAnd(finite, builder_.CreateFCmpOLT(magnitude(argument), infinity));
        }
        return finite;
    };
    auto raises = [&]() -> Value* {
        Value* becameNan = builder_.CreateFCmpUNO(result, result);
        for (Value* argument : arguments) {
            becameNan = builder_.CreateAnd(becameNan, builder_.CreateFCmpORD(argument, argument));
        }
        Value* becameInfinite = builder_.CreateAnd(builder_.CreateFCmpOEQ(magnitude(result), infinity), areFinite());
        return builder_.CreateOr(becameNan, becameInfinite);
    };
    if (arguments.size() == 2 && function == MathFunction::k_pow) {
        exitUnless(areFinite(), in.snapshot);  // math.pow has rules of its own for infinities and nan
    }
    if (in.snapshot == ir::kNoId) {
        exitWhen(raises(), in.snapshot);
    } else {  // a finite result tells all, and most are
        Value* isFinite = builder_.CreateFCmpOLT(magnitude(result), infinity);
        exitWhen(choose(isFinite, [&]() -> Value* { return builder_.getFalse(); }, raises, Odds::kLikely), in.snapshot);
    }
    define(in, result);
    return true;
}

bool Lowering::lowerConversion(const ir::Instruction& in) {
    auto a = [&] { return value(in.operands[0]); };
    switch (in.op) {
        case ir::Op::k_bool_to_int: define(in, builder_.CreateZExt(a(), i64_)); return true;
        case ir::Op::k_int_to_float: define(in, builder_.CreateSIToFP(a(), f64_)); return true;
        case ir::Op::k_float_to_int: {
            Value* low = llvm::ConstantFP::get(f64_, -9223372036854775808.0);
            Value* high = llvm::ConstantFP::get(f64_, 9223372036854775808.0);
            Value* fits = builder_.CreateAnd(builder_.CreateFCmpOGE(a(), low), builder_.CreateFCmpOLT(a(), high));
            exitUnless(fits, in.snapshot);
            Value* number = builder_.CreateFPToSI(a(), i64_);
            define(in, in.snapshot == ir::kNoId ? builder_.CreateFreeze(number) : number);  // else never poison
            return true;
        }
        case ir::Op::k_unbox_float: define(in, load(f64_, a(), Field::k_float_value, Memory::kFloat)); return true;
        case ir::Op::k_unbox_bool: define(in, builder_.CreateICmpEQ(a(), pointerConstant(environment_.objectTrue))); return true;
        case ir::Op::k_box_bool:
            define(in, builder_.CreateSelect(a(), pointerConstant(environment_.objectTrue), pointerConstant(environment_.objectFalse)));
            return true;
        case ir::Op::k_box_int: case ir::Op::k_box_float: define(in, boxNumber(a())); return true;
        case ir::Op::k_ensure_box: define(in, ensureBox(a(), value(in.operands[1]))); return true;
        case ir::Op::k_class_is: define(in, builder_.CreateICmpEQ(loadClass(a()), object(in))); return true;
        case ir::Op::k_is_null: define(in, builder_.CreateIsNull(a())); return true;
        default: return false;
    }
}

llvm::Value* Lowering::boxNumber(Value* number) {
    bool isInt = number->getType() == i64_;
    llvm::CallInst* made = callRuntime(isInt ? RuntimeFunction::k_box_int : RuntimeFunction::k_box_float, pointer_, {number});
    made->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    return made;
}

// A reference to the object that a box is, if it is one, else NULL: takes the box.
llvm::Value* Lowering::countedBox(Value* box) {
    auto borrowed = [&] {
        Value* object = builder_.CreateIntToPtr(builder_.CreateSub(builder_.CreatePtrToInt(box, i64_), builder_.getInt64(1)), pointer_);
        when(builder_.CreateIsNotNull(object), [&] { incref(object); });
        return object;
    };
    return choose(isCountedBox(box), [&] { return box; }, borrowed);
}

llvm::Value* Lowering::ensureBox(Value* box, Value* number) {
    Value* object = countedBox(box);
    return choose(builder_.CreateIsNull(object), [&] { return boxNumber(number); }, [&] { return object; });
}

}  // namespace kiln
