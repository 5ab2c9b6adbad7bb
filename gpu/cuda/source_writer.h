// The parts of writeCuda(): one function's text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gpu/cuda/choices.h"
#include "gpu/cuda/cuda_source.h"

namespace kiln::gpu {

std::string cudaType(const Type* type);
// A constant of a scalar type; `plain`: where an int literal may stand for a 64-bit one.
std::string constantText(int64_t bits, const Type* type, bool plain);
std::string quoted(const std::string& text);
// The name itself, or a variation of it where C++, CUDA or the prelude has that name.
std::string identifier(const std::string& name);

// The variables that are declared where they are first assigned, rather than at the top of the function.
class DeclarationPlan {
   public:
    explicit DeclarationPlan(const Function& function);
    bool isDeclaredAt(uint32_t variable, const Instruction& instruction) const;
    bool isDeclaredAtTop(uint32_t variable) const { return places_[variable] == nullptr; }
    bool isUsed(uint32_t variable) const { return used_[variable]; }

   private:
    using Path = std::vector<const Instruction*>;  // from the function's body down to an instruction
    void collect(const Block& block, Path& path);
    void note(uint32_t variable, const Path& path);

    std::vector<const Instruction*> places_;
    std::vector<bool> used_;
    std::vector<std::vector<Path>> occurrences_;
    std::vector<bool> isSetInLoop_;
};

class FunctionWriter {
   public:
    FunctionWriter(const Module& module, const Function& function, const CudaTextOptions& options);
    std::string signature() const;
    std::string resultStruct() const;
    std::string constantArrays() const;
    std::string run();
    // Of one that is linked: its declaration, and the function that calls it.
    std::string external() const;

   private:
    // A value whose text is not written yet.
    struct Pending {
        std::string text;
        bool readsMemory = false;
        std::set<uint32_t> variables;
        bool isTrivial = false;  // a name or a constant: may be written several times
    };

    // statement_writer.cpp
    void write(const Block& block, int depth);
    void writeAll(const std::vector<Instruction>& code, size_t end);
    void writeStatement(const Instruction& instruction);
    void writeIf(const Instruction& instruction);
    void writeWhile(const Instruction& instruction);
    void writeFor(const Instruction& instruction);
    void writeForHeader(const Instruction& instruction, const std::string& counter);
    void writeReturn(const Instruction& instruction);
    void writeRaise(const Instruction& instruction);
    void writePrint(const Instruction& instruction);
    void writeSet(const Instruction& instruction);
    void flush(bool memory, const std::set<uint32_t>* variables);
    void line(const std::string& text, int pythonLine = 0);
    std::string headerOfArrays() const;

    // expression_writer.cpp
    std::string operand(const Instruction& instruction, size_t i);
    std::string takeText(ValueId value);
    std::string expression(const Instruction& instruction);
    std::string binary(const Instruction& instruction);
    std::string comparison(const Instruction& instruction);
    std::string conversion(const Instruction& instruction);
    std::string geometry(const Instruction& instruction);
    std::string mathText(const Instruction& instruction);
    std::string arrayText(const Instruction& instruction);
    std::string viewText(const Instruction& instruction);
    std::string globalText(const Instruction& instruction);
    std::string element(const Instruction& instruction);
    // Of global memory, and tells the caches something.
    bool isHinted(const Instruction& instruction) const;
    std::string atomicText(const Instruction& instruction);
    std::string warpText(const Instruction& instruction);
    std::string bitsText(const Instruction& instruction);
    std::string callText(const Instruction& instruction);
    std::string choiceText(const Instruction& choice);
    std::string armText(const Block& block);
    void define(const Instruction& instruction);
    void defineChoice(const Instruction& choice, const Instruction& get);
    void keep(ValueId value, const Pending& pending, bool isInline);
    void materialise(ValueId value);

    const Module& module_;
    const Function& function_;
    const CudaTextOptions& options_;
    DeclarationPlan declarations_;
    std::vector<uint32_t> uses_;
    std::map<ValueId, Pending> pending_;
    std::vector<const Instruction*> constants_;  // by value; of others null
    ChoicePlan choices_;
    Pending* building_ = nullptr;
    std::string out_;
    int depth_ = 0;
    int loops_ = 0;  // that have a counter of their own
    int expectedLine_ = 0;
    int pythonLine_ = 0;
};

}  // namespace kiln::gpu
