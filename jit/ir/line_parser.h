// Reads the constructs that stand on one line of region text. The grammar stands in printer.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/ir/lexer.h"
#include "jit/ir/region.h"

namespace kiln::ir {

// Every read…() returns false with a message in error() when the line holds something else; the first message stays.
class LineParser {
public:
    LineParser(std::vector<Token> tokens, Region& region) : tokens_(std::move(tokens)), region_(region) {}

    const std::string& error() const { return error_; }

    // The next token's text; empty for a string and at the end of the line.
    std::string_view peek() const {
        const Token& token = tokens_[position_];
        return token.kind == TokenKind::kString ? std::string_view() : token.text;
    }
    bool atEnd() const { return tokens_[position_].kind == TokenKind::kEnd; }
    // Takes the next token if it is this word or sign.
    bool take(std::string_view text);
    bool expect(std::string_view text);
    bool expectEnd();

    bool readString(std::string& text);
    bool readInteger(int64_t& value);
    bool readIndex(int32_t& value);  // of an id or a table: fits 32 bits
    bool readType(Type& type);
    // A word such as v7 or block3: the prefix and a number.
    bool readNumbered(std::string_view prefix, int32_t& number);
    bool readValue(ValueId& value) { return readNumbered("v", value); }
    bool readTypedValue(ValueId& value, Type& type);  // also enters the type into the value table

    bool readInstruction(Block& block);
    bool readSnapshot(Region& region);

    bool fail(std::string what);

private:
    bool failExpected(std::string_view what);
    // '(' or '[' … with `readElement` for each element, up to the closing sign.
    template <typename ReadElement>
    bool readList(std::string_view open, std::string_view close, const ReadElement& readElement);

    bool readOp(Instruction& instruction);
    bool readImmediate(Instruction& instruction);
    bool readFloat(int64_t& bits);
    bool readNanBits(int64_t& bits);
    bool readOperands(Instruction& instruction);
    bool readTarget(Block& block);
    bool readTargets(const Instruction& end, Block& block);

    bool readFrame(FrameSnapshot& frame);
    template <typename Enum, size_t count>
    bool readOneOf(const char* const (&names)[count], Enum& value);
    bool readSource(SlotSource& source);
    bool readComposite(SlotSource& source);
    bool readName(NameSource& name);

    std::vector<Token> tokens_;
    Region& region_;
    size_t position_ = 0;
    std::string error_;
};

template <typename ReadElement>
bool LineParser::readList(std::string_view open, std::string_view close, const ReadElement& readElement) {
    if (!expect(open)) {
        return false;
    }
    if (take(close)) {
        return true;
    }
    do {
        if (!readElement()) {
            return false;
        }
    } while (take(","));
    return expect(close);
}

}  // namespace kiln::ir
