// What code mostly does, by the instructions that the interpreter has specialised by now.
#pragma once

#include "interp/bytecode.h"

namespace kiln {

struct OpcodeMix {
    int all = 0;
    int numbers = 0;  // arithmetic and comparison of numbers, items of lists, ranges: much faster in compiled code
    int others = 0;   // what compiled code mostly hands to CPython, or what was seen with several classes
    bool isNumeric() const { return numbers > 0 && numbers >= others; }
};

// Of the instructions from unit `first` to `end`. Needs the GIL.
OpcodeMix mixOf(PyCodeObject* code, const Bytecode& bytecode, int first, int end);

}  // namespace kiln
