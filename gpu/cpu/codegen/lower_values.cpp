// Values: constants, geometry, conversions, functions.
#include <llvm/IR/Intrinsics.h>

#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

Parts FunctionLowering::compute(const Instruction& instruction) {
    switch (instruction.op) {
    case Op::kConstant: return {constant(instruction)};
    case Op::kGet: return loadVariable(instruction.index);
    case Op::kThreadIndex:
    case Op::kBlockIndex:
    case Op::kBlockDim:
    case Op::kGridDim:
    case Op::kLane: return {geometry(instruction)};
    case Op::kNegate:
    case Op::kInvert:
    case Op::kNot:
    case Op::kAbsolute: return {unary(instruction)};
    case Op::kSelect: {
        llvm::Value* condition = scalar(instruction.operands[0]);
        llvm::Value* then = scalar(instruction.operands[1]);
        return {builder_.CreateSelect(condition, then, scalar(instruction.operands[2]))};
    }
    case Op::kConvert:
        return {convert(scalar(instruction.operands[0]), function_.values[instruction.operands[0]], instruction.type)};
    case Op::kBitcast: return {builder_.CreateBitCast(scalar(instruction.operands[0]), module_.scalarType(instruction.type, false))};
    case Op::kMakeComplex: return {madeComplex(instruction)};
    case Op::kReal: return {builder_.CreateExtractValue(scalar(instruction.operands[0]), 0)};
    case Op::kImaginary: return {builder_.CreateExtractValue(scalar(instruction.operands[0]), 1)};
    case Op::kMath: return {math(instruction)};
    case Op::kBits: return {bits(instruction)};
    case Op::kDimension: return {Parts(parts(instruction.operands[0]))[1 + instruction.index]};
    case Op::kStride:
        return {stride(Parts(parts(instruction.operands[0])), function_.values[instruction.operands[0]], static_cast<int>(instruction.index))};
    case Op::kAddress: return {builder_.CreatePtrToInt(Parts(parts(instruction.operands[0]))[0], builder_.getInt64Ty())};
    case Op::kWrapIndex: {
        llvm::Value* index = scalar(instruction.operands[0]);
        llvm::Value* fromEnd = builder_.CreateAdd(index, scalar(instruction.operands[1]));
        return {builder_.CreateSelect(builder_.CreateICmpSLT(index, int64(0)), fromEnd, index)};
    }
    case Op::kLoad: {
        llvm::Type* type = module_.scalarType(instruction.type, true);
        llvm::Value* address = elementAddress(instruction);
        checkAccess(instruction, static_cast<int64_t>(AccessKind::kRead), address, nullptr);
        auto* load = builder_.CreateAlignedLoad(type, address, llvm::Align(1));
        return {fromMemory(isPrivate(function_.values[instruction.operands[0]]) ? load : inParallel(load), instruction.type)};
    }
    case Op::kView: return view(instruction);
    case Op::kSharedArray:
    case Op::kLocalArray:
    case Op::kConstantArray:
    case Op::kDynamicArray: return madeArray(instruction);
    case Op::kGlobalArray: return globalArray(instruction);
    case Op::kAtomic: return {atomic(instruction)};
    case Op::kCallResult: return callResult(instruction);
    default:
        return {opInfo(instruction.op).result == ResultRule::kBool ? comparison(instruction) : binary(instruction)};
    }
}

Parts FunctionLowering::callResult(const Instruction& instruction) {
    const Function& callee = *module_.source().functions[instruction.index];
    const Parts& all = callResults_.at(instruction.operands[0]);
    size_t begin = 0;
    for (int64_t i = 0; i < instruction.bits; i++) {
        begin += partTypes(callee.results[static_cast<size_t>(i)], false).size();
    }
    size_t end = begin + partTypes(instruction.type, false).size();
    return Parts(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end));
}

llvm::Value* FunctionLowering::madeComplex(const Instruction& instruction) {
    llvm::Value* none = llvm::PoisonValue::get(module_.scalarType(instruction.type, false));
    llvm::Value* half = builder_.CreateInsertValue(none, scalar(instruction.operands[0]), 0);
    return builder_.CreateInsertValue(half, scalar(instruction.operands[1]), 1);
}

