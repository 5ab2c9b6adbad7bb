// Where values and variables are: in registers, in stack slots, or, across barriers, in arrays by thread.
#include "gpu/cpu/codegen/kernel_lowering.h"
#include "gpu/cpu/strided_loops.h"

namespace kiln::gpu {

FunctionLowering::FunctionLowering(ModuleLowering& module, const Function& function, llvm::Function* target)
    : module_(module),
      function_(function),
      target_(target),
      context_(target->getContext()),
      builder_(context_),
      plan_(planOf(module, function)),
      isSplit_(plan_.isGroup()),
      lanes_(isSplit_ ? lanesOf(module, function, plan_) : 1),
      makesVectors_(isSplit_ && stridedLoops(function).empty()),
      values_(function.values.size()),
      valueSegment_(function.values.size(), 0),
      variableSlots_(function.variables.size()),
      variableOffsets_(function.variables.size(), -1),
      valueOffsets_(function.values.size(), -1),
      localOffsets_(function.arrays.size(), -1) {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", target_));
    if (module.source().reorders) {
        llvm::FastMathFlags flags;
        flags.setAllowReassoc();
        flags.setNoSignedZeros();
        flags.setAllowReciprocal();
        flags.setAllowContract(true);
        builder_.setFastMathFlags(flags);  // nans and infinities stay what they are
    }
    forEach(function.body, [&](const Instruction& instruction) {
        for (ValueId operand : instruction.operands) {
            const Type* given = function.values[operand];
            bool isLocal = given->isArray() && given->space == Space::kLocal;
            bool keeps = instruction.type == nullptr || !instruction.type->isArray() || instruction.type->space == Space::kLocal;
            localsEscape_ = localsEscape_ || (isLocal && (instruction.op == Op::kCall || !keeps));
        }
    });
}

llvm::Value* FunctionLowering::int64(int64_t value) {
    return builder_.getInt64(static_cast<uint64_t>(value));
}

std::vector<llvm::Type*> FunctionLowering::partTypes(const Type* type, bool inMemory) {
    std::vector<llvm::Type*> types;
    if (type->isScalar()) {
        types.push_back(module_.scalarType(type, inMemory));
    } else {
        module_.addTypes(type, types);
    }
    return types;
}

// A bool is a byte in memory.
llvm::Value* FunctionLowering::toMemory(llvm::Value* value, const Type* type) {
    return type->isBool() ? builder_.CreateZExt(value, builder_.getInt8Ty()) : value;
}

llvm::Value* FunctionLowering::fromMemory(llvm::Value* value, const Type* type) {
    return type->isBool() ? builder_.CreateICmpNE(value, builder_.getInt8(0)) : value;
}

int64_t FunctionLowering::sizeOf(llvm::Type* type) {
    return static_cast<int64_t>(module_.target().getDataLayout().getTypeAllocSize(type));
}

// What reserve() takes for parts of these types.
int64_t FunctionLowering::slotBytes(const std::vector<llvm::Type*>& types) {
    int64_t bytes = 0;
    for (llvm::Type* type : types) {
        bytes += (sizeOf(type) + 7) / 8 * 8;
    }
    return bytes;
}

// Room for `bytes` bytes of each thread.
int64_t FunctionLowering::reserve(int64_t bytes) {
    int64_t offset = threadBytes_;
    threadBytes_ += (bytes + 7) / 8 * 8;
    return offset;
}

// The current thread's element of the array by thread that was reserved at `offset`.
llvm::Value* FunctionLowering::slotAddress(int64_t offset, int64_t size) {
    llvm::Value* base = builder_.CreateMul(threads_, int64(offset));
    llvm::Value* mine = builder_.CreateAdd(base, builder_.CreateMul(thread_, int64(size)));
    return builder_.CreateGEP(builder_.getInt8Ty(), threadMemory_, mine);
}

// A value computed in another segment is read back, or computed again when that is cheap.
const Parts& FunctionLowering::parts(ValueId value) {
    if (!values_[value].empty() && (valueSegment_[value] == 0 || valueSegment_[value] == segment_)) {
        return values_[value];
    }
    const Instruction& definition = *plan_.definition(value);
    if (!plan_.crosses(value) || valueOffsets_[value] < 0) {
        values_[value] = compute(definition);
        // In a block that may not dominate other uses: computed again for each.
        valueSegment_[value] = ~0u;
        return values_[value];
    }
    Parts loaded;
    int64_t offset = valueOffsets_[value];
    for (llvm::Type* type : partTypes(definition.type, true)) {
        llvm::Value* kept = inParallel(builder_.CreateLoad(type, slotAddress(offset, sizeOf(type))));
        loaded.push_back(fromMemory(kept, definition.type));
        offset += slotBytes({type});
    }
    values_[value] = loaded;
    valueSegment_[value] = ~0u;
    return values_[value];
}

void FunctionLowering::define(const Instruction& instruction, Parts parts) {
    ValueId value = instruction.result;
    if (segment_ != 0 && plan_.crosses(value)) {
        std::vector<llvm::Type*> types = partTypes(instruction.type, true);  // a call's other results cross by themselves
        if (valueOffsets_[value] < 0) {
            valueOffsets_[value] = reserve(slotBytes(types));
        }
        int64_t offset = valueOffsets_[value];
        for (size_t i = 0; i < types.size(); i++) {
            llvm::Value* stored = toMemory(parts[i], instruction.type);
            inParallel(builder_.CreateStore(stored, slotAddress(offset, sizeOf(types[i]))));
            offset += slotBytes({types[i]});
        }
    }
    values_[value] = std::move(parts);
    valueSegment_[value] = segment_;
}

// Where a variable's parts are in this segment, or for ever.
std::vector<llvm::Value*> FunctionLowering::stackSlots(uint32_t variable) {
    if (variableSlots_[variable].empty()) {
        const Type* type = function_.variables[variable].type;
        llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
        for (llvm::Type* part : partTypes(type, true)) {
            llvm::AllocaInst* slot = entry.CreateAlloca(part, nullptr, function_.variables[variable].name);
            entry.CreateStore(llvm::Constant::getNullValue(part), slot)->moveAfter(slot);
            variableSlots_[variable].push_back(slot);
        }
    }
    return variableSlots_[variable];
}

// Where they are for the current thread between segments.
std::vector<llvm::Value*> FunctionLowering::threadSlots(uint32_t variable) {
    std::vector<llvm::Type*> types = partTypes(function_.variables[variable].type, true);
    if (variableOffsets_[variable] < 0) {
        variableOffsets_[variable] = reserve(slotBytes(types));
    }
    std::vector<llvm::Value*> result;
    int64_t offset = variableOffsets_[variable];
    for (llvm::Type* part : types) {
        result.push_back(slotAddress(offset, sizeOf(part)));
        offset += slotBytes({part});
    }
    return result;
}

Parts FunctionLowering::loadVariable(uint32_t variable) {
    const Type* type = function_.variables[variable].type;
    std::vector<llvm::Type*> types = partTypes(type, true);
    std::vector<llvm::Value*> slots = stackSlots(variable);
    Parts result;
    for (size_t i = 0; i < slots.size(); i++) {
        result.push_back(fromMemory(builder_.CreateLoad(types[i], slots[i]), type));
    }
    return result;
}

void FunctionLowering::storeVariable(uint32_t variable, const Parts& parts) {
    const Type* type = function_.variables[variable].type;
    std::vector<llvm::Value*> slots = stackSlots(variable);
    for (size_t i = 0; i < slots.size(); i++) {
        builder_.CreateStore(toMemory(parts[i], type), slots[i]);
    }
}

// A scalar variable that control flow around barriers assigns: once, or for the current thread.
void FunctionLowering::storeBetweenSegments(uint32_t variable, llvm::Value* value) {
    if (plan_.isOnceVariable(variable)) {
        storeVariable(variable, {value});
    } else if (plan_.crossesVariable(variable)) {
        inParallel(builder_.CreateStore(toMemory(value, function_.variables[variable].type), threadSlots(variable)[0]));
    }
}

namespace {

// Calls visit(variable, isAssigned) for what the segment names, each once.
void forEachVariable(const std::vector<const Instruction*>& segment, size_t variables,
                     const std::function<void(uint32_t, bool)>& visit) {
    std::vector<bool> seen(variables);
    std::vector<bool> assigned(variables);
    auto note = [&](const Instruction& instruction) {
        if (instruction.op == Op::kGet || instruction.op == Op::kSet || instruction.op == Op::kFor) {
            seen[instruction.index] = true;
            assigned[instruction.index] = assigned[instruction.index] || instruction.op != Op::kGet;
        }
    };
    for (const Instruction* instruction : segment) {
        note(*instruction);
        for (const auto& nested : instruction->blocks) {
            forEach(*nested, note);
        }
    }
    for (uint32_t i = 0; i < variables; i++) {
        if (seen[i]) {
            visit(i, assigned[i]);
        }
    }
}

}  // namespace

// Variables that live in this segment only start anew in each thread: what the thread before left there is no input.
// Others are on the stack during the segment, so that they can be in registers.
void FunctionLowering::enterSegment(const std::vector<const Instruction*>& segment) {
    forEachVariable(segment, function_.variables.size(), [&](uint32_t variable, bool) {
        if (plan_.isOnceVariable(variable)) {
            return;
        }
        std::vector<llvm::Type*> types = partTypes(function_.variables[variable].type, true);
        std::vector<llvm::Value*> slots = stackSlots(variable);
        if (common_ != nullptr && common_->index == variable) {
            builder_.CreateStore(counterAgain(*common_, commonPass_), slots[0]);
            return;
        }
        std::vector<llvm::Value*> kept = plan_.crossesVariable(variable) ? threadSlots(variable) : std::vector<llvm::Value*>();
        for (size_t i = 0; i < slots.size(); i++) {
            llvm::Value* first = kept.empty() ? static_cast<llvm::Value*>(llvm::Constant::getNullValue(types[i]))
                                              : inParallel(builder_.CreateLoad(types[i], kept[i]));
            builder_.CreateStore(first, slots[i]);
        }
    });
}

// A thread that returns does not come here: nobody asks for its variables any more.
void FunctionLowering::leaveSegment(const std::vector<const Instruction*>& segment) {
    forEachVariable(segment, function_.variables.size(), [&](uint32_t variable, bool isAssigned) {
        if (!isAssigned || plan_.isOnceVariable(variable) || !plan_.crossesVariable(variable)) {
            return;
        }
        std::vector<llvm::Type*> types = partTypes(function_.variables[variable].type, true);
        std::vector<llvm::Value*> slots = stackSlots(variable);
        std::vector<llvm::Value*> kept = threadSlots(variable);
        for (size_t i = 0; i < slots.size(); i++) {
            inParallel(builder_.CreateStore(builder_.CreateLoad(types[i], slots[i]), kept[i]));
        }
    });
}

// An access that no other thread's depends on before the next barrier: the loop over threads may be vectorised.
llvm::Instruction* FunctionLowering::inParallel(llvm::Instruction* access) {
    if (accessGroup_ != nullptr && !checksAccesses()) {
        access->setMetadata(llvm::LLVMContext::MD_access_group, accessGroup_);
    }
    return access;
}

// Local arrays of kernels without barriers are on the stack, the same place for one thread after another; an array that
// is local on some path only has no such type, so that all arrays count as such ones then.
bool FunctionLowering::isPrivate(const Type* array) const {
    return !plan_.hasBarriers() && (array->space == Space::kLocal || localsEscape_);
}

}  // namespace kiln::gpu
