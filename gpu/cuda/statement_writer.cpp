// Statements of a function.
#include <algorithm>
#include <utility>

#include "gpu/cuda/source_writer.h"
#include "gpu/ir/cache_hint.h"

namespace kiln::gpu {

void FunctionWriter::line(const std::string& text, int pythonLine) {
    pythonLine = pythonLine > 0 ? pythonLine : pythonLine_;
    if (options_.lineDirectives && pythonLine > 0 && pythonLine != expectedLine_) {
        out_ += "#line " + std::to_string(pythonLine) + " " + quoted(function_.file) + "\n";
        expectedLine_ = pythonLine;
    }
    out_ += std::string(depth_ * 4, ' ') + text + "\n";
    expectedLine_++;
}

std::string FunctionWriter::headerOfArrays() const {
    std::string text;
    for (size_t i = 0; i < function_.arrays.size(); i++) {
        const StaticArray& array = function_.arrays[i];
        bool isShared = array.type->space == Space::kShared;
        std::string size =
            array.type->ndim > 0 ? "[" + std::to_string(std::max<int64_t>(array.elements(), 1)) + "]" : "";
        std::string alignment = array.alignment > 0 ? "__align__(" + std::to_string(array.alignment) + ") " : "";
        text += "    " + alignment + (isShared ? "__shared__ " : "") + array.type->element->cName() +
                (isShared ? " shared_" : " local_") + std::to_string(i) + size + ";\n";
    }
    bool dynamic = false;
    forEach(function_.body,
            [&](const Instruction& instruction) { dynamic = dynamic || instruction.op == Op::kDynamicArray; });
    return text + (dynamic ? "    extern __shared__ __align__(16) unsigned char dynamic_memory[];\n" : "");
}

std::string FunctionWriter::run() {
    out_ = signature() + " {\n" + headerOfArrays();
    for (size_t i = 0; i < function_.variables.size(); i++) {
        const Variable& variable = function_.variables[i];
        if (declarations_.isUsed(i) && declarations_.isDeclaredAtTop(i) && !choices_.isChosen(i)) {
            out_ += "    " + cudaType(variable.type) + " " + identifier(variable.name) + " = {};\n";
        }
    }
    write(function_.body, 1);
    return out_ + "}\n";
}

void FunctionWriter::write(const Block& block, int depth) {
    int outer = std::exchange(depth_, depth);
    writeAll(block.code, block.code.size());
    depth_ = outer;
}

void FunctionWriter::writeAll(const std::vector<Instruction>& code, size_t end) {
    for (size_t i = 0; i < end; i++) {
        pythonLine_ = code[i].line;
        if (choices_.isChoice(code[i])) {
            defineChoice(code[i], code[i + 1]);
            i++;
        } else {
            writeStatement(code[i]);
        }
    }
}

// Values that a statement would change are written down before it.
void FunctionWriter::flush(bool memory, const std::set<uint32_t>* variables) {
    std::vector<ValueId> changed;
    for (const auto& [value, pending] : pending_) {
        bool touched = memory && pending.readsMemory;
        for (uint32_t variable : pending.variables) {
            touched = touched || variables == nullptr || variables->count(variable) > 0;
        }
        if (touched && uses_[value] > 0) {
            changed.push_back(value);
        }
    }
    for (ValueId value : changed) {
        materialise(value);
    }
}

namespace {

const std::set<uint32_t> kNoVariables;

// What the blocks of a statement assign and whether they write memory.
bool findWrites(const Instruction& statement, std::set<uint32_t>& variables) {
    bool memory = false;
    auto visit = [&](const Instruction& instruction) {
        Effect effect = opInfo(instruction.op).effect;
        if (instruction.op == Op::kSet || instruction.op == Op::kFor) {
            variables.insert(instruction.index);
        } else {
            memory = memory || effect == Effect::kWrite || effect == Effect::kSync;
        }
    };
    visit(statement);
    for (const auto& block : statement.blocks) {
        forEach(*block, visit);
    }
    return memory;
}

}  // namespace

void FunctionWriter::writeSet(const Instruction& instruction) {
    std::string value = operand(instruction, 0);
    std::set<uint32_t> variables = {instruction.index};
    const Variable& variable = function_.variables[instruction.index];
    flush(false, &variables);
    std::string declaration =
        declarations_.isDeclaredAt(instruction.index, instruction) ? cudaType(variable.type) + " " : "";
    line(declaration + identifier(variable.name) + " = " + value + ";", instruction.line);
}

void FunctionWriter::writeStatement(const Instruction& instruction) {
    switch (instruction.op) {
    case Op::kSet: writeSet(instruction); return;
    case Op::kStore: {
        std::string target = element(instruction);
        std::string value = operand(instruction, instruction.operands.size() - 1);
        flush(true, &kNoVariables);
        line(isHinted(instruction) ? std::string("store_") + cacheHintName(instruction.bits) + "(&" + target + ", " + value + ");" : target + " = " + value + ";", instruction.line);
        return;
    }
    case Op::kBarrier:
        flush(true, &kNoVariables);
        line(instruction.index == static_cast<uint32_t>(BarrierScope::kGrid) ? "grid_sync();" : "__syncthreads();", instruction.line);
        return;
    case Op::kFence: {
        static constexpr const char* kNames[] = {"__threadfence_block();", "__threadfence();",
                                                 "__threadfence_system();"};
        flush(true, &kNoVariables);
        line(kNames[instruction.index], instruction.line);
        return;
    }
    case Op::kSleep: {
        std::string time = operand(instruction, 0);
        flush(true, &kNoVariables);
        line("__nanosleep(" + time + ");", instruction.line);
        return;
    }
    case Op::kIf: writeIf(instruction); return;
    case Op::kWhile: writeWhile(instruction); return;
    case Op::kFor: writeFor(instruction); return;
    case Op::kReturn: writeReturn(instruction); return;
    case Op::kBreak: line("break;", instruction.line); return;
    case Op::kContinue: line("continue;", instruction.line); return;
    case Op::kRaise: writeRaise(instruction); return;
    case Op::kUndefine: return;
    case Op::kPrint: writePrint(instruction); return;
    case Op::kCall:
        if (instruction.result != kNoValue && module_.functions[instruction.index]->results.size() > 1) {
            std::string text = callText(instruction);
            std::string name = "v" + std::to_string(instruction.result);
            flush(true, &kNoVariables);
            line("const auto " + name + "_all = " + text + ";", instruction.line);
            line("const auto " + name + " = " + name + "_all.r0;", instruction.line);
            return;
        }
        break;
    default: break;
    }
    Effect effect = opInfo(instruction.op).effect;
    if (effect == Effect::kWrite || effect == Effect::kSync) {
        std::string text = expression(instruction);
        flush(true, &kNoVariables);
        bool named = instruction.result != kNoValue && uses_[instruction.result] > 0;
        std::string name =
            named ? "const " + cudaType(instruction.type) + " v" + std::to_string(instruction.result) + " = " : "";
        line(name + text + ";", instruction.line);
        return;
    }
    define(instruction);
}

void FunctionWriter::writeIf(const Instruction& instruction) {
    std::string condition = operand(instruction, 0);
    std::set<uint32_t> variables;
    bool memory = findWrites(instruction, variables);
    flush(memory, &variables);
    const Block& then = *instruction.blocks[0];
    const Block& otherwise = *instruction.blocks[1];
    bool inverted = then.code.empty();
    line("if (" + (inverted ? "!(" + condition + ")" : condition) + ") {", instruction.line);
    write(inverted ? otherwise : then, depth_ + 1);
    if (!inverted && !otherwise.code.empty()) {
        line("} else {");
        write(otherwise, depth_ + 1);
    }
    line("}");
}

// while (condition) when the condition is one expression; else a loop that is left in its middle.
void FunctionWriter::writeWhile(const Instruction& instruction) {
    std::set<uint32_t> variables;
    bool memory = findWrites(instruction, variables);
    flush(memory, &variables);
    size_t begin = out_.size();
    int expected = expectedLine_;
    line("while (true) {", instruction.line);
    size_t inner = out_.size();
    const auto& condition = instruction.blocks[0]->code;
    int outer = std::exchange(depth_, depth_ + 1);
    writeAll(condition, condition.size() - 1);
    std::string text = operand(condition.back(), 0);
    depth_ = outer;
    if (out_.size() == inner) {
        out_.erase(begin);
        expectedLine_ = expected;
        line("while (" + text + ") {", instruction.line);
    } else if (text != "true") {
        depth_++;
        line("if (!(" + text + ")) break;");
        depth_--;
    }
    write(*instruction.blocks[1], depth_ + 1);
    line("}");
}

// The loop counts in a variable of its own where the program may change or miss the one that it sees.
void FunctionWriter::writeFor(const Instruction& instruction) {
    std::set<uint32_t> variables;
    bool memory = findWrites(instruction, variables);
    flush(memory, &variables);
    bool declares = declarations_.isDeclaredAt(instruction.index, instruction);
    const Variable& variable = function_.variables[instruction.index];
    bool isOwn = !declares || instruction.isPlain;
    std::string counter = isOwn ? "counter_" + std::to_string(loops_++) : identifier(variable.name);
    writeForHeader(instruction, counter);
    if (isOwn) {
        depth_++;
        line((declares ? cudaType(variable.type) + " " : "") + identifier(variable.name) + " = " + counter + ";", instruction.line);
        depth_--;
    }
    write(*instruction.blocks[0], depth_ + 1);
    line("}");
}

void FunctionWriter::writeForHeader(const Instruction& instruction, const std::string& counter) {
    std::string type = instruction.isPlain ? "int32" : function_.variables[instruction.index].type->cName();
    std::string start = operand(instruction, 0);
    bool known = constants_[instruction.operands[2]] != nullptr;
    std::string stop = operand(instruction, 1);
    std::string step = operand(instruction, 2);
    if (instruction.isPlain) {
        start = "(int32)(" + start + ")";
        stop = "(int32)(" + stop + ")";
    }
    bool isOne = known && (step == "1ll" || step == "1" || step == "1ull");
    if (isOne || (known && step == "(-1ll)") || (known && step == "(-1)")) {
        // The bound is evaluated once.
        if (stop.find_first_of("(.[ ") != std::string::npos && stop.rfind("(int64)", 0) != 0) {
            line("const " + type + " stop_" + counter + " = " + stop + ";", instruction.line);
            stop = "stop_" + counter;
        }
        line("for (" + type + " " + counter + " = " + start + "; " + counter + (isOne ? " < " : " > ") + stop + "; " +
                 counter + (isOne ? "++" : "--") + ") {",
             instruction.line);
        return;
    }
    std::string id = std::to_string(instruction.operands[2]);
    line("const " + type + " start_" + id + " = " + start + ", step_" + id + " = " + step + ";", instruction.line);
    line("int64 left_" + id + " = floor_divide<int64>((int64)(" + stop + ") - start_" + id + " + step_" + id +
             " - (step_" + id + " > 0 ? 1 : -1), step_" + id + ");",
         instruction.line);
    line("for (" + type + " " + counter + " = start_" + id + "; left_" + id + " > 0; left_" + id + "--, " + counter +
             " = plus<" + type + ">(" + counter + ", step_" + id + ")) {",
         instruction.line);
}

void FunctionWriter::writeReturn(const Instruction& instruction) {
    std::string values;
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        values += (i > 0 ? ", " : "") + operand(instruction, i);
    }
    if (instruction.operands.size() > 1) {
        values = "{" + values + "}";
    }
    line(values.empty() ? "return;" : "return " + values + ";", instruction.line);
}

