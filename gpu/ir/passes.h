// Passes over kernel IR. Each keeps what verify() checks.
#pragma once

#include "gpu/ir/find_ranges.h"
#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Removes what computes unused values, and assignments to variables that are never read. True when something changed.
bool eliminateDeadCode(Function& function);

// Sets to 0, where the function begins, the scalars that are read on a path that has not assigned them.
void defineVariables(Function& function);

// Makes of a loop whose counter may begin below zero, and indexes arrays, one below zero and one from there on.
void splitLoops(Function& function);

// By what integers can be: `wrap` of an index that cannot be negative is the index (one that is non-negative but for an
// overflow of 64 bits counts as such: with or without the wrap, the element it means does not exist); what is always the
// same is a constant, and an `if` with one its branch; arithmetic in 64 bits is done in 32 where operands and result fit.
bool useRanges(Function& function, const LaunchLimits& limits = {});

// Replaces variables that are assigned once, before all their uses, by the value. For code, not for text: names get lost.
bool forwardVariables(Function& function);

Module copyOf(const Module& module);

// Fills Function::reads and Function::writes of all functions.
void findAccesses(Module& module);

// Fills Function::fills of a kernel. After findAccesses().
void findFills(Function& kernel);

// Replaces calls of device functions that wait for other threads by their bodies. `error` is set when one cannot be
// replaced: it calls itself.
bool inlineWaitingCalls(Module& module, std::string& error);

// Fills Function::isCalled.
void findCalled(Module& module);

// Names the accesses of a module in Module::accesses, by which the CPU backend checks them, and marks where local arrays
// begin. Before simplify(), which moves code from function to function.
void noteAccesses(Module& module);

// All but noteAccesses(), in order. Returns what is wrong with the program, or "".
std::string simplify(Module& module);

// How often each value is used, by ValueId.
std::vector<uint32_t> countUses(const Function& function);

}  // namespace kiln::gpu
