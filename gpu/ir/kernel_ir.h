// Kernel IR: typed, structured (if, while, for and barriers stay what they are), values in flat lists of instructions.
//
// A value is defined once, and used in the block of its definition and in blocks nested behind it. What the program
// assigns several times is a variable: get and set. A variable has one type; a name whose type changes is several.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/ir/type.h"

namespace kiln::gpu {

enum class Op : uint8_t {
#define KILN_KERNEL_OP(id, name, operands, result, effect, blocks) k##id,
#include "gpu/ir/ir_ops.def"
#undef KILN_KERNEL_OP
    kCount
};

enum class ResultRule : uint8_t { kNone, kValue, kBool, kSame, kElement, kInt32, kInt64 };
enum class Effect : uint8_t { kPure, kRead, kWrite, kSync, kJump, kControl };

struct OpInfo {
    const char* name;
    int operands;
    ResultRule result;
    Effect effect;
    int blocks;
};
const OpInfo& opInfo(Op op);

enum class MathFunction : uint8_t {
#define KILN_KERNEL_MATH(id, operands, result, name32, name64) k##id,
#include "gpu/ir/math_functions.def"
#undef KILN_KERNEL_MATH
    kCount
};

struct MathInfo {
    int operands;
    bool isPredicate;
    const char* name32;
    const char* name64;
};
const MathInfo& mathInfo(MathFunction function);

enum class AtomicOp : uint8_t {
    kAdd,
    kSubtract,
    kMaximum,
    kMinimum,
    kNanMaximum,
    kNanMinimum,
    kAnd,
    kOr,
    kXor,
    kIncrement,
    kDecrement,
    kExchange,
    kCompareSwap,
    kCount
};
const char* atomicName(AtomicOp op);

enum class BitOp : uint8_t { kCount, kReverse, kLeadingZeros, kFirstSet };
enum class BarrierScope : uint8_t { kBlock, kGrid };
enum class BarrierKind : uint8_t { kCount, kAnd, kOr };
enum class FenceKind : uint8_t { kBlock, kDevice, kSystem };
enum class WarpOp : uint8_t {
    kSync,
    kShuffle,
    kShuffleUp,
    kShuffleDown,
    kShuffleXor,
    kAll,
    kAny,
    kEqual,
    kBallot,
    kMatchAny,
    kMatchAll,
    kActiveMask,
    kCount
};
const char* warpName(WarpOp op);

using ValueId = uint32_t;
inline constexpr ValueId kNoValue = ~0u;

struct Instruction;
struct Block {
    std::vector<Instruction> code;
};

// What an instruction is beside the blocks nested in it.
struct Operation {
    Op op = Op::kConstant;
    ValueId result = kNoValue;
    const Type* type = nullptr;  // of the result
    std::vector<ValueId> operands;
    int64_t bits = 0;
    uint32_t index = 0;
    uint32_t access = 0;  // of load, store, atomic: a row of Module::accesses, plus 1; 0: it is not checked
    int line = 0;
    // Of integer arithmetic where it stands: add, sub, mul, neg and shl cannot overflow; what div and mod take is not negative,
    // and the divisor not 0. Of a `for` over int64s by 1 or -1: it can count in 32 bits.
    bool isPlain = false;
};

struct Instruction : Operation {
    std::vector<std::unique_ptr<Block>> blocks;
};

struct Variable {
    std::string name;  // unique in its function, an identifier of C
    const Type* type = nullptr;
};

// A shared, local or constant array of constant shape.
struct StaticArray {
    const Type* type = nullptr;
    std::vector<int64_t> shape;
    int64_t alignment = 0;  // beyond that of the elements; a power of two
    std::string bytes;      // of a constant one: its elements, in C order
    int64_t elements() const {
        int64_t count = 1;
        for (int64_t size : shape) {
            count *= size;
        }
        return count;
    }
};

// An array in device memory, where it was when the kernel was compiled.
struct GlobalArray {
    const Type* type = nullptr;
    uint64_t address = 0;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;  // in bytes
    bool isForeign = false;        // CuPy's, PyTorch's: on a GPU, wherever kernels run
};

// A part of what a print writes: a text, or an operand.
struct PrintPart {
    std::string text;  // of an operand: printf's format for it as an int64, uint64 or float64; empty for the usual one
    bool isOperand = false;
};

// A dimension of an array that a kernel fills is stored only below this: a dimension of an array parameter (`size` counts
// its axes), or, with -1, the value of an integer parameter.
struct FillBound {
    int dimension;
    int parameter;
    int size;
};

// An array parameter each of whose elements is stored by the thread with its place in the grid, and read by none.
struct Fill {
    std::vector<int> axes;  // of the grid, by dimension; empty: it is not known to be filled
    std::vector<FillBound> bounds;
};

struct Function {
    std::string name;  // an identifier of C, unique in its module
    // Not empty: the function has no body, it stands for one of this name in code that the module is linked with. By numba's convention
    // that one gives its result through a pointer, its first argument, and returns a status. It may wait for all blocks.
    std::string externalName;
    bool givesByPointer = false;
    bool waitsForGrid = false;
    std::string pythonName;
    std::string file;
    int line = 0;
    bool isKernel = false;
    bool isCalled = true;  // false: nothing calls it any more, backends leave it out
    std::vector<std::string> parameterNames;
    std::vector<const Type*> parameters;
    std::vector<const Type*> results;
    std::vector<Variable> variables;
    std::vector<const Type*> values;  // type by ValueId
    std::vector<StaticArray> arrays;
    std::vector<StaticArray> constants;
    std::vector<GlobalArray> globals;
    std::vector<std::vector<PrintPart>> prints;
    Block body;
    // What a call does to array parameters, by position.
    std::vector<bool> reads;
    std::vector<bool> writes;
    std::vector<Fill> fills;  // of a kernel
};

// What ends a thread with an exception, and where. The exception itself is the front end's.
struct Fault {
    std::string text;  // for people
    std::string function;
    std::string file;
    int line = 0;
};

// Where an element is read or written, for messages about it.
struct Access {
    std::string array;  // "array 'a'", "shared array 's'"
    std::string function;
    std::string file;
    int line = 0;
    int indices = 0;
};

// Code of other languages that a module is linked with on a GPU: the kind is the ending of a file's name, as "cu" and "ptx".
struct LinkedCode {
    std::string kind;
    std::string name;
    std::string bytes;
    bool isWatched = false;  // the program is told when a module with it is loaded, and when it goes
};

// A kernel, at index 0, and the device functions that it calls.
struct Module {
    std::vector<std::unique_ptr<Function>> functions;
    std::vector<Fault> faults;
    std::vector<Access> accesses;  // of a module whose accesses to memory are checked on the CPU; else empty
    std::vector<LinkedCode> links;
    bool movesParts = false;       // between parts of arrays, element by element: what is stored must not be read again
    bool reorders = false;         // on the CPU floats may be computed in any order that is equal for real numbers
    bool areApart = false;         // no two arrays among the arguments share memory
    const Function& kernel() const { return *functions.front(); }
};

// Whether blocks wait for each other, so that all of them must run at the same time.
bool isCooperative(const Module& module);

int64_t bitsOf(double value, const Type* type);  // a constant of a float type
double floatOf(int64_t bits, const Type* type);
double nearestOf(int64_t bits, const Type* type);  // any scalar constant as a double

// Text for people and tests.
std::string print(const Function& function);
std::string print(const Module& module);
// The first broken rule of the IR, with the function and the instruction; empty when there is none.
std::string verify(const Module& module);

// Calls visit(instruction) for all of the block and of blocks nested in it, in the order of the text.
template <typename BlockType, typename Visit>
void forEach(BlockType& block, Visit&& visit) {
    for (auto& instruction : block.code) {
        visit(instruction);
        for (auto& nested : instruction.blocks) {
            forEach(*nested, visit);
        }
    }
}

// By value: the instruction that it is the result of. They point into the function.
inline std::vector<const Instruction*> definitionsOf(const Function& function) {
    std::vector<const Instruction*> definitions(function.values.size());
    forEach(function.body, [&](const Instruction& instruction) {
        if (instruction.result != kNoValue) {
            definitions[instruction.result] = &instruction;
        }
    });
    return definitions;
}

}  // namespace kiln::gpu
