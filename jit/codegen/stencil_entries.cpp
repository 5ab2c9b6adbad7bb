#include "jit/codegen/stencil_entries.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

#include <iterator>

#include "jit/codegen/stencil_lowering.h"

namespace kiln {
namespace {

constexpr int kWord = 8;

// A word of the native frame, by its base or by the stack pointer, which stands at its first word.
std::string inFrame(int word) {
    return std::to_string(word * kWord) + "(%r13)";
}

std::string fromStackPointer(int word) {
    return std::to_string((word - kFirstWord) * kWord) + "(%rsp)";
}

std::string storeWord(const std::string& source, int word) {
    return "movq " + source + ", " + inFrame(word) + "\n";
}

std::string takeBase() {
    return "leaq " + fromStackPointer(0) + ", %r13\n";
}

// Keeps a frame pointer, for those who walk the stack. What a stencil calls begins with the stack aligned as C wants it, so the
// stack pointer is a multiple of 16 in stencils; it was one before the call of this function, and seven words and the frame, an
// even number of words, lie between.
std::string prologue() {
    std::string text = "pushq %rbp\nmovq %rsp, %rbp\n";
    for (const char* saved : {"r15", "r14", "r13", "r12", "rbx"}) {
        text += std::string("pushq %") + saved + "\n";
    }
    text += "subq $" + holeName(HoleKind::k_native_frame_size) + ", %rsp\n";
    return text + takeBase() + "movq %rdi, %r12\n";
}

std::string epilogue() {
    std::string text = "leaq -40(%rbp), %rsp\n";
    for (const char* saved : {"rbx", "r12", "r13", "r14", "r15", "rbp"}) {
        text += std::string("popq %") + saved + "\n";
    }
    return text + "retq\n";
}

std::string callNext() {
    return "callq " + holeName(HoleKind::k_next) + "\n";
}

std::string loadResult() {
    return "movq " + fromStackPointer(kResultWord) + ", %rax\nmovq " + fromStackPointer(kStatusWord) + ", %rdx\n";
}

// By the System V convention, behind the context and the function.
std::string storeArguments(const Signature& signature) {
    constexpr const char* kIntRegisters[] = {"%rdx", "%rcx", "%r8", "%r9"};
    constexpr int kFirstOnStack = 16;  // above the return address and the saved frame pointer
    size_t ints = 0;
    int floats = 0;
    int onStack = kFirstOnStack;
    std::string text;
    for (int index = 0; index < signature.count; index++) {
        int word = kFirstValueWord + index;
        if (signature.isFloat(index)) {
            text += "movsd %xmm" + std::to_string(floats++) + ", " + inFrame(word) + "\n";
        } else if (ints < std::size(kIntRegisters)) {
            text += storeWord(kIntRegisters[ints++], word);
        } else {
            text += "movq " + std::to_string(onStack) + "(%rbp), %rax\n" + storeWord("%rax", word);
            onStack += kWord;
        }
    }
    return text;
}

std::string textOf(Piece piece, int variant) {
    if (piece == Piece::k_enter_loop) {
        return prologue() + storeWord("%rsi", kFrameWord) + callNext() + epilogue();
    }
    std::string begins = prologue() + storeWord("$0", kFrameWord) + storeWord("%rsi", kFunctionWord);
    if (piece == Piece::k_enter_native) {
        return begins + storeArguments(signatureOfVariant(variant)) + callNext() + loadResult() + epilogue();
    }
    std::string boxes = takeBase() + "callq " + holeName(HoleKind::k_other) + "\n";
    return begins + storeWord("%rdx", kArgumentArrayWord) + callNext() + boxes + loadResult() + epilogue();
}

// A dollar sign of assembly is two in the text of inline assembly.
std::string escaped(const std::string& text) {
    std::string result;
    for (char letter : text) {
        result += letter == '$' ? "$$" : std::string(1, letter);
    }
    return result;
}

}  // namespace

bool isEntry(Piece piece) {
    return piece == Piece::k_enter_loop || piece == Piece::k_enter_native || piece == Piece::k_enter_boxed;
}

void makeEntry(Piece piece, int variant, const std::string& name, llvm::Module& module) {
    llvm::LLVMContext& context = module.getContext();
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    auto* entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    entry->addFnAttr(llvm::Attribute::Naked);
    entry->addFnAttr(llvm::Attribute::NoUnwind);
    entry->addFnAttr(llvm::Attribute::NoInline);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
    builder.CreateCall(type, llvm::InlineAsm::get(type, escaped(textOf(piece, variant)), "", /*hasSideEffects=*/true));
    builder.CreateUnreachable();
}

}  // namespace kiln
