// What code mostly does, by the instructions that the interpreter has specialised by now.
#pragma once

#include "interp/bytecode.h"

namespace kiln {

struct OpcodeMix {
    int all = 0;
    int numbers = 0;  // arithmetic and comparison of numbers, items of lists, ranges: much faster in compiled code
    int others = 0;   // what compiled code mostly hands to CPython, or what was seen with several classes
    // Not where a few are in the midst of much else.
    bool isNumeric() const { return numbers > 0 && numbers >= others && kMostForNumber * numbers >= all; }

   private:
    static constexpr int kMostForNumber = 16;
};

// The code of the generator expression that LOAD_CONST loads; nullptr when it is none.
PyCodeObject* generatorExpression(PyCodeObject* code, const BytecodeInstruction& in);
// Whether the code has any.
bool makesGenerator(PyCodeObject* code);
// Of the instructions from unit `first` to `end`, those of generator expressions among them included. Needs the GIL.
OpcodeMix mixOf(PyCodeObject* code, const Bytecode& bytecode, int first, int end);

}  // namespace kiln