llvm::Value* FunctionLowering::constant(const Instruction& instruction) {
    llvm::Type* type = module_.scalarType(instruction.type, false);
    if (instruction.type->isFloat()) {
        return llvm::ConstantFP::get(type, floatOf(instruction.bits, instruction.type));
    }
    return llvm::ConstantInt::get(type, static_cast<uint64_t>(instruction.bits), instruction.type->isSigned());
}

llvm::Value* FunctionLowering::geometry(const Instruction& instruction) {
    switch (instruction.op) {
    case Op::kThreadIndex: return geometry_[instruction.index];
    case Op::kBlockIndex: return geometry_[3 + instruction.index];
    case Op::kBlockDim: return geometry_[6 + instruction.index];
    case Op::kGridDim: return geometry_[9 + instruction.index];
    default: break;
    }
    llvm::Value* row = builder_.CreateAdd(geometry_[1], builder_.CreateMul(geometry_[7], geometry_[2]));
    llvm::Value* thread = builder_.CreateAdd(geometry_[0], builder_.CreateMul(geometry_[6], row));
    return builder_.CreateAnd(thread, builder_.getInt32(31));
}

llvm::Value* FunctionLowering::unary(const Instruction& instruction) {
    llvm::Value* value = scalar(instruction.operands[0]);
    bool isFloat = instruction.type->isFloat();
    switch (instruction.op) {
    case Op::kNegate: return isFloat ? builder_.CreateFNeg(value) : builder_.CreateNeg(value, "", instruction.isPlain);
    case Op::kAbsolute:
        return isFloat ? builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value)
                       : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, value, builder_.getFalse());
    default: return builder_.CreateNot(value);
    }
}

// Floats beyond an integer's range become its nearest value, a nan 0, as on the GPU. Narrow integers go through 32 bits.
llvm::Value* FunctionLowering::convert(llvm::Value* value, const Type* from, const Type* to) {
    llvm::Type* type = module_.scalarType(to, false);
    if (to->isBool()) {
        return from->isBool() ? value
               : from->isFloat() ? builder_.CreateFCmpUNE(value, llvm::ConstantFP::get(value->getType(), 0))
               : builder_.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0));
    }
    if (to->isFloat() && to->bits == 16 && from->bits != 32) {
        return halved(value, from, type);
    }
    if (from->isFloat() && to->isFloat()) {
        return builder_.CreateFPCast(value, type);
    }
    if (from->isFloat()) {
        llvm::Type* wide = to->bits < 32 ? builder_.getInt32Ty() : type;
        auto op = to->isUnsigned() ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat;
        llvm::Value* number = builder_.CreateIntrinsic(op, {wide, value->getType()}, {value});
        return builder_.CreateTrunc(number, type);
    }
    if (to->isFloat()) {
        return from->isSigned() ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
    }
    return builder_.CreateIntCast(value, type, from->isSigned());
}

// To a float16 with one rounding: by a float32 that is rounded to odd, so that it tells on which side of a tie the number was.
// (Integers that a float64 does not hold are infinite.)
llvm::Value* FunctionLowering::halved(llvm::Value* value, const Type* from, llvm::Type* half) {
    llvm::Type* word = builder_.getInt32Ty();
    llvm::Value* wide = from->isFloat() ? builder_.CreateFPCast(value, builder_.getDoubleTy())
                        : from->isSigned() ? builder_.CreateSIToFP(value, builder_.getDoubleTy())
                                           : builder_.CreateUIToFP(value, builder_.getDoubleTy());
    llvm::Value* near = builder_.CreateFPTrunc(wide, builder_.getFloatTy());
    llvm::Value* back = builder_.CreateFPExt(near, builder_.getDoubleTy());
    auto size = [&](llvm::Value* number) { return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number); };
    llvm::Value* bits = builder_.CreateBitCast(near, word);
    llvm::Value* isEven = builder_.CreateICmpEQ(builder_.CreateAnd(bits, builder_.getInt32(1)), builder_.getInt32(0));
    llvm::Value* adjusts = builder_.CreateAnd(builder_.CreateFCmpONE(back, wide), isEven);
    llvm::Value* isLess = builder_.CreateFCmpOLT(size(back), size(wide));
    llvm::Value* step = builder_.CreateSelect(isLess, builder_.getInt32(1), builder_.getInt32(~0u));
    llvm::Value* odd = builder_.CreateSelect(adjusts, builder_.CreateAdd(bits, step), bits);
    return builder_.CreateFPTrunc(builder_.CreateBitCast(odd, builder_.getFloatTy()), half);
}

