// What `*arguments` and `**keywords` of calls are collected in (the calls: build_star_call.cpp).
#include "jit/frontend/build_spread_calls.h"

#include <opcode.h>

#include "jit/frontend/build_leaf.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

// Dicts with keys that are strings, of which none is there twice: Python code has no part in it.
bool mergeDicts(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& target = b.top(in.oparg);
    if (b.siteOf(in).generic || b.siteOf(in).runsFinalisers || target.kind != Kind::kObject ||
        target.cls != &PyDict_Type) {
        return false;
    }
    Id dict = target.value;
    changePlain(b, in.opcode == DICT_MERGE ? Helper::k_plain_merge : Helper::k_plain_update, {dict, boxEntry(b, 0)});
    releaseTop(b, 1);
    b.state().frame().unit = in.next;
    return true;
}

bool listToTuple(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& list = b.top();
    if (list.kind != Kind::kObject || list.cls != &PyList_Type) {
        return false;
    }
    leafOperation(b, in, Helper::k_list_to_tuple, {list.value}, 1, &PyTuple_Type);
    return true;
}

}  // namespace kiln
