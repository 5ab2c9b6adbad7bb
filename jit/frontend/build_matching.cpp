// The instructions of `match` statements.
#include <opcode.h>

#include "jit/frontend/build_plain.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// Is the top entry of a class that patterns take for a sequence, or a mapping? It stays.
bool matchKind(RegionBuilder& b, const BytecodeInstruction& in) {
    unsigned long flag = in.opcode == MATCH_SEQUENCE ? Py_TPFLAGS_SEQUENCE : Py_TPFLAGS_MAPPING;
    knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    b.state().frame().unit = in.next;
    if (PyTypeObject* cls = b.top().knownClass(); cls != nullptr && PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE)) {
        b.push(AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_int_ne, {b.constInt(PyType_HasFeature(cls, flag)), b.constInt(0)})));
        return true;
    }
    Id has = b.emitList(ir::Op::k_pure_int, {b.constInt(static_cast<int64_t>(flag)), boxEntry(b, 0)}, static_cast<int64_t>(Helper::k_class_has));
    b.push(AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_int_ne, {has, b.constInt(0)})));
    return true;
}

bool pushLength(RegionBuilder& b, const BytecodeInstruction& in) {
    knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    bool isTuple = b.top().kind == Kind::kTuple;
    Id length = isTuple ? b.constInt(static_cast<int64_t>(b.top().parts.size())) : builtinLength(b, b.top());
    if (length != ir::kNoId) {
        b.push(AbstractValue::number(Kind::kInt, length));
        b.state().frame().unit = in.next;
        return true;
    }
    Id version = beforeOpaque(b, "GET_LEN");
    if (!b.stopped()) {
        finishOpaque(b, in, Helper::k_length, {boxEntry(b, 0)}, 0, OpaqueResult::kObject, version);
    }
    return true;
}

// The values of a mapping for the keys, or None; both stay.
bool matchKeys(RegionBuilder& b, const BytecodeInstruction& in) {
    knowBuiltin(b, in, 1, b.siteOf(in).receivers);
    if (b.top(1).knownClass() == &PyDict_Type && !b.siteOf(in).generic && guardNoNamespace(b, 1)) {
        Id dict = boxEntry(b, 1);
        Id values = makePlain(b, Helper::k_plain_match_keys, {dict, boxEntry(b, 0)});
        pushResult(b, values, true, nullptr, in, in.next);
        return true;
    }
    Id version = beforeOpaque(b, "MATCH_KEYS");
    if (!b.stopped()) {
        finishOpaque(b, in, Helper::k_match_keys, {boxEntry(b, 1), boxEntry(b, 0)}, 0, OpaqueResult::kObject, version);
    }
    return true;
}

// `case int(n)` and the like, without names.
bool matchesItself(RegionBuilder& b, const BytecodeInstruction& in) {
    auto* cls = reinterpret_cast<PyTypeObject*>(b.top(1).constant);
    const AbstractValue& names = b.top(0);
    bool unnamed = (names.kind == Kind::kConstant && PyTuple_CheckExact(names.constant) && PyTuple_GET_SIZE(names.constant) == 0) ||
                   (names.kind == Kind::kTuple && names.parts.empty());
    return unnamed && !b.siteOf(in).generic && PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE) && PyType_HasFeature(cls, _Py_TPFLAGS_MATCH_SELF);
}

// An exception of a loop's own frame is raised by way of the subject (`raiser.cpp`): only where no metaclass asks it first.
bool matchClass(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& cls = b.top(1);
    bool plain = cls.kind == Kind::kConstant && PyType_CheckExact(cls.constant);
    if (plain && in.oparg == 1 && matchesItself(b, in)) {
        Id subject = boxEntry(b, 2);
        Id found = makePlain(b, Helper::k_plain_match_self, {subject, b.constObject(cls.constant)});
        releaseTop(b, 3);
        pushResult(b, found, true, nullptr, in, in.next);
        return true;
    }
    if (!plain && b.isRootFrame() && !b.request().isFunction) {
        return false;
    }
    Id version = beforeOpaque(b, "MATCH_CLASS");
    if (!b.stopped()) {
        Id subject = boxEntry(b, 2);
        Id type = boxEntry(b, 1);
        finishOpaque(b, in, Helper::k_match_class, {b.constInt(in.oparg), subject, type, boxEntry(b, 0)}, 3, OpaqueResult::kObject, version);
    }
    return true;
}

}  // namespace

bool matchPattern(RegionBuilder& b, const BytecodeInstruction& in) {
    switch (in.opcode) {
        case GET_LEN: return pushLength(b, in);
        case MATCH_KEYS: return matchKeys(b, in);
        case MATCH_CLASS: return matchClass(b, in);
        default: return matchKind(b, in);
    }
}

}  // namespace kiln
