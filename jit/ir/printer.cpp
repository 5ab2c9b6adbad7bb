// A region as text. parse() reads it back, and printing that gives the same text.
//
//   region   = 'region' "name" ('loop' | 'function') ['(' types ')' ['->' type]]
//              {('object' | 'code' | 'name') INDEX "text"} {block} {'snapshot' INDEX snapshot}
//   block    = 'block'N '(' [vN ':' type {',' …}] ')' ['cold'] ':' {instruction}
//   instruction = [vN ':' type '='] op ['[' immediate ']'] [operand {',' operand}] ['!' SNAPSHOT]
//            | 'jump' target | 'branch' vN '?' target ':' target
//   target   = 'block'N '(' [vN {',' vN}] ')'
//   snapshot = 'reason=' N ['place=' N] ['raises'] ['passes' | 'discards' OBJECT] ':' {frame} ['names' '{' NAME ':' source {',' …} '}']
//   frame    = 'frame' CODE ['function' OBJECT] ['exhausted' N] ['into' consumer] ['use' result_use] ['detail' N] '@unit' N
//              '[' [source {',' source}] ']'
//   source   = ['own'] ('home' | 'null' | vN | 'const' N | kind '(' [source {',' source}] ['of' vN] ['of home'] ')')
//
// One construct a line; '#' starts a comment. Helper, Math and Field immediates stand by name, Float ones as decimal
// text that reads back exactly or as nan:BITS, all others as numbers. Pointers of the tables have no text: parse()
// leaves them null.
#include "jit/ir/names.h"
#include "jit/ir/text.h"

namespace kiln::ir {

namespace {

void appendValues(std::string& text, std::span<const ValueId> values) {
    for (size_t i = 0; i < values.size(); ++i) {
        text += i == 0 ? "v" : ", v";
        text += std::to_string(values[i]);
    }
}

void appendTarget(std::string& text, const Target& target) {
    text += "block";
    text += std::to_string(target.block);
    text += '(';
    appendValues(text, target.arguments);
    text += ')';
}

// The name of the constant that an instruction refers to, as a comment.
void appendComment(std::string& text, const Region& region, const Instruction& instruction) {
    const Immediate kind = info(instruction.op).immediate;
    const std::vector<std::string>* names = kind == Immediate::kObject ? &region.objectNames
                                            : kind == Immediate::kVar  ? &region.names
                                                                       : nullptr;
    const auto index = static_cast<size_t>(instruction.immediate);
    if (names == nullptr || index >= names->size() || (*names)[index].empty()) {
        return;
    }
    text += "  # ";
    for (const char c : (*names)[index]) {
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
}

void appendInstruction(std::string& text, const Region& region, const Block& block, const Instruction& instruction) {
    text += "    ";
    if (instruction.result != kNoId) {
        text += 'v';
        text += std::to_string(instruction.result);
        text += ':';
        text += typeName(instruction.type);
        text += " = ";
    }
    text += info(instruction.op).name;
    appendImmediate(text, instruction);
    if (!instruction.operands.empty()) {
        text += ' ';
        appendValues(text, instruction.operands);
    }
    if (info(instruction.op).effect == Effect::kEnd) {
        for (size_t i = 0; i < block.targets.size(); ++i) {
            text += instruction.op == Op::k_jump ? " " : i == 0 ? " ? " : " : ";
            appendTarget(text, block.targets[i]);
        }
    }
    if (instruction.snapshot != kNoId) {
        text += " !";
        text += std::to_string(instruction.snapshot);
    }
    appendComment(text, region, instruction);
    text += '\n';
}

void appendHeader(std::string& text, const Region& region) {
    text += "region ";
    appendQuoted(text, region.name);
    text += region.isFunction ? " function" : " loop";
    if (region.isFunction || !region.argumentTypes.empty() || region.returnType != Type::kNone) {
        text += '(';
        for (size_t i = 0; i < region.argumentTypes.size(); ++i) {
            text += i == 0 ? "" : ", ";
            text += typeName(region.argumentTypes[i]);
        }
        text += ") -> ";
        text += typeName(region.returnType);
    }
    text += '\n';
}

void appendTable(std::string& text, const char* kind, const std::vector<std::string>& entries) {
    for (size_t i = 0; i < entries.size(); ++i) {
        text += kind;
        text += ' ';
        text += std::to_string(i);
        text += ' ';
        appendQuoted(text, entries[i]);
        text += '\n';
    }
}

void appendBlock(std::string& text, const Region& region, BlockId id) {
    const Block& block = region.blocks[id];
    text += "block";
    text += std::to_string(id);
    text += '(';
    for (size_t i = 0; i < block.parameters.size(); ++i) {
        const ValueId value = block.parameters[i];
        const bool known = value >= 0 && static_cast<size_t>(value) < region.valueTypes.size();
        text += i == 0 ? "v" : ", v";
        text += std::to_string(value);
        text += ':';
        text += typeName(known ? region.valueTypes[value] : Type::kNone);
    }
    text += block.cold ? ") cold:\n" : "):\n";
    for (const Instruction& instruction : block.instructions) {
        appendInstruction(text, region, block, instruction);
    }
}

}  // namespace

std::string print(const Region& region) {
    std::string text;
    appendHeader(text, region);
    appendTable(text, "object", region.objectNames);
    appendTable(text, "code", region.codeNames);
    appendTable(text, "name", region.names);
    for (size_t id = 0; id < region.blocks.size(); ++id) {
        appendBlock(text, region, static_cast<BlockId>(id));
    }
    for (size_t id = 0; id < region.snapshots.size(); ++id) {
        text += "snapshot ";
        text += std::to_string(id);
        text += ' ';
        appendSnapshot(text, region, region.snapshots[id]);
        text += '\n';
    }
    return text;
}

}  // namespace kiln::ir
