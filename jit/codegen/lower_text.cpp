// Comparison of texts: most differ in their length or first character, or are one object.
#include "jit/codegen/lowering.h"

namespace kiln {
namespace {

// Of PyASCIIObject's state: characters of one byte that lie behind the head, all of them ASCII.
constexpr uint32_t kPlainText = 0x60;

}  // namespace

bool Lowering::lowerText(const ir::Instruction& in) {
    if (in.op != ir::Op::k_text_equal) {
        return false;
    }
    Value* a = value(in.operands[0]);
    Value* b = value(in.operands[1]);
    Value* length = load(i64_, a, Field::k_unicode_length, memoryOf(Field::k_unicode_length));
    auto isPlain = [&](Value* text) {
        Value* state = load(i32_, text, Field::k_unicode_state, memoryOf(Field::k_unicode_state));
        return builder_.CreateICmpEQ(builder_.CreateAnd(state, builder_.getInt32(kPlainText)), builder_.getInt32(kPlainText));
    };
    auto first = [&](Value* text) { return load(builder_.getInt8Ty(), text, Field::k_unicode_first, memoryOf(Field::k_unicode_first)); };
    auto differ = [&]() -> Value* { return builder_.getFalse(); };
    auto ask = [&]() -> Value* {
        llvm::CallInst* equal = pure(callRuntime(RuntimeFunction::k_texts_equal, i64_, {a, b}));
        return builder_.CreateICmpNE(equal, builder_.getInt64(0));
    };
    // An empty text has a zero behind it, as every text has.
    auto compareFirst = [&]() -> Value* {
        auto same = [&]() -> Value* {
            Value* isOne = builder_.CreateICmpULE(length, builder_.getInt64(1));
            return choose(isOne, [&]() -> Value* { return builder_.getTrue(); }, ask);
        };
        return choose(builder_.CreateICmpEQ(first(a), first(b)), same, differ);
    };
    auto compareTexts = [&]() -> Value* {
        Value* plain = builder_.CreateAnd(isPlain(a), isPlain(b));
        Value* alike = builder_.CreateICmpEQ(length, load(i64_, b, Field::k_unicode_length, memoryOf(Field::k_unicode_length)));
        return choose(alike, [&] { return choose(plain, compareFirst, ask); }, differ);
    };
    define(in, choose(builder_.CreateICmpEQ(a, b), [&]() -> Value* { return builder_.getTrue(); }, compareTexts));
    return true;
}

}  // namespace kiln
