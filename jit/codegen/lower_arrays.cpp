// NumPy's arrays and scalars: heads, elements, and where an operation of NumPy's would raise a floating-point flag.
#include <llvm/IR/Intrinsics.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "interp/numpy_elements.h"
#include "jit/codegen/lowering.h"

namespace kiln {

constexpr uint64_t kWordBytes = 8;

llvm::Value* Lowering::loadHead(llvm::Type* type, Value* array, int offset) {
    Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), array, static_cast<uint64_t>(offset));
    return tag(builder_.CreateLoad(type, place), Memory::kArray);
}

void Lowering::guardArray(const ir::Instruction& in) {
    Value* array = value(in.operands[0]);
    Value* wanted = builder_.CreateTrunc(number(in), i32_);
    Value* flags = builder_.CreateAnd(wanted, builder_.getInt32(kPackedFlags));
    Value* hasFlags =
        builder_.CreateICmpEQ(builder_.CreateAnd(loadHead(i32_, array, numpy_layout::kFlags), flags), flags);
    Value* dimensions = builder_.CreateLShr(wanted, builder_.getInt32(kPackedDimensions));
    Value* hasDimensions = builder_.CreateICmpEQ(loadHead(i32_, array, numpy_layout::kDimensionCount), dimensions);
    Value* hasElements = builder_.CreateICmpEQ(loadHead(pointer_, array, numpy_layout::kDescr), value(in.operands[1]));
    Value* fits = builder_.CreateAnd(builder_.CreateAnd(hasElements, hasDimensions), hasFlags);
    if (in.snapshot == ir::kNoId) {
        defer(builder_.CreateNot(fits));
        array = builder_.CreateSelect(fits, array, emptyArrayHead());
    } else {
        exitUnless(fits, in.snapshot);
    }
    // So what the head says can be read before it is known to be needed: outside of a loop.
    const llvm::OperandBundleDef readable("dereferenceable", std::vector<Value*>{array, builder_.getInt64(numpy_layout::kArrayBytes)});
    const llvm::OperandBundleDef aligned("align", std::vector<Value*>{array, builder_.getInt64(kWordBytes)});
    builder_.CreateAssumption(builder_.getTrue(), {readable, aligned});
    define(in, array);
}

// Of an array without elements: what a deferred guard gives where it fails, whose dimensions are read before that is known.
llvm::Value* Lowering::emptyArrayHead() {
    constexpr uint64_t kDimensionRoom = 32;  // words, as many as an array of NumPy's may have
    if (emptyArrayHead_ == nullptr) {
        Value* dimensions = variable(llvm::ArrayType::get(i64_, kDimensionRoom), "no_dimensions");
        emptyArrayHead_ = variable(llvm::ArrayType::get(i64_, numpy_layout::kArrayBytes / kWordBytes), "empty_array");
        llvm::IRBuilderBase::InsertPointGuard guard(builder_);
        const auto cleared = std::next(llvm::cast<llvm::Instruction>(dimensions)->getIterator());  // it comes behind the head
        builder_.SetInsertPoint(cleared->getParent(), std::next(cleared));
        for (const int offset : {numpy_layout::kDimensions, numpy_layout::kStrides}) {
            builder_.CreateStore(dimensions, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), emptyArrayHead_, static_cast<uint64_t>(offset)));
        }
    }
    return emptyArrayHead_;
}

// Of a dimension: its entry of a vector that the head points to.
llvm::Value* Lowering::dimensionWord(const ir::Instruction& in, int offset) {
    auto* words = llvm::cast<llvm::Instruction>(loadHead(pointer_, value(in.operands[0]), offset));
    auto note = [&](unsigned kind, uint64_t bytes) {
        words->setMetadata(kind, llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(builder_.getInt64(bytes))));
    };
    note(llvm::LLVMContext::MD_dereferenceable, kWordBytes * (static_cast<uint64_t>(in.immediate) + 1));
    note(llvm::LLVMContext::MD_align, kWordBytes);
    return tag(builder_.CreateLoad(i64_, builder_.CreateInBoundsGEP(i64_, words, number(in))), Memory::kArray);
}

