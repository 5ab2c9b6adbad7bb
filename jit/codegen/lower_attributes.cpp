// Attributes of instances: values, slots, and the order in which values came.
#include <llvm/IR/MDBuilder.h>

#include "jit/codegen/lowering.h"

namespace kiln {

// Attributes at different offsets never overlap: each array of values, and each instance, is aligned alike.
llvm::MDNode* Lowering::attributeAccess(int64_t offset) {
    llvm::MDNode*& access = attributeAccesses_[offset];
    if (access == nullptr) {
        llvm::MDBuilder metadata(context_);
        llvm::MDNode* root = metadata.createTBAARoot("kiln");
        llvm::MDNode* scalar = metadata.createTBAAScalarTypeNode("attribute" + std::to_string(offset), root);
        access = metadata.createTBAAStructTagNode(scalar, scalar, 0);
    }
    return access;
}

llvm::Value* Lowering::attributePlace(const ir::Instruction& in) {
    Value* base = builder_.CreateIntToPtr(value(in.operands[0]), pointer_);
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), base, number(in));
}

void Lowering::storeAttribute(const ir::Instruction& in) {
    Value* place = attributePlace(in);
    llvm::MDNode* access = attributeAccess(in.immediate);
    auto put = [&](Value* object) { builder_.CreateStore(object, place)->setMetadata(llvm::LLVMContext::MD_tbaa, access); };
    llvm::LoadInst* old = builder_.CreateLoad(pointer_, place);
    old->setMetadata(llvm::LLVMContext::MD_tbaa, access);
    Value* stored = value(in.operands[1]);
    bool number = in.op == ir::Op::k_store_attribute_float;
    auto absent = [&] { put(number ? boxNumber(stored) : stored); };
    auto present = [&] {
        if (number) {
            storeFloat(in, old, place, access);
        } else {
            put(stored);
            decref(old, End::kSeldom);
        }
    };
    either(builder_.CreateIsNull(old), absent, present);
}

void Lowering::noteAttribute(const ir::Instruction& in) {
    llvm::LoadInst* old = builder_.CreateLoad(pointer_, attributePlace(in));
    old->setMetadata(llvm::LLVMContext::MD_tbaa, attributeAccess(in.immediate));
    when(builder_.CreateIsNull(old), [&] {
        callRuntime(RuntimeFunction::k_note_attribute, builder_.getVoidTy(), {value(in.operands[0]), number(in)});
    }, Odds::kUnlikely);
}

bool Lowering::lowerAttribute(const ir::Instruction& in) {
    switch (in.op) {
        case ir::Op::k_values: {
            Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), value(in.operands[0]), static_cast<uint64_t>(environment_.valuesOffset));
            Value* word = tag(builder_.CreateLoad(i64_, place), Memory::kValues);
            exitUnless(builder_.CreateTrunc(word, i1_), in.snapshot);
            define(in, builder_.CreateAdd(word, builder_.getInt64(1)));
            return true;
        }
        case ir::Op::k_address: define(in, builder_.CreatePtrToInt(value(in.operands[0]), i64_)); return true;
        case ir::Op::k_keys_version:
            define(in, builder_.CreateZExt(tag(builder_.CreateLoad(i32_, object(in)), Memory::kKeys), i64_));
            return true;
        case ir::Op::k_load_attribute: {
            llvm::LoadInst* loaded = builder_.CreateLoad(pointer_, attributePlace(in));
            loaded->setMetadata(llvm::LLVMContext::MD_tbaa, attributeAccess(in.immediate));
            define(in, loaded);
            return true;
        }
        case ir::Op::k_store_attribute: case ir::Op::k_store_attribute_float: storeAttribute(in); return true;
        case ir::Op::k_note_attribute: noteAttribute(in); return true;
        default: return false;
    }
}

}  // namespace kiln