llvm::Value* FunctionLowering::math(const Instruction& instruction) {
    auto function = static_cast<MathFunction>(instruction.index);
    std::vector<llvm::Value*> arguments;
    for (ValueId operand : instruction.operands) {
        arguments.push_back(scalar(operand));
    }
    llvm::Type* type = arguments[0]->getType();
    llvm::Value* infinity = llvm::ConstantFP::getInfinity(type);
    auto intrinsic = [&](llvm::Intrinsic::ID id) { return builder_.CreateIntrinsic(id, {type}, arguments); };
    switch (function) {
    case MathFunction::kSqrt: return intrinsic(llvm::Intrinsic::sqrt);
    case MathFunction::kFabs: return intrinsic(llvm::Intrinsic::fabs);
    case MathFunction::kFloor: return intrinsic(llvm::Intrinsic::floor);
    case MathFunction::kCeil: return intrinsic(llvm::Intrinsic::ceil);
    case MathFunction::kTrunc: return intrinsic(llvm::Intrinsic::trunc);
    case MathFunction::kRint: return intrinsic(llvm::Intrinsic::rint);
    case MathFunction::kCopysign: return intrinsic(llvm::Intrinsic::copysign);
    case MathFunction::kFma: return intrinsic(llvm::Intrinsic::fma);
    case MathFunction::kIsNan: return builder_.CreateFCmpUNO(arguments[0], arguments[0]);
    case MathFunction::kIsInf:
        return builder_.CreateFCmpOEQ(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, arguments[0]), infinity);
    case MathFunction::kIsFinite:
        return builder_.CreateFCmpOLT(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, arguments[0]), infinity);
    default: break;
    }
    const MathInfo& info = mathInfo(function);
    std::vector<llvm::Type*> types(arguments.size(), type);
    auto callee = module_.target().getOrInsertFunction(type->isFloatTy() ? info.name32 : info.name64,
                                                       llvm::FunctionType::get(type, types, false));
    auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
    declared->setDoesNotAccessMemory();  // errno is nobody's here
    declared->setDoesNotThrow();
    return builder_.CreateCall(callee, arguments);
}

llvm::Value* FunctionLowering::bits(const Instruction& instruction) {
    llvm::Value* value = scalar(instruction.operands[0]);
    llvm::Type* type = value->getType();
    llvm::Type* word = builder_.getInt32Ty();
    switch (static_cast<BitOp>(instruction.index)) {
    case BitOp::kCount: return builder_.CreateZExtOrTrunc(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, value), word);
    case BitOp::kReverse: return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, value);
    case BitOp::kLeadingZeros:
        return builder_.CreateZExtOrTrunc(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, builder_.getFalse()), word);
    case BitOp::kFirstSet: break;
    }
    llvm::Value* place = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, value, builder_.getFalse());
    llvm::Value* found = builder_.CreateAdd(builder_.CreateZExtOrTrunc(place, word), builder_.getInt32(1));
    return builder_.CreateSelect(builder_.CreateICmpEQ(value, llvm::ConstantInt::get(type, 0)), builder_.getInt32(0), found);
}

llvm::Value* FunctionLowering::callRuntime(const char* name, llvm::Type* result,
                                           const std::vector<llvm::Value*>& arguments) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* argument : arguments) {
        types.push_back(argument->getType());
    }
    llvm::FunctionCallee callee =
        target_->getParent()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    return builder_.CreateCall(callee, arguments);
}

}  // namespace kiln::gpu