// A view holds the array whose memory it shows, which may be its base's.
llvm::Value* Lowering::arrayLends(Value* array) {
    Value* flags = loadHead(i32_, array, numpy_layout::kFlags);
    Value* owns = builder_.CreateICmpNE(builder_.CreateAnd(flags, builder_.getInt32(numpy_layout::kOwnsData)), builder_.getInt32(0));
    return builder_.CreateOr(owns, builder_.CreateIsNull(loadHead(pointer_, array, numpy_layout::kWeakReferences)));
}

// One address of an array is one pointer, made where the address is known: of two, LLVM would ask in front of a vectorised loop whether
// they overlap.
llvm::Value* Lowering::elementPlace(const ir::Instruction& in) {
    Value* data = value(in.operands[0]);
    Value* first = nullptr;
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(data)) {
        for (llvm::User* user : made->users()) {
            auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(user);
            first = cast != nullptr && cast->getParent() == made->getParent() ? cast : first;
        }
        if (first == nullptr) {
            llvm::IRBuilderBase::InsertPointGuard guard(builder_);
            const auto behind = made->getInsertionPointAfterDef();
            builder_.SetInsertPoint(made->getParent(), behind ? *behind : made->getParent()->end());
            first = builder_.CreateIntToPtr(data, pointer_);
        }
    } else {
        first = builder_.CreateIntToPtr(data, pointer_);
    }
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), first, value(in.operands[1]));
}

llvm::Type* Lowering::typeOf(Element element) {
    if (isFloat(element)) {
        return element == Element::k_float32 ? builder_.getFloatTy() : f64_;
    }
    return builder_.getIntNTy(static_cast<unsigned>(8 * info(element).bytes));
}

llvm::Value* Lowering::loadElement(const ir::Instruction& in, Element element) {
    Value* loaded = tag(builder_.CreateLoad(typeOf(element), elementPlace(in)), Memory::kElement);
    if (isFloat(element)) {
        return builder_.CreateFPExt(loaded, f64_);
    }
    return info(element).kind == ElementKind::kSigned ? builder_.CreateSExt(loaded, i64_)
                                                      : builder_.CreateZExt(loaded, i64_);
}

void Lowering::storeElement(const ir::Instruction& in, Element element) {
    Value* stored = value(in.operands[2]);
    stored = isFloat(element) ? builder_.CreateFPTrunc(stored, typeOf(element))
                              : builder_.CreateTrunc(stored, typeOf(element));
    tag(builder_.CreateStore(stored, elementPlace(in)), Memory::kElement);
}

llvm::Value* Lowering::fits(Value* number, Element element) {
    llvm::Type* type = typeOf(element);
    switch (info(element).kind) {
    case ElementKind::kSigned:
        return builder_.CreateICmpEQ(builder_.CreateSExt(builder_.CreateTrunc(number, type), i64_), number);
    case ElementKind::kUnsigned:
        return info(element).bytes == 8
                   ? builder_.CreateICmpSGE(number, builder_.getInt64(0))
                   : builder_.CreateICmpEQ(builder_.CreateZExt(builder_.CreateTrunc(number, type), i64_), number);
    default: return builder_.CreateICmpULE(number, builder_.getInt64(1));
    }
}

namespace {

// Of an int that was made wider from that type, and of a number that fits it: what it was. nullptr of all others.
llvm::Value* narrowed(llvm::Value* wide, llvm::Type* type, bool isSigned) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(wide)) {
        const unsigned bits = type->getIntegerBitWidth();
        bool fits = isSigned ? constant->getValue().isSignedIntN(bits) : constant->getValue().isIntN(bits);
        return fits ? llvm::ConstantInt::get(type, constant->getValue().trunc(bits)) : nullptr;
    }
    auto* extended = llvm::dyn_cast<llvm::CastInst>(wide);
    const auto wanted = isSigned ? llvm::Instruction::SExt : llvm::Instruction::ZExt;
    bool isIt = extended != nullptr && extended->getOpcode() == wanted && extended->getSrcTy() == type;
    return isIt ? extended->getOperand(0) : nullptr;
}

bool isTwo(llvm::Value* operand) {
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
    return constant != nullptr && constant->equalsInt(2);
}

}  // namespace

