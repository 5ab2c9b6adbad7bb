// Where values and variables are: in registers, in stack slots, or, across barriers, in arrays by thread.
#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

FunctionLowering::FunctionLowering(ModuleLowering& module, const Function& function, llvm::Function* target)
    : module_(module), function_(function), target_(target), context_(target->getContext()), builder_(context_),
      plan_(function), values_(function.values.size()), valueSegment_(function.values.size(), 0),
      variableSlots_(function.variables.size()), variableOffsets_(function.variables.size(), -1),
      valueOffsets_(function.values.size(), -1), localOffsets_(function.arrays.size(), -1) {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", target_));
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
        int64_t size = static_cast<int64_t>(module_.target().getDataLayout().getTypeAllocSize(type));
        loaded.push_back(fromMemory(builder_.CreateLoad(type, slotAddress(offset, size)), definition.type));
        offset += 8;
    }
    values_[value] = loaded;
    valueSegment_[value] = ~0u;
    return values_[value];
}

void FunctionLowering::define(const Instruction& instruction, Parts parts) {
    ValueId value = instruction.result;
    if (segment_ != 0 && plan_.crosses(value)) {
        if (valueOffsets_[value] < 0) {
            valueOffsets_[value] = reserve(8 * static_cast<int64_t>(parts.size()));
        }
        int64_t offset = valueOffsets_[value];
        size_t own = partTypes(instruction.type, true).size();  // a call's other results cross by themselves
        for (size_t i = 0; i < own; i++) {
            llvm::Value* stored = toMemory(parts[i], instruction.type);
            int64_t size = static_cast<int64_t>(module_.target().getDataLayout().getTypeAllocSize(stored->getType()));
            builder_.CreateStore(stored, slotAddress(offset, size));
            offset += 8;
        }
    }
    values_[value] = std::move(parts);
    valueSegment_[value] = segment_;
}

// The addresses of a variable's parts, for the current thread.
std::vector<llvm::Value*> FunctionLowering::addresses(uint32_t variable) {
    const Type* type = function_.variables[variable].type;
    std::vector<llvm::Type*> types = partTypes(type, true);
    if (plan_.crossesVariable(variable) && !plan_.isOnceVariable(variable)) {
        if (variableOffsets_[variable] < 0) {
            variableOffsets_[variable] = reserve(8 * static_cast<int64_t>(types.size()));
        }
        std::vector<llvm::Value*> result;
        int64_t offset = variableOffsets_[variable];
        for (llvm::Type* part : types) {
            int64_t size = static_cast<int64_t>(module_.target().getDataLayout().getTypeAllocSize(part));
            result.push_back(slotAddress(offset, size));
            offset += 8;
        }
        return result;
    }
    if (variableSlots_[variable].empty()) {
        llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
        for (llvm::Type* part : types) {
            llvm::AllocaInst* slot = entry.CreateAlloca(part, nullptr, function_.variables[variable].name);
            entry.CreateStore(llvm::Constant::getNullValue(part), slot)->moveAfter(slot);
            variableSlots_[variable].push_back(slot);
        }
    }
    return variableSlots_[variable];
}

Parts FunctionLowering::loadVariable(uint32_t variable) {
    const Type* type = function_.variables[variable].type;
    std::vector<llvm::Type*> types = partTypes(type, true);
    std::vector<llvm::Value*> slots = addresses(variable);
    Parts result;
    for (size_t i = 0; i < slots.size(); i++) {
        result.push_back(fromMemory(builder_.CreateLoad(types[i], slots[i]), type));
    }
    return result;
}

void FunctionLowering::storeVariable(uint32_t variable, const Parts& parts) {
    const Type* type = function_.variables[variable].type;
    std::vector<llvm::Value*> slots = addresses(variable);
    for (size_t i = 0; i < slots.size(); i++) {
        builder_.CreateStore(toMemory(parts[i], type), slots[i]);
    }
}

// Variables that live in this segment only start anew in each thread: what the thread before left there is no input.
void FunctionLowering::forgetVariables(const std::vector<const Instruction*>& segment) {
    std::vector<bool> seen(function_.variables.size());
    auto forget = [&](const Instruction& instruction) {
        bool named = instruction.op == Op::kGet || instruction.op == Op::kSet || instruction.op == Op::kFor;
        if (!named || seen[instruction.index] || plan_.crossesVariable(instruction.index) ||
            plan_.isOnceVariable(instruction.index)) {
            return;
        }
        seen[instruction.index] = true;
        std::vector<llvm::Type*> types = partTypes(function_.variables[instruction.index].type, true);
        std::vector<llvm::Value*> slots = addresses(instruction.index);
        for (size_t i = 0; i < slots.size(); i++) {
            builder_.CreateStore(llvm::Constant::getNullValue(types[i]), slots[i]);
        }
    };
    for (const Instruction* instruction : segment) {
        forget(*instruction);
        for (const auto& nested : instruction->blocks) {
            forEach(*nested, forget);
        }
    }
}

}  // namespace kiln::gpu
