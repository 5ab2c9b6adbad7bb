#include "jit/codegen/stencil_lowering.h"

#include <llvm/IR/InlineAsm.h>

#include "jit/codegen/stencil_entries.h"

namespace kiln {
namespace {

// Stand-ins for addresses: a page for each hole, none of them an address of a process.
constexpr uintptr_t kFirstPage = 0x100;
constexpr int kPageShift = 12;

const void* standIn(int hole) {
    return reinterpret_cast<const void*>((kFirstPage + static_cast<uintptr_t>(hole)) << kPageShift);
}

const void* standIn(HoleKind kind) {
    return standIn(static_cast<int>(kind));
}

constexpr const char* kHoleNames[] = {
#define KILN_HOLE(name, size, meaning) "kiln_hole_" #name,
#include "jit/quick/holes.def"
#undef KILN_HOLE
};

constexpr const char* kHoleSizes[] = {
#define KILN_HOLE(name, size, meaning) #size,
#include "jit/quick/holes.def"
#undef KILN_HOLE
};

constexpr const char* kRuntimeNames[] = {
#define KILN_RUNTIME(name) "kiln_runtime_" #name,
#include "jit/runtime_functions.def"
#undef KILN_RUNTIME
};

}  // namespace

std::string holeName(HoleKind kind) {
    return kHoleNames[static_cast<int>(kind)];
}

std::string holeName(RuntimeFunction function) {
    return kRuntimeNames[static_cast<int>(function)];
}

bool isLargeHole(int hole) {
    return hole < static_cast<int>(HoleKind::kCount) && kHoleSizes[hole][0] == 'L';
}

CodegenEnvironment makeHoleEnvironment() {
    CodegenEnvironment environment;
    for (size_t index = 0; index < std::size(environment.runtime); index++) {
        environment.runtime[index] = standIn(static_cast<int>(HoleKind::kCount) + static_cast<int>(index));
    }
    std::fill(std::begin(environment.helpers), std::end(environment.helpers), standIn(HoleKind::k_helper));
    std::fill(std::begin(environment.math), std::end(environment.math), standIn(HoleKind::k_math));
    environment.evalBreaker = standIn(HoleKind::k_eval_breaker);
    environment.objectTrue = standIn(HoleKind::k_object_true);
    environment.objectFalse = standIn(HoleKind::k_object_false);
    environment.floatClass = standIn(HoleKind::k_float_class);
    environment.longClass = standIn(HoleKind::k_long_class);
    environment.boolClass = standIn(HoleKind::k_bool_class);
    return environment;
}

CodegenRequest makeHoleRequest(ir::Region& region, const RootForm& root) {
    region.objects = {standIn(HoleKind::k_object)};
    CodegenRequest request;
    request.region = &region;
    request.owner = const_cast<void*>(standIn(HoleKind::k_owner));
    request.validFlag = standIn(HoleKind::k_valid_flag);
    request.counters = static_cast<uint64_t*>(const_cast<void*>(standIn(HoleKind::k_counter)));
    request.budget = static_cast<int64_t*>(const_cast<void*>(standIn(HoleKind::k_budget)));
    request.callSites = static_cast<const CallSite*>(standIn(HoleKind::k_call_site));
    request.needsFrame = root.isFunction && root.hasFrame;
    request.activationWords = root.hasActivation ? 1 : 0;
    return request;
}

llvm::GlobalVariable* StencilLowering::symbol(const std::string& name) {
    if (llvm::GlobalVariable* known = module_.getGlobalVariable(name)) {
        return known;
    }
    auto* made = new llvm::GlobalVariable(module_, builder_.getInt8Ty(), false, llvm::GlobalValue::ExternalLinkage, nullptr, name);
    made->setDSOLocal(true);
    return made;
}

llvm::Value* StencilLowering::pointerConstant(const void* address) {
    uintptr_t page = reinterpret_cast<uintptr_t>(address) >> kPageShift;
    if (page < kFirstPage) {
        return Lowering::pointerConstant(address);
    }
    auto hole = static_cast<int>(page - kFirstPage);
    int runtime = hole - static_cast<int>(HoleKind::kCount);
    std::string name = runtime >= 0 ? holeName(static_cast<RuntimeFunction>(runtime)) : holeName(static_cast<HoleKind>(hole));
    uint64_t offset = reinterpret_cast<uintptr_t>(address) & ((uintptr_t{1} << kPageShift) - 1);
    Value* made = isLargeHole(hole) ? large(name) : symbol(name);
    return offset == 0 ? made : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), made, offset);
}

// LLVM calls a symbol directly and stores it as a word of 32 bits, whatever its code model: it must not see the symbol.
llvm::Value* StencilLowering::large(const std::string& name) {
    llvm::GlobalVariable* made = symbol(name);
    made->setCodeModel(llvm::CodeModel::Large);
    auto* type = llvm::FunctionType::get(pointer_, {pointer_}, false);
    return builder_.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {made});
}