void FunctionWriter::writeRaise(const Instruction& instruction) {
    std::string text = "raise_fault(" + std::to_string(instruction.index + 1);
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        text += ", " + operand(instruction, i);
    }
    line(text + ");  // " + module_.faults[instruction.index].text, instruction.line);
}

void FunctionWriter::writePrint(const Instruction& instruction) {
    std::string format;
    std::string arguments;
    size_t next = 0;
    for (const PrintPart& part : function_.prints[instruction.index]) {
        if (!part.isOperand) {
            for (char c : part.text) {
                format += c == '%' ? "%%" : std::string(1, c);
            }
            continue;
        }
        const Type* type = function_.values[instruction.operands[next]];
        std::string text = operand(instruction, next++);
        const char* usual = type->isFloat() ? "%f" : type->isBool() ? "%s" : type->isUnsigned() ? "%llu" : "%lld";
        format += part.text.empty() ? usual : part.text;
        arguments += type->isFloat() ? ", (double)(" + text + ")"
                     : type->isBool()
                         ? ", (" + text + ") ? \"True\" : \"False\""
                         : ", (" + std::string(type->isUnsigned() ? "uint64" : "int64") + ")(" + text + ")";
    }
    flush(true, &kNoVariables);
    line("printf(" + quoted(format) + arguments + ");", instruction.line);
}

}  // namespace kiln::gpu
