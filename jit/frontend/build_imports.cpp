// Imports in functions: of modules that are there already. All others are the interpreter's.
#include <opcode.h>

#include "jit/frontend/build_plain.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

PyObject* nameOf(RegionBuilder& b, const BytecodeInstruction& in) {
    return PyTuple_GET_ITEM(b.state().frame().code->co_names, in.oparg);
}

}  // namespace

// [level, names], of which both are constants.
bool importModule(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& names = b.top();
    bool constant = names.kind == Kind::kConstant || names.kind == Kind::kNone || names.kind == Kind::kTuple;
    if (b.siteOf(in).generic || !constant) {
        return false;
    }
    Id list = boxEntry(b, 0);
    Id level = boxEntry(b, 1);
    Id module = makePlain(b, Helper::k_plain_import,
                          {b.constObject(nameOf(b, in)), b.constObject(b.state().frame().builtins), list, level});
    releaseTop(b, 2);
    pushResult(b, module, true, nullptr, in, in.next);
    return true;
}

// The module stays below.
bool importName(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.siteOf(in).generic) {
        return false;
    }
    Id value = makePlain(b, Helper::k_plain_import_from, {boxEntry(b, 0), b.constObject(nameOf(b, in))});
    pushResult(b, value, true, nullptr, in, in.next);
    return true;
}

}  // namespace kiln