llvm::Value* StencilLowering::small(HoleKind kind) {
    return builder_.CreatePtrToInt(symbol(holeName(kind)), i64_);
}

llvm::Value* StencilLowering::slot(HoleKind kind) {
    return builder_.CreateGEP(builder_.getInt8Ty(), symbol(holeName(kind)), builder_.CreatePtrToInt(base_, i64_));
}

llvm::Value* StencilLowering::word(int index) {
    return builder_.CreateConstInBoundsGEP1_64(i64_, base_, static_cast<uint64_t>(static_cast<int64_t>(index)));
}

// Bools fill their word.
llvm::Value* StencilLowering::loadWord(llvm::Type* type, HoleKind kind) {
    return type == i1_ ? builder_.CreateTrunc(builder_.CreateLoad(i64_, slot(kind)), i1_) : builder_.CreateLoad(type, slot(kind));
}

void StencilLowering::storeWord(Value* stored, HoleKind kind) {
    builder_.CreateStore(toWord(stored), slot(kind));
}

llvm::Value* StencilLowering::value(ir::ValueId id) {
    return loadWord(typeOf(region_.valueTypes[static_cast<size_t>(id)]), static_cast<HoleKind>(static_cast<int>(HoleKind::k_operand0) + id));
}

// Constants may be any word; the others are offsets and numbers of tables.
llvm::Value* StencilLowering::number(const ir::Instruction& in) {
    bool isConstant = in.op == ir::Op::k_const_int || in.op == ir::Op::k_const_float;
    return isConstant ? builder_.CreatePtrToInt(large(holeName(HoleKind::k_wide_number)), i64_) : small(HoleKind::k_number);
}

llvm::Value* StencilLowering::nativePair(ir::ValueId status) {
    Value* first = builder_.CreateLoad(i64_, slot(HoleKind::k_companion));
    Value* pair = builder_.CreateInsertValue(llvm::UndefValue::get(resultType_), first, 0);
    return builder_.CreateInsertValue(pair, value(status), 1);
}

void StencilLowering::defineNativePair(const ir::Instruction&, Value* pair) {
    storeWord(builder_.CreateExtractValue(pair, 0), HoleKind::k_companion);
}

llvm::Value* StencilLowering::frameCount(const ir::Instruction&) {
    return builder_.CreateTrunc(small(HoleKind::k_frames), i32_);
}

llvm::FunctionType* StencilLowering::stencilType() {
    return llvm::FunctionType::get(builder_.getVoidTy(), {pointer_, pointer_}, false);
}

llvm::Function* StencilLowering::continuation(HoleKind kind) {
    auto* declared = llvm::cast<llvm::Function>(module_.getOrInsertFunction(holeName(kind), stencilType()).getCallee());
    declared->setDSOLocal(true);
    declared->setCallingConv(llvm::CallingConv::PreserveNone);
    return declared;
}

void StencilLowering::goTo(HoleKind kind) {
    llvm::CallInst* call = builder_.CreateCall(stencilType(), continuation(kind), {contextArgument_, base_});
    call->setCallingConv(llvm::CallingConv::PreserveNone);
    call->setTailCallKind(llvm::CallInst::TCK_MustTail);
    builder_.CreateRetVoid();
}

llvm::BasicBlock* StencilLowering::exitBlock(ir::SnapshotId) {
    if (exit_ == nullptr) {
        auto saved = builder_.saveIP();
        exit_ = llvm::BasicBlock::Create(context_, "exit", function_);
        builder_.SetInsertPoint(exit_);
        goTo(HoleKind::k_exit);
        builder_.restoreIP(saved);
    }
    return exit_;
}

void StencilLowering::returnPair(Value* pair) {
    builder_.CreateStore(builder_.CreateExtractValue(pair, 0), word(kResultWord));
    builder_.CreateStore(builder_.CreateExtractValue(pair, 1), word(kStatusWord));
    builder_.CreateRetVoid();
}

void StencilLowering::openStencil(const std::string& name) {
    function_ = llvm::Function::Create(stencilType(), llvm::Function::ExternalLinkage, name, module_);
    function_->setCallingConv(llvm::CallingConv::PreserveNone);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", function_));
    if (spareWords_ > 0) {
        auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer_}, false);
        builder_.CreateCall(type, llvm::InlineAsm::get(type, "", "r", /*hasSideEffects=*/true), {builder_.CreateAlloca(i64_, builder_.getInt32(static_cast<unsigned>(spareWords_)))});
    }
    contextArgument_ = function_->getArg(0);
    base_ = function_->getArg(1);
    exit_ = nullptr;
    frame_ = builder_.CreateLoad(pointer_, word(kFrameWord));
    rootFunction_ = builder_.CreateLoad(pointer_, word(kFunctionWord));
    activation_ = root_.hasActivation ? builder_.CreateLoad(pointer_, word(kActivationWord)) : nullptr;
    previousActivation_ = builder_.CreateLoad(pointer_, word(kPreviousWord));
    realTop_ = word(kRealTopWord);
    scratch_ = word(kScratchWord);
}

