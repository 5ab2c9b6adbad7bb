// An instruction's line.
#include <bit>
#include <charconv>
#include <cmath>

#include "jit/ir/line_parser.h"
#include "jit/ir/names.h"

namespace kiln::ir {

bool LineParser::readInstruction(Block& block) {
    Instruction instruction{};
    const bool hasResult = tokens_[position_ + (atEnd() ? 0 : 1)].text == ":";
    if (hasResult && !(readTypedValue(instruction.result, instruction.type) && expect("="))) {
        return false;
    }
    if (!readOp(instruction) || !readImmediate(instruction) || !readOperands(instruction) ||
        !readTargets(instruction, block)) {
        return false;
    }
    if (take("!") && !readIndex(instruction.snapshot)) {
        return false;
    }
    block.instructions.push_back(std::move(instruction));
    return expectEnd();
}

bool LineParser::readOp(Instruction& instruction) {
    if (!findOp(peek(), instruction.op)) {
        return failExpected("an op");
    }
    ++position_;
    return true;
}

bool LineParser::readImmediate(Instruction& instruction) {
    const Immediate kind = info(instruction.op).immediate;
    if (kind == Immediate::kNone || (kind == Immediate::kSeen && peek() != "[")) {
        return true;
    }
    if (!expect("[")) {
        return false;
    }
    int index = 0;
    if (kind == Immediate::kFloat) {
        if (!readFloat(instruction.immediate)) {
            return false;
        }
    } else if (findImmediate(kind, peek(), index)) {
        instruction.immediate = index;
        ++position_;
    } else if (!readInteger(instruction.immediate)) {
        return false;
    }
    return expect("]");
}

bool LineParser::readFloat(int64_t& bits) {
    if (take("nan")) {
        return readNanBits(bits);
    }
    double value = 0;
    const std::string_view word = peek();
    const char* end = word.data() + word.size();
    const std::from_chars_result result = std::from_chars(word.data(), end, value);
    if (word.empty() || result.ec != std::errc() || result.ptr != end || std::isnan(value)) {
        return failExpected("a float");
    }
    ++position_;
    bits = std::bit_cast<int64_t>(value);
    return true;
}

bool LineParser::readNanBits(int64_t& bits) {
    if (!expect(":")) {
        return false;
    }
    uint64_t pattern = 0;
    const std::string_view word = peek();
    const char* end = word.data() + word.size();
    const std::from_chars_result result = std::from_chars(word.data(), end, pattern, 16);
    if (word.empty() || result.ec != std::errc() || result.ptr != end || !std::isnan(std::bit_cast<double>(pattern))) {
        return failExpected("the bits of a nan");
    }
    ++position_;
    bits = static_cast<int64_t>(pattern);
    return true;
}

bool LineParser::readOperands(Instruction& instruction) {
    if (info(instruction.op).operands[0] == '\0' || atEnd() || peek() == "!") {
        return true;  // too few operands are the verifier's business
    }
    do {
        ValueId value = kNoId;
        if (!readValue(value)) {
            return false;
        }
        instruction.operands.push_back(value);
    } while (take(","));
    return true;
}

bool LineParser::readTargets(const Instruction& end, Block& block) {
    if (end.op == Op::k_jump) {
        return readTarget(block);
    }
    if (end.op == Op::k_branch) {
        return expect("?") && readTarget(block) && expect(":") && readTarget(block);
    }
    return true;
}

bool LineParser::readTarget(Block& block) {
    Target target;
    const auto readArgument = [&] {
        ValueId value = kNoId;
        if (!readValue(value)) {
            return false;
        }
        target.arguments.push_back(value);
        return true;
    };
    if (!readNumbered("block", target.block) || !readList("(", ")", readArgument)) {
        return false;
    }
    block.targets.push_back(std::move(target));
    return true;
}

}  // namespace kiln::ir
