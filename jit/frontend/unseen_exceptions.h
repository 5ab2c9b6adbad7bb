// Handlers that drop their exception without a look at it.
//
// Nobody sees the traceback of such an exception, so compiled code makes none, nor the frames that would stand in it.
#pragma once

#include <Python.h>

#include <vector>

#include "jit/frontend/region_builder.h"

namespace kiln {

// The instructions of a handler, as far as they follow each other.
class HandlerReader {
   public:
    HandlerReader(const Bytecode& bytecode, int unit) : next_(bytecode.at(unit)), bytecode_(bytecode) {}
    // The one that comes; nullptr behind the last.
    const BytecodeInstruction* next() const { return next_; }
    void skip() { next_ = bytecode_.at(next_->next); }
    // The next one, if it is of this opcode: it is read. Else nullptr.
    const BytecodeInstruction* take(int opcode) {
        const BytecodeInstruction* in = next_ != nullptr && next_->opcode == opcode ? next_ : nullptr;
        if (in != nullptr) {
            skip();
        }
        return in;
    }
    // Unit of what was not read.
    int unit() const { return next_ != nullptr ? next_->firstUnit : -1; }

   private:
    const BytecodeInstruction* next_;
    const Bytecode& bytecode_;
};

// What a handler's first clause does.
struct DroppingClause {
    std::vector<PyObject*> classes;  // those it is for, borrowed; empty: it may look at the exception
    int body = 0;                    // unit of its first statement, while the exception is being handled
    int end = 0;                     // unit behind the clause's end of handling; equal to `body` where it has no statement before

    bool drops() const { return !classes.empty(); }
    bool hasBody() const { return body != end; }
};

bool isExceptionClass(PyObject* object);
// Of the handler of the instruction being built, in the root's frame.
DroppingClause droppingClause(RegionBuilder& b, const ExceptionHandler& handler);

}  // namespace kiln
