// The instructions of `match` statements.
#include <opcode.h>

#include <algorithm>
#include <set>
#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "interp/python_text.h"
#include "jit/frontend/attribute_access.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

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

// The names of the attributes that the pattern asks for, those by place first; false where CPython must find them.
bool attributesAsked(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls, std::vector<PyObject*>& names) {
    const AbstractValue& keywords = b.top(0);
    if (keywords.kind != Kind::kConstant || !PyTuple_CheckExact(keywords.constant)) {
        return false;
    }
    static PyObject* const matchArguments = PyUnicode_InternFromString("__match_args__");
    PyObject* places = in.oparg > 0 ? findClassAttribute(cls, matchArguments, b.result().classes) : nullptr;
    if (in.oparg > 0 && (places == nullptr || !PyTuple_CheckExact(places) || PyTuple_GET_SIZE(places) < in.oparg)) {
        return false;
    }
    if (places != nullptr) {
        dependOnAttribute(b, cls, matchArguments);
        names.assign(&PyTuple_GET_ITEM(places, 0), &PyTuple_GET_ITEM(places, 0) + in.oparg);
    }
    PyObject* const* named = &PyTuple_GET_ITEM(keywords.constant, 0);
    names.insert(names.end(), named, named + PyTuple_GET_SIZE(keywords.constant));
    std::set<PyObject*> distinct(names.begin(), names.end());  // what is asked for twice is an error
    return distinct.size() == names.size() && std::ranges::all_of(names, isInternedOnce);
}

// No property `__class__` of the class says that its instances are something else.
bool isWhatItSays(PyTypeObject* cls) {
    static PyObject* const name = PyUnicode_InternFromString("__class__");
    return kiln_type_lookup(cls, name) == kiln_type_lookup(&PyBaseObject_Type, name);
}

// Attributes that lie in the instance, borrowed from it; false where CPython must look one up.
bool loadAttributes(RegionBuilder& b, const BytecodeInstruction& in, const std::vector<PyObject*>& names, std::vector<AbstractValue>& items) {
    const AbstractValue& subject = b.top(2);
    std::vector<AttributeAccess> accesses;
    for (PyObject* name : names) {
        accesses.push_back(findAttribute(subject.cls, name, b.result().classes));
        AttributeKind kind = accesses.back().kind;
        if (kind != AttributeKind::kMember && (kind != AttributeKind::kValue || b.siteOf(in).inDict)) {
            return false;
        }
    }
    for (const AttributeAccess& access : accesses) {
        items.push_back(AbstractValue::object(loadOwn(b, subject.value, access), nullptr, false));
    }
    return true;
}

// `case Point(x, y)` and `case Point(x=0)`, where the classes that the subjects had are the program's.
bool matchInstance(RegionBuilder& b, const BytecodeInstruction& in) {
    auto* cls = reinterpret_cast<PyTypeObject*>(b.top(1).constant);
    ClassSet programs = b.siteOf(in).receivers.programs();
    bool mayKnow = !programs.empty() && programs.size() == b.siteOf(in).receivers.size() && ObservedClasses::instance().mayRelyOn(cls);
    if (!mayKnow || !knowClass(b, in, 2, programs) || !isWhatItSays(b.top(2).cls)) {
        return false;
    }
    dependOn(b, cls);
    if (!PyType_IsSubtype(b.top(2).cls, cls)) {
        releaseTop(b, 3);
        b.push(AbstractValue::none());
        b.state().frame().unit = in.next;
        return true;
    }
    std::vector<PyObject*> names;
    std::vector<AbstractValue> items;
    boxEntry(b, 2);
    if (!attributesAsked(b, in, cls, names) || !loadAttributes(b, in, names, items)) {
        return false;
    }
    for (AbstractValue& item : items) {
        own(b, item);
    }
    releaseTop(b, 3);
    b.push(virtualObject(b, Kind::kTuple, std::move(items)));
    b.state().frame().unit = in.next;
    return true;
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
    if (plain && matchInstance(b, in)) {
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
