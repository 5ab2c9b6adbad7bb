// What `*arguments` and `**keywords` of calls are collected in. As long as only a call takes it, it is virtual: a list (Kind::kList)
// that becomes a tuple, and a dict of names (Kind::kKeywords). The calls: build_star_call.cpp.
#pragma once

#include <vector>

#include "jit/frontend/region_builder.h"

namespace kiln {

// The dict of these names, and of the values, which it takes.
AbstractValue virtualKeywords(RegionBuilder& b, const std::vector<PyObject*>& names, std::vector<AbstractValue> values);
// A tuple that lives as long as the region. Equal ones are one.
PyObject* keptNames(RegionBuilder& b, const std::vector<PyObject*>& names);
// Pops a tuple that nobody else has, or a constant one, for its items. False when the top is no such tuple.
bool takeItems(RegionBuilder& b, std::vector<AbstractValue>& items);
// BUILD_LIST, BUILD_MAP and what adds to them, for a call only. False when CPython's own containers are built.
bool collectForCall(RegionBuilder& b, const BytecodeInstruction& in);
// Of positional arguments, made for the call.
bool listToTuple(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