// Of a sum, difference or square of ints that such an element can have, or twice such an int: does it not fit? Asked without more bits
// than the element has, so that a vector holds as many of them. nullptr of all others.
llvm::Value* Lowering::misfits(Value* number, Element element) {
    auto* made = llvm::dyn_cast<llvm::BinaryOperator>(number);
    if (made == nullptr || element == Element::k_bool_) {
        return nullptr;
    }
    Value* first = made->getOperand(0);
    Value* second = made->getOperand(1);
    bool isProduct = made->getOpcode() == llvm::Instruction::Mul;
    bool isSum = made->getOpcode() == llvm::Instruction::Add || (isProduct && (isTwo(first) || isTwo(second)));
    if (isProduct && isSum) {
        first = second = isTwo(second) ? first : second;
    }
    llvm::Type* type = typeOf(element);
    bool isSigned = info(element).kind == ElementKind::kSigned;
    Value* left = narrowed(first, type, isSigned);
    Value* right = narrowed(second, type, isSigned);
    if (left == nullptr || right == nullptr) {
        return nullptr;
    }
    if (isSum || made->getOpcode() == llvm::Instruction::Sub) {
        return isSigned ? signedMisfits(isSum, left, right)
               : isSum  ? builder_.CreateICmpULT(builder_.CreateAdd(left, right), left)
                        : builder_.CreateICmpULT(left, right);
    }
    if (!isProduct || left != right || !isSigned || info(element).bytes == static_cast<int>(kWordBytes)) {
        return nullptr;
    }
    const int64_t limit = int64_t{1} << (8 * info(element).bytes - 1);
    const auto largest = static_cast<int64_t>(std::sqrt(static_cast<double>(limit - 1)));
    Value* above = builder_.CreateAdd(left, llvm::ConstantInt::get(type, static_cast<uint64_t>(largest)));
    return builder_.CreateICmpUGT(above, llvm::ConstantInt::get(type, static_cast<uint64_t>(2 * largest)));
}

// The low bits of a number: computed with as many bits, where it is made of such elements.
llvm::Value* Lowering::computedIn(Value* number, Element element) {
    llvm::Type* type = typeOf(element);
    auto* made = llvm::dyn_cast<llvm::BinaryOperator>(number);
    bool isRing = made != nullptr && (made->getOpcode() == llvm::Instruction::Add || made->getOpcode() == llvm::Instruction::Sub ||
                                      made->getOpcode() == llvm::Instruction::Mul);
    bool isSigned = info(element).kind == ElementKind::kSigned;
    Value* left = isRing && element != Element::k_bool_ ? narrowed(made->getOperand(0), type, isSigned) : nullptr;
    Value* right = left != nullptr ? narrowed(made->getOperand(1), type, isSigned) : nullptr;
    return right != nullptr ? builder_.CreateBinOp(made->getOpcode(), left, right) : builder_.CreateTrunc(number, type);
}

// Where the operands' signs (of a difference: differ, and) are not the result's.
llvm::Value* Lowering::signedMisfits(bool isSum, Value* left, Value* right) {
    Value* result = isSum ? builder_.CreateAdd(left, right) : builder_.CreateSub(left, right);
    Value* other = isSum ? builder_.CreateXor(right, result) : builder_.CreateXor(left, right);
    Value* sign = builder_.CreateAnd(builder_.CreateXor(left, result), other);
    return builder_.CreateICmpSLT(sign, llvm::Constant::getNullValue(sign->getType()));
}

void Lowering::guardFits(const ir::Instruction& in) {
    Value* number = value(in.operands[0]);
    auto element = static_cast<Element>(in.immediate);
    if (Value* failed = in.snapshot == ir::kNoId ? misfits(number, element) : nullptr) {
        defer(failed);
    } else {
        exitUnless(fits(number, element), in.snapshot);
    }
}

// The smallest magnitude that is not tiny.
static double smallestOf(Underflow underflow) {
    return underflow == Underflow::kNever    ? 0.0
           : underflow == Underflow::kSingle ? static_cast<double>(std::numeric_limits<float>::min())
                                             : std::numeric_limits<double>::min();
}

