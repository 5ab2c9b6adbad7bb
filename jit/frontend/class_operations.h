// What regions do with values of CPython's own classes: the rows of class_operations.def. A handler builds one operation and moves the
// frame on; the class of the entry is known. It gives false, with nothing emitted that an exit before the instruction would not
// undo, where only CPython can do it.
#pragma once

#include "jit/frontend/opcode_handlers.h"

namespace kiln {

// Is there a result of the operator (NB_ADD and so on, not in place) that a helper finds without Python code? Of exact classes,
// one of which is the row's.
using OperatorRule = bool (*)(int operation, PyTypeObject* left, PyTypeObject* right);

struct ClassOperations {
    PyTypeObject* cls;
    Field length;              // kCount: none
    OpcodeHandler item;        // BINARY_SUBSCR
    OpcodeHandler storeItem;   // STORE_SUBSCR
    OpcodeHandler deleteItem;  // DELETE_SUBSCR
    OpcodeHandler slice;       // BINARY_SLICE
    OpcodeHandler storeSlice;  // STORE_SLICE
    OpcodeHandler contains;    // CONTAINS_OP
    OpcodeHandler iterate;     // GET_ITER; lists and tuples are iterated over in registers, see build_iteration.cpp
    OpcodeHandler next;        // FOR_ITER
    OperatorRule combines;     // BINARY_OP

    // Holds items that can be asked for.
    bool isContainer() const { return length != Field::kCount; }
};

// The row of a class; one that knows nothing for any other, and for nullptr.
const ClassOperations& operationsOf(PyTypeObject* cls);
// Of the entry `below` the top, if its class is known and it is an object.
const ClassOperations& operationsAt(RegionBuilder& b, int below);

bool isDictSubclass(PyTypeObject* cls);

// The handlers of the rows, a file for each class.
#define KILN_CLASS(cls, length, item, storeItem, deleteItem, slice, storeSlice, contains, iterate, next, combines) \
    bool item(RegionBuilder& b, const BytecodeInstruction& in);                                        \
    bool storeItem(RegionBuilder& b, const BytecodeInstruction& in);                                   \
    bool deleteItem(RegionBuilder& b, const BytecodeInstruction& in);                                  \
    bool slice(RegionBuilder& b, const BytecodeInstruction& in);                                       \
    bool storeSlice(RegionBuilder& b, const BytecodeInstruction& in);                                  \
    bool contains(RegionBuilder& b, const BytecodeInstruction& in);                                    \
    bool iterate(RegionBuilder& b, const BytecodeInstruction& in);                                     \
    bool next(RegionBuilder& b, const BytecodeInstruction& in);                                        \
    bool combines(int operation, PyTypeObject* left, PyTypeObject* right);
#include "jit/frontend/class_operations.def"
#undef KILN_CLASS

}  // namespace kiln