bool StencilLowering::makeOp(const std::string& name) {
    const ir::Block& block = region_.blocks[0];
    const ir::Instruction& in = block.instructions[0];
    openStencil(name);
    bool ends = in.op == ir::Op::k_return_value || in.op == ir::Op::k_return_raised;
    if (in.op == ir::Op::k_branch) {
        lowerBranchOp(in);
        return true;
    }
    if (in.op == ir::Op::k_link_frames) {
        callRuntime(RuntimeFunction::k_link_quick, builder_.getVoidTy(), {contextArgument_, base_, pointerConstant(request_.owner), small(HoleKind::k_number)});
        goTo(HoleKind::k_next);
        return true;
    }
    if (ends ? !lowerControl(in, block) : (lower(in), !error_.empty())) {
        function_->eraseFromParent();
        return false;
    }
    if (!ends) {
        goTo(HoleKind::k_next);
    }
    return true;
}

void StencilLowering::lowerBranchOp(const ir::Instruction& in) {
    auto* other = llvm::BasicBlock::Create(context_, "other", function_);
    auto* next = llvm::BasicBlock::Create(context_, "next", function_);
    builder_.CreateCondBr(value(in.operands[0]), next, other);
    builder_.SetInsertPoint(other);
    goTo(HoleKind::k_other);
    builder_.SetInsertPoint(next);
    goTo(HoleKind::k_next);
}

llvm::Value* StencilLowering::resultOfFrame() {
    Value* result = builder_.CreateLoad(i64_, word(kResultWord));
    Value* pair = builder_.CreateInsertValue(llvm::UndefValue::get(resultType_), result, 0);
    return builder_.CreateInsertValue(pair, builder_.CreateLoad(i64_, word(kStatusWord)), 1);
}

// What Lowering::prologue() does for the whole region.
void StencilLowering::begin() {
    if (root_.isFunction) {
        betterCodeIsThere();
    }
    if (root_.isFunction && root_.hasFrame) {
        pushOwnFrame();
    }
    createActivation();
    builder_.CreateStore(frame_, word(kFrameWord));
    if (activation_ != nullptr) {
        builder_.CreateStore(activation_, word(kActivationWord));
        builder_.CreateStore(previousActivation_, word(kPreviousWord));
    }
    builder_.CreateStore(notLinked(), realTop_);
}

void StencilLowering::takeArgument(ir::Type type) {
    Value* all = builder_.CreateLoad(pointer_, word(kArgumentArrayWord));
    Value* argument = builder_.CreateLoad(pointer_, builder_.CreateGEP(builder_.getInt8Ty(), all, small(HoleKind::k_number)));
    auto require = [&](Value* condition) { exitWhen(builder_.CreateNot(condition), 0); };
    storeWord(unboxArgument(argument, type, scratch_, require), HoleKind::k_result);
}

void StencilLowering::makePiece(Piece piece, int variant, const std::string& name) {
    if (isEntry(piece)) {
        makeEntry(piece, variant, name, module_);
        return;
    }
    openStencil(name);
    switch (piece) {
        case Piece::k_begin: begin(); break;
        case Piece::k_argument: takeArgument(static_cast<ir::Type>(variant)); break;
        case Piece::k_box: returnBoxed(resultOfFrame(), function_); return;
        case Piece::k_refuse:
            returnPair(llvm::ConstantStruct::get(resultType_, {builder_.getInt64(0), builder_.getInt64(kNotEntered)}));
            return;
        case Piece::k_raw_bool:
            builder_.CreateStore(builder_.CreateAnd(loadWord(i64_, HoleKind::k_operand0), builder_.getInt64(1)), slot(HoleKind::k_operand0));
            break;
        case Piece::k_move: storeWord(loadWord(i64_, HoleKind::k_operand0), HoleKind::k_result); break;
        case Piece::k_exit:
            builder_.CreateStore(small(HoleKind::k_number), word(kExitWord));
            goTo(HoleKind::k_leave);
            return;
        case Piece::k_leave:
            unlinkFrames();
            callRuntime(RuntimeFunction::k_leave_quick, builder_.getVoidTy(), {contextArgument_, base_, pointerConstant(request_.owner)});
            builder_.CreateRetVoid();
            return;
        default: break;
    }
    goTo(HoleKind::k_next);
}

}  // namespace kiln