// Whether the result is special or tiny: else it came about without a flag but inexact. Tiny are those between two doubles' bit
// patterns, as which the magnitude is compared.
llvm::Value* Lowering::mayRaiseFlag(Value* result, Underflow underflow) {
    auto bitsOf = [](double number) { return std::bit_cast<uint64_t>(number); };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Value* magnitude = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, result);
    if (underflow == Underflow::kNever) {
        return builder_.CreateFCmpUGE(magnitude, llvm::ConstantFP::get(f64_, kInfinity));
    }
    const uint64_t smallest = bitsOf(smallestOf(underflow));
    Value* above = builder_.CreateSub(builder_.CreateBitCast(magnitude, i64_), builder_.getInt64(smallest));
    return builder_.CreateICmpUGE(above, builder_.getInt64(bitsOf(kInfinity) - smallest));
}

// Deferred: of a result that stands for its operands any that is special fails. Of another one a nan does: that an infinity came about
// by an overflow, the processor's flag says at the strip's end.
llvm::Value* Lowering::failsStrip(const ir::Instruction& in) {
    Value* result = value(in.operands[0]);
    return leavesOverflow(in) ? builder_.CreateFCmpUNO(result, result) : mayRaiseFlag(result, static_cast<Underflow>(in.immediate));
}

// If it may, it depends on the operands: the runtime knows. In a cold block, where a guard stands as some result may, it is asked at
// once, which is less code.
void Lowering::guardNoFlag(const ir::Instruction& in) {
    auto underflow = static_cast<Underflow>(in.immediate);
    Value* result = value(in.operands[0]);
    if (in.snapshot == ir::kNoId) {
        defer(failsStrip(in));
        return;
    }
    auto ask = [&] {
        Value* limit = llvm::ConstantFP::get(f64_, smallestOf(underflow));
        Value* raises = pure(callRuntime(RuntimeFunction::k_raises_flag, i64_, {result, value(in.operands[1]), value(in.operands[2]), limit}));
        exitWhen(builder_.CreateICmpNE(raises, builder_.getInt64(0)), in.snapshot);
    };
    if (isCold_) {
        ask();
    } else {
        when(mayRaiseFlag(result, underflow), ask, Odds::kUnlikely);
    }
}

void Lowering::callNumPyLoop(const ir::Instruction& in, Value* left, Value* right) {
    define(in, fallible(RuntimeFunction::k_numpy_loop, f64_, {number(in), left, right}, in.snapshot));
}

bool Lowering::lowerArray(const ir::Instruction& in) {
    auto operand = [&](int index) { return value(in.operands[index]); };
    switch (in.op) {
    case ir::Op::k_guard_array: guardArray(in); return true;
    case ir::Op::k_array_data: define(in, loadHead(i64_, operand(0), numpy_layout::kData)); return true;
    case ir::Op::k_array_length: define(in, dimensionWord(in, numpy_layout::kDimensions)); return true;
    case ir::Op::k_array_stride: define(in, dimensionWord(in, numpy_layout::kStrides)); return true;
    case ir::Op::k_array_lends: define(in, arrayLends(operand(0))); return true;
    case ir::Op::k_element_int:
    case ir::Op::k_element_float: define(in, loadElement(in, static_cast<Element>(in.immediate))); return true;
    case ir::Op::k_store_element_int:
    case ir::Op::k_store_element_float: storeElement(in, static_cast<Element>(in.immediate)); return true;
    case ir::Op::k_guard_fits: guardFits(in); return true;
    case ir::Op::k_float_single:
        define(in, builder_.CreateFPExt(builder_.CreateFPTrunc(operand(0), builder_.getFloatTy()), f64_));
        return true;
    case ir::Op::k_int_to_single: define(in, builder_.CreateFPExt(builder_.CreateSIToFP(operand(0), builder_.getFloatTy()), f64_)); return true;
    case ir::Op::k_single_pow:
        define(in, pure(callRuntime(RuntimeFunction::k_single_pow, f64_, {operand(0), operand(1)})));
        return true;
    case ir::Op::k_guard_no_flag: guardNoFlag(in); return true;
    case ir::Op::k_numpy_unary: callNumPyLoop(in, operand(0), llvm::ConstantFP::get(f64_, 0.0)); return true;
    case ir::Op::k_numpy_binary: callNumPyLoop(in, operand(0), operand(1)); return true;
    case ir::Op::k_box_scalar:  // may be an object that exists: numpy.True_ is counted like others
        define(in, callRuntime(RuntimeFunction::k_box_scalar, pointer_, {object(in), operand(0)}));
        return true;
    default: return false;
    }
}

}  // namespace kiln
