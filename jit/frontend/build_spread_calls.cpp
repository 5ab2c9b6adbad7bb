// What `*arguments` and `**keywords` of calls are collected in. The calls are the interpreter's.
#include <opcode.h>

#include "jit/frontend/region_builder.h"

namespace kiln {

// Dicts with keys that are strings, of which none is there twice: Python code has no part in it.
bool RegionBuilder::mergeDicts(const BytecodeInstruction& in) {
    const AbstractValue& target = top(in.oparg);
    if (siteOf(in).generic || siteOf(in).runsFinalisers || target.kind != Kind::kObject || target.cls != &PyDict_Type) {
        return false;
    }
    Id dict = target.value;
    changePlain(in.opcode == DICT_MERGE ? Helper::k_plain_merge : Helper::k_plain_update, {dict, boxEntry(0)});
    releaseTop(1);
    state_.frame().unit = in.next;
    return true;
}

// Of positional arguments, made for the call.
bool RegionBuilder::listToTuple(const BytecodeInstruction& in) {
    const AbstractValue& list = top();
    if (list.kind != Kind::kObject || list.cls != &PyList_Type) {
        return false;
    }
    leafOperation(in, Helper::k_list_to_tuple, {list.value}, 1, &PyTuple_Type);
    return true;
}

}  // namespace kiln
