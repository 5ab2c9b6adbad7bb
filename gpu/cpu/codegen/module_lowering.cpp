// A module: declarations of its functions, and the kernel's entry.
#include "gpu/cpu/codegen/kernel_lowering.h"

#include <algorithm>
#include <set>

namespace kiln::gpu {
namespace {

// By function: how many calls of it the module has.
std::vector<int> callsOf(const gpu::Module& module) {
    std::vector<int> calls(module.functions.size(), 0);
    for (const auto& function : module.functions) {
        forEach(function->body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kCall) {
                calls[instruction.index]++;
            }
        });
    }
    return calls;
}

// The parameter in which an array of the kernel's lies, itself or as a part; -1: it may lie anywhere.
int64_t parameterOf(const std::vector<const Instruction*>& definitions, ValueId array) {
    const Instruction* at = definitions[array];
    while (at != nullptr && at->op == Op::kView) {
        at = definitions[at->operands[0]];
    }
    return at != nullptr && at->op == Op::kParameter ? static_cast<int64_t>(at->index) : -1;
}

}  // namespace

ModuleLowering::ModuleLowering(const gpu::Module& module, llvm::Module& target, const int32_t* block)
    : source_(module), target_(target), block_(block), bounds_(module), functions_(module.functions.size()) {}

llvm::Type* ModuleLowering::scalarType(const Type* type, bool inMemory) const {
    llvm::LLVMContext& context = target_.getContext();
    if (type->isComplex()) {
        llvm::Type* part = scalarType(partType(type), inMemory);
        return llvm::StructType::get(context, {part, part});
    }
    if (type->isFloat()) {
        return type->bits == 16 ? llvm::Type::getHalfTy(context)
               : type->bits == 32 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
    }
    if (type->isRecord()) {  // as elements of arrays
        return llvm::ArrayType::get(llvm::Type::getInt8Ty(context), static_cast<uint64_t>(type->bytes()));
    }
    return llvm::Type::getIntNTy(context, type->isBool() && !inMemory ? 1 : type->bits);
}

void ModuleLowering::addTypes(const Type* type, std::vector<llvm::Type*>& out) const {
    if (type->isScalar()) {
        out.push_back(scalarType(type, false));
        return;
    }
    out.push_back(llvm::PointerType::get(target_.getContext(), 0));
    int words = type->ndim * (type->layout == Layout::kA ? 2 : 1);
    out.insert(out.end(), static_cast<size_t>(words), llvm::Type::getInt64Ty(target_.getContext()));
}

llvm::Type* ModuleLowering::resultType(const Function& function) const {
    std::vector<llvm::Type*> types;
    for (const Type* type : function.results) {
        addTypes(type, types);
    }
    llvm::LLVMContext& context = target_.getContext();
    return types.empty() ? llvm::Type::getVoidTy(context) : llvm::StructType::get(context, types);
}

int64_t ModuleLowering::sharedOffset(const Function& function, uint32_t array) {
    auto [found, isNew] = sharedOffsets_.try_emplace({&function, array}, sharedBytes_);
    if (isNew) {
        const StaticArray& made = function.arrays[array];
        sharedBytes_ += (made.elements() * made.type->element->bytes() + 63) / 64 * 64;
    }
    return found->second;
}

bool ModuleLowering::hasLocalArrays() const {
    for (size_t i = 1; i < source_.functions.size(); i++) {
        for (const StaticArray& array : source_.functions[i]->arrays) {
            if (array.type->space == Space::kLocal) {
                return true;
            }
        }
    }
    return false;
}

// Device functions get the geometry and the block's shared memory behind their arguments.
void ModuleLowering::declare(uint32_t index) {
    const Function& function = *source_.functions[index];
    std::vector<llvm::Type*> types;
    for (const Type* type : function.parameters) {
        addTypes(type, types);
    }
    llvm::Type* pointer = llvm::PointerType::get(target_.getContext(), 0);
    types.push_back(pointer);
    types.push_back(pointer);
    types.push_back(llvm::Type::getInt64Ty(target_.getContext()));
    auto* type = llvm::FunctionType::get(resultType(function), types, false);
    // Not under its own name: that may be the one of a function of the C library, which kernels call, too.
    functions_[index] = llvm::Function::Create(type, llvm::Function::InternalLinkage, "device." + function.name, target_);
}

void ModuleLowering::tellApart() {
    bool namesArrays = std::ranges::any_of(source_.functions, [](const auto& function) { return !function->globals.empty(); });
    if (!source_.areApart || namesArrays) {
        return;
    }
    std::vector<int> calls = callsOf(source_);
    std::vector<const Instruction*> definitions = definitionsOf(source_.kernel());
    forEach(source_.kernel().body, [&](const Instruction& call) {
        if (call.op != Op::kCall || calls[call.index] > 1) {
            return;
        }
        std::vector<unsigned> pointers;
        std::set<int64_t> parameters;
        std::vector<llvm::Type*> parts;
        for (size_t i = 0; i < call.operands.size(); i++) {
            const Type* type = source_.functions[call.index]->parameters[i];
            if (type->isArray()) {
                pointers.push_back(static_cast<unsigned>(parts.size()));
                parameters.insert(parameterOf(definitions, call.operands[i]));
            }
            addTypes(type, parts);
        }
        bool differ = parameters.size() == pointers.size() && !parameters.contains(-1);
        for (unsigned pointer : differ ? pointers : std::vector<unsigned>()) {
            functions_[call.index]->addParamAttr(pointer, llvm::Attribute::NoAlias);
        }
    });
}

void ModuleLowering::run(CpuImage& image) {
    for (uint32_t i = 1; i < functions_.size(); i++) {
        if (source_.functions[i]->isCalled) {
            declare(i);
        }
    }
    tellApart();
    for (uint32_t i = 1; i < functions_.size(); i++) {
        if (source_.functions[i]->isCalled) {
            FunctionLowering(*this, *source_.functions[i], functions_[i]).runDevice();
        }
    }
    llvm::LLVMContext& context = target_.getContext();
    llvm::Type* pointer = llvm::PointerType::get(context, 0);
    llvm::Type* word = llvm::Type::getInt64Ty(context);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, word, word, pointer}, false);
    auto* entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kEntryName, target_);
    image.bytesPerThread = FunctionLowering(*this, source_.kernel(), entry).runKernel();
    image.sharedBytes = sharedBytes_;
}

}  // namespace kiln::gpu
