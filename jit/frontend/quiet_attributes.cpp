#include "jit/frontend/quiet_attributes.h"

#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// CPython's own lookup of it runs no Python code where it was recorded.
bool isQuiet(RegionBuilder& b, const BytecodeInstruction& in, bool (*isQuietIn)(PyTypeObject*, PyObject*), PyObject* name) {
    const AbstractValue& receiver = b.top();
    const ClassSet& seen = b.siteOf(in).receivers;
    if ((receiver.kind != Kind::kObject && receiver.kind != Kind::kConstant) || b.siteOf(in).generic) {
        return false;
    }
    if (receiver.kind == Kind::kConstant) {
        return isQuietIn(Py_TYPE(receiver.constant), name);
    }
    if (receiver.cls != nullptr) {
        return isQuietIn(receiver.cls, name);
    }
    bool quiet = !seen.empty();
    for (int index = 0; quiet && index < seen.size(); index++) {
        quiet = seen[index] != nullptr && isQuietIn(seen[index], name);
    }
    return quiet;
}

bool isStoredQuietly(PyTypeObject* cls, PyObject* name) {
    Py_ssize_t offset = 0;
    return kiln_quiet_store(cls, name, &offset) != KILN_ASK;
}

// `method`: for a call, which has a NULL below the callable then.
void loadValue(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method) {
    Id value = makePlain(b, Helper::k_plain_attribute, {boxEntry(b, 0), b.constObject(name)});
    release(b, b.pop());
    if (method) {
        b.push(AbstractValue::null());
    }
    pushResult(b, value, true, nullptr, in, in.next);
}

// [function, instance]: nothing is bound. What is no method is a value.
void loadMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    Id object = boxEntry(b, 0);
    Id found = b.emitList(ir::Op::k_read_object, {object, b.constObject(name)}, static_cast<int64_t>(Helper::k_plain_method));
    b.branchAside(b.emit(ir::Op::k_is_null, {found}), true, [&] {
        startHere(b);
        loadValue(b, in, name, true);
        b.goTo(in.next);
    });
    startHere(b);
    b.emit(ir::Op::k_incref, {found});
    AbstractValue instance = b.pop();
    b.push(AbstractValue::object(found, nullptr, true));
    b.push(std::move(instance));
    b.state().frame().unit = in.next;
}

}  // namespace

bool loadsQuietly(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    return isQuiet(b, in, kiln_has_quiet_attribute, name);
}

bool storesQuietly(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    return isQuiet(b, in, isStoredQuietly, name);
}

bool loadQuietAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method) {
    if (b.top().isVirtualObject()) {
        boxEntry(b, 0);
    }
    if (!loadsQuietly(b, in, name)) {
        return false;
    }
    method ? loadMethod(b, in, name) : loadValue(b, in, name, false);
    return true;
}
bool storeQuietAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    if (!storesQuietly(b, in, name) || b.siteOf(in).runsFinalisers) {
        return false;
    }
    Id value = boxEntry(b, 1);
    Id object = boxEntry(b, 0);
    ir::Operands operands = {object, b.constObject(name), value};
    guardKept(b, 0, operands);
    changePlain(b, Helper::k_plain_set_attribute, std::move(operands));
    AbstractValue owner = b.pop();
    release(b, b.pop());
    releaseKept(b, std::move(owner));
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
