// The translation unit of a module, and where variables are declared.
#include "gpu/cuda/source_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/ir/pair_blocks.h"
#include "gpu/ir/passes.h"

namespace kiln::gpu {

DeclarationPlan::DeclarationPlan(const Function& function)
    : places_(function.variables.size()), used_(function.variables.size()), occurrences_(function.variables.size()),
      isSetInLoop_(function.variables.size()) {
    Path path;
    collect(function.body, path);
    for (size_t variable = 0; variable < occurrences_.size(); variable++) {
        const std::vector<Path>& paths = occurrences_[variable];
        if (paths.empty()) {
            continue;
        }
        used_[variable] = true;
        // All in the statements from the first one on, in the block of the first one: an assignment there declares it.
        // Paths alternate between blocks' owners and branch marks, so a common prefix is a common block.
        const Path& first = paths.front();
        size_t common = first.size() - 1;
        bool inside = first.back()->op == Op::kFor;
        for (const Path& path : paths) {
            size_t same = std::mismatch(path.begin(), path.end(), first.begin(), first.end()).first - path.begin();
            common = std::min(common, same);
            inside = inside && same >= first.size();
        }
        bool isFor = first.back()->op == Op::kFor;
        bool places = isFor ? inside && !isSetInLoop_[variable] : first.back()->op == Op::kSet && common == first.size() - 1;
        places_[variable] = places ? first.back() : nullptr;
    }
    occurrences_.clear();
}

void DeclarationPlan::note(uint32_t variable, const Path& path) {
    isSetInLoop_[variable] = isSetInLoop_[variable] || (path.back()->op != Op::kGet && !occurrences_[variable].empty());
    occurrences_[variable].push_back(path);
}

void DeclarationPlan::collect(const Block& block, Path& path) {
    for (const Instruction& instruction : block.code) {
        path.push_back(&instruction);
        if (instruction.op == Op::kGet || instruction.op == Op::kSet || instruction.op == Op::kFor) {
            note(instruction.index, path);
        }
        for (const auto& nested : instruction.blocks) {
            // The first instruction of a block stands for the block itself.
            path.push_back(nested->code.empty() ? nullptr : &nested->code.front());
            collect(*nested, path);
            path.pop_back();
        }
        path.pop_back();
    }
}

bool DeclarationPlan::isDeclaredAt(uint32_t variable, const Instruction& instruction) const {
    return places_[variable] == &instruction;
}

FunctionWriter::FunctionWriter(const Module& module, const Function& function, const CudaTextOptions& options)
    : module_(module), function_(function), options_(options), declarations_(function), uses_(countUses(function)),
      constants_(function.values.size()), choices_(function, uses_) {
    forEach(function.body, [&](const Instruction& instruction) {
        if (instruction.op == Op::kConstant) {
            constants_[instruction.result] = &instruction;
        }
    });
}

std::string FunctionWriter::resultStruct() const {
    if (function_.results.size() < 2) {
        return "";
    }
    std::string text = "struct " + function_.name + "_result {";
    for (size_t i = 0; i < function_.results.size(); i++) {
        text += " " + cudaType(function_.results[i]) + " r" + std::to_string(i) + ";";
    }
    return text + " };\n";
}

namespace {

std::string elementText(const char* at, const Type* element) {
    if (element->isRecord()) {
        std::string bytes;
        for (int i = 0; i < element->bytes(); i++) {
            bytes += (i > 0 ? ", " : "") + std::to_string(static_cast<uint8_t>(at[i]));
        }
        return "{{" + bytes + "}}";
    }
    if (element->isFloat() && element->bits == 16) {
        int64_t half = 0;
        std::memcpy(&half, at, 2);
        return "HalfBits{" + std::to_string(half) + "}";
    }
    if (element->isComplex()) {
        const Type* part = partType(element);
        return "{" + elementText(at, part) + ", " + elementText(at + part->bytes(), part) + "}";
    }
    int64_t bits = 0;
    std::memcpy(&bits, at, static_cast<size_t>(element->bytes()));
    if (element->isFloat() && !std::isfinite(floatOf(bits, element))) {  // what arrays begin with must be a constant, as no call is
        return std::string("__builtin_bit_cast(") + element->cName() + (element->bits == 32 ? ", (unsigned)" : ", ") + std::to_string(static_cast<uint64_t>(bits)) + "ull)";
    }
    if (element->isSigned()) {
        bits = bits << (64 - element->bits) >> (64 - element->bits);
    }
    return constantText(bits, element, false);
}

}  // namespace

std::string FunctionWriter::constantArrays() const {
    std::string text;
    for (size_t i = 0; i < function_.constants.size(); i++) {
        const StaticArray& array = function_.constants[i];
        const Type* element = array.type->element;
        text += std::string("static __constant__ ") + element->cName() + " constants_" + function_.name + "_" + std::to_string(i) + "[] = {";
        for (int64_t k = 0; k < array.elements(); k++) {
            const char* at = array.bytes.data() + k * element->bytes();
            text += (k > 0 ? ", " : "") + elementText(at, element);
        }
        text += array.elements() == 0 ? "{}};\n" : "};\n";
    }
    return text;
}

std::string FunctionWriter::signature() const {
    std::string text;
    if (function_.isKernel) {
        text = "extern \"C\" __global__ void ";
        if (options_.launchBounds[0] > 0) {
            text += "__launch_bounds__(" + std::to_string(options_.launchBounds[0]);
            for (int i = 1; i < 3 && options_.launchBounds[i] > 0; i++) {
                text += ", " + std::to_string(options_.launchBounds[i]);
            }
            text += ") ";
        }
    } else {
        bool isExported = &function_ == &module_.kernel();  // compiled alone, for others to link
        text = isExported ? "extern \"C\" __device__ " : "static __device__ ";
        size_t results = function_.results.size();
        text += results == 0 ? "void " : results == 1 ? cudaType(function_.results[0]) + " " : function_.name + "_result ";
    }
    text += identifier(function_.name) + "(";
    for (size_t i = 0; i < function_.parameters.size(); i++) {
        text += (i > 0 ? ", " : "") + cudaType(function_.parameters[i]) + " " + identifier(function_.parameterNames[i]);
    }
    return text + ")";
}

std::string FunctionWriter::external() const {
    auto typeOf = [](const Type* type) { return type->isArray() ? cudaType(type->element) + "*" : cudaType(type); };
    bool isPointer = !function_.results.empty() && function_.results[0]->isArray();
    std::string result = function_.results.empty() ? "void" : typeOf(function_.results[0]);
    std::string declared = function_.givesByPointer ? (result == "void" ? "void*" : result + "*") : "";
    std::string passed = function_.givesByPointer ? "&result" : "";
    for (size_t i = 0; i < function_.parameters.size(); i++) {
        const Type* type = function_.parameters[i];
        const std::string& name = function_.parameterNames[i];
        declared += (declared.empty() ? "" : ", ") + typeOf(type);
        passed += (passed.empty() ? "" : ", ") + name + (type->isArray() ? ".data" : "");
    }
    std::string call = function_.externalName + "(" + passed + ");";
    std::string body = call;
    if (result == "void") {
        body = (function_.givesByPointer ? "char result[8]; " : "") + call;
    } else {
        // A pointer is an array without an end.
        std::string given = isPointer ? cudaType(function_.results[0]) + "{result, {1ll << 40}}" : "result";
        body = result + " result" + (function_.givesByPointer ? "; " : " = ") + call + " return " + given + ";";
    }
    return "extern \"C\" __device__ " + (function_.givesByPointer ? "int" : result) + " " + function_.externalName + "(" + declared + ");\n" +
           signature() + " { " + body + " }\n";
}

std::string cudaName(const Module& module, bool inPairs) {
    return identifier(module.kernel().name + (inPairs ? "_pairs" : ""));
}

std::string writeCuda(const Module& module, const CudaTextOptions& options) {
    std::unique_ptr<Function> paired = options.inPairs ? pairBlocks(module) : nullptr;
    std::string text;
    for (const auto& function : module.functions) {
        text += function->isCalled ? FunctionWriter(module, *function, options).constantArrays() : "";
    }
    for (size_t i = module.kernel().isKernel ? 1 : 0; i < module.functions.size(); i++) {
        if (!module.functions[i]->isCalled) {
            continue;
        }
        FunctionWriter writer(module, *module.functions[i], options);
        text += writer.resultStruct() + writer.signature() + ";\n";
    }
    for (size_t i = module.functions.size(); i-- > 0;) {
        const Function& function = i == 0 && paired != nullptr ? *paired : *module.functions[i];
        FunctionWriter writer(module, function, options);
        bool isExternal = !function.externalName.empty();
        text += !module.functions[i]->isCalled ? "" : "\n" + (isExternal ? writer.external() : writer.run());
    }
    // The variable of faults is looked for where there may be one, also when none is left in the code.
    return cudaPrelude(module.faults.empty() ? text : text + "kiln_fault", options.isNarrow) + text;
}

}  // namespace kiln::gpu
