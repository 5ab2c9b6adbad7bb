// Attributes: an instance's are loaded and stored where its class says they lie; a module's and a class's are constants.
#include "jit/frontend/build_attributes.h"

#include <opcode.h>

#include "interp/c_functions.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/python_text.h"
#include "jit/frontend/array_attributes.h"
#include "jit/frontend/attribute_access.h"
#include "jit/frontend/bound_methods.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_properties.h"
#include "jit/frontend/complex_values.h"
#include "jit/frontend/instance_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_draws.h"
#include "jit/frontend/numpy_methods.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/quiet_attributes.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/tuple_classes.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// Classes that one access tells apart natively.
constexpr int kMostReceivers = 4;

// The method descriptor of list.append; immortal as its class is.
PyObject* appendMethod() {
    static PyObject* method = PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyList_Type), "append");
    return method;
}

// All that were seen are the program's, and may be relied on.
bool followsAll(const ClassSet& classes) {
    bool follows = !classes.empty() && !classes.others();
    for (int index = 0; follows && index < classes.size(); index++) {
        follows = classes[index] != nullptr && isProgramClass(classes[index]) && ObservedClasses::instance().mayRelyOn(classes[index]);
    }
    return follows;
}

// From here on, `object` is not of class `cls`; where it is, the instruction is built again in a block of its own. Not one
// that states share: that could forget the class, and ask for it for ever.
void splitOnClass(RegionBuilder& b, Id object, PyTypeObject* cls) {
    b.branchAside(b.classIs(object, cls), true, [&] {
        dependOn(b, cls);
        markClass(b, object, cls);
        AbstractState& state = b.blocks().states[b.block()] = b.state();
        state.frame().unit = b.before().frame().unit;
        b.blocks().pending.push_back(b.block());
    });
    repeatFromHere(b);
}

// The instance's values; it keeps its attributes there and not in a dict.
Id guardValues(RegionBuilder& b, Id object) {
    return b.emitExiting(ir::Op::k_values, {object}, ExitReason::k_attribute);
}

// The address that the attribute's offset counts from.
Id attributeBase(RegionBuilder& b, Id object, const AttributeAccess& access) {
    if (access.kind == AttributeKind::kMember) {
        return b.emit(ir::Op::k_address, {object});
    }
    return guardValues(b, object);
}

// Leaves before the instruction when the instance does not have what is asked for.
Id askInstance(RegionBuilder& b, ir::Op op, std::initializer_list<Id> operands, Helper helper) {
    return b.emitExiting(op, operands, ExitReason::k_attribute, static_cast<int64_t>(helper));
}

// No instance hides the class's attribute: it has values, and their keys are the ones known; or it is asked.
void guardNotHidden(RegionBuilder& b, const BytecodeInstruction& in, const AbstractValue& receiver, PyObject* name,
                    const AttributeAccess& access) {
    if (!access.mayBeHidden || receiver.kind == Kind::kInstance) {
        return;
    }
    Id object = receiver.value;
    if (access.keys == nullptr || b.siteOf(in).inDict) {
        askInstance(b, ir::Op::k_opaque_int, {object, b.constObject(name)}, Helper::k_lacks_own_attribute);
        return;
    }
    guardValues(b, object);
    Id version = b.emit(ir::Op::k_keys_version, {}, b.objectIndex(access.keys, "keys"));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {version, b.constInt(access.keysVersion)})},
                  ExitReason::k_attribute);
}

// Wherever the instance keeps it.
void loadOwnAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method) {
    Id value = askInstance(b, ir::Op::k_opaque_object, {b.top().value, b.constObject(name)}, Helper::k_own_attribute);
    release(b, b.pop());
    if (method) {
        b.push(AbstractValue::null());
    }
    pushResult(b, value, true, nullptr, in, in.next);
}

void loadInstanceAttribute(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access, bool method) {
    pushLent(b, in, loadOwn(b, b.top().value, access), method);
}

void loadMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, const AttributeAccess& access, bool method) {
    guardNotHidden(b, in, b.top(), name, access);
    dependOnAttribute(b, b.top().cls, name);
    if (!method) {
        bindTop(b, in, access.object);
        return;
    }
    if (PyFunction_Check(access.object)) {
        b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(access.object));
    }
    pushMethod(b, in, access.object);
}

// `isHeld`: what it was found through may go before it, with all that only refers to each other.
void pushConstantAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* value, bool method, bool isHeld) {
    if (PyFunction_Check(value)) {
        b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(value));
    }
    if (method) {
        b.push(AbstractValue::null());
    }
    b.push(isHeld ? heldConstant(b, constantValue(b, value)) : constantValue(b, value));
    b.state().frame().unit = in.next;
}

// [function, class], as if the class were an instance; or what is bound to it.
void pushClassMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* function, PyTypeObject* cls, bool isHeld, bool method) {
    b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(function));
    AbstractValue owner = AbstractValue::constantObject(reinterpret_cast<PyObject*>(cls));
    b.push(isHeld ? heldConstant(b, owner) : owner);
    method ? pushMethod(b, in, function) : bindTop(b, in, function);
}

// It lies in the instance.
bool isOwn(const AttributeAccess& access) {
    return access.kind == AttributeKind::kValue || access.kind == AttributeKind::kMember || access.kind == AttributeKind::kOwn;
}

bool loadAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method) {
    AbstractValue receiver = b.top();
    dependOn(b, receiver.cls);
    AttributeAccess access = findAttribute(receiver.cls, name, b.result().classes);
    if (receiver.kind == Kind::kInstance && loadPart(b, in, access, method)) {
        return true;
    }
    if (receiver.kind == Kind::kInstance && isOwn(access)) {
        boxEntry(b, 0);
    }
    switch (access.kind) {
        case AttributeKind::kValue:
            b.siteOf(in).inDict ? loadOwnAttribute(b, in, name, method) : loadInstanceAttribute(b, in, access, method);
            return true;
        case AttributeKind::kOwn: loadOwnAttribute(b, in, name, method); return true;
        case AttributeKind::kMember: loadInstanceAttribute(b, in, access, method); return true;
        case AttributeKind::kItem: loadField(b, in, access, method); return true;
        case AttributeKind::kMethod:
            if (!method && !PyFunction_Check(access.object)) {
                return false;
            }
            loadMethod(b, in, name, access, method);
            return true;
        case AttributeKind::kConstant:
            guardNotHidden(b, in, receiver, name, access);
            dependOnAttribute(b, receiver.cls, name);
            release(b, b.pop());
            pushConstantAttribute(b, in, access.object, method, true);
            return true;
        case AttributeKind::kClassMethod:
            guardNotHidden(b, in, receiver, name, access);
            dependOnAttribute(b, receiver.cls, name);
            release(b, b.pop());
            pushClassMethod(b, in, access.object, receiver.cls, true, method);
            return true;
        case AttributeKind::kProperty: return !method && callProperty(b, in, name, access.object);
        default: return false;
    }
}

void storeOwnAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    Id value = boxEntry(b, 1);
    ir::Operands operands = {b.top().value, b.constObject(name), value};
    guardKept(b, 0, operands);
    b.emitExitingAt(ir::Op::k_opaque_int, std::move(operands), b.snapshotBefore(ExitReason::k_attribute),
                    static_cast<int64_t>(Helper::k_set_own_attribute));
    AbstractValue owner = b.pop();
    release(b, b.pop());
    releaseKept(b, std::move(owner));
    b.state().frame().unit = in.next;
}

bool storeAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    dependOn(b, b.top().cls);
    AttributeAccess access = findStoredAttribute(b.top().cls, name, b.result().classes);
    if (access.kind == AttributeKind::kProperty) {
        return storeProperty(b, in, name, access.object);
    }
    if (b.top().kind == Kind::kInstance && isOwn(access)) {
        if (storePart(b, in, access)) {
            return true;
        }
        boxEntry(b, 0);
    }
    AbstractValue receiver = b.top();
    if (access.kind == AttributeKind::kOther || (endsAfterStore(receiver) && b.siteOf(in).runsFinalisers)) {
        return false;
    }
    if (access.kind == AttributeKind::kOwn || (access.kind == AttributeKind::kValue && b.siteOf(in).inDict)) {
        storeOwnAttribute(b, in, name);
        return true;
    }
    if (b.siteOf(in).runsFinalisers) {
        return false;
    }
    if (b.top(1).isVirtual()) {
        boxEntry(b, 1);
    }
    Id base = attributeBase(b, receiver.value, access);
    AbstractValue owner = b.pop();
    AbstractValue value = b.pop();
    guardExchange(b, b.emit(ir::Op::k_load_attribute, {base}, access.offset), value, owner);
    if (access.kind == AttributeKind::kValue) {
        b.emit(ir::Op::k_note_attribute, {base}, access.offset);
    }
    owner = giveUpContainer(b, std::move(owner));
    if (isBareFloat(b, value)) {
        b.emitExiting(ir::Op::k_store_attribute_float, {base, value.value}, ExitReason::k_release, access.offset);
    } else {
        Id object = takeReference(b, std::move(value));
        b.emit(ir::Op::k_store_attribute, {base, object}, access.offset);
    }
    release(b, std::move(owner));
    b.state().frame().unit = in.next;
    return true;
}

// A module's attribute is a constant behind the watcher of the module's dict, a class's behind that of the class.
bool loadConstantAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method) {
    const AbstractValue& receiver = b.top();
    if (receiver.kind != Kind::kConstant) {
        return false;
    }
    PyObject* value = nullptr;
    if (PyModule_CheckExact(receiver.constant)) {
        PyObject* dict = PyModule_GetDict(receiver.constant);
        value = hasPlainNames(dict) ? PyDict_GetItemWithError(dict, name) : nullptr;
        if (value == nullptr || !b.environment().isStableName(dict, name)) {
            PyErr_Clear();
            return false;
        }
        b.result().dependencies.push_back({dict, name, value});
        b.result().classes.push_back(&PyModule_Type);  // the module may become an instance of another class
    } else if (PyType_Check(receiver.constant)) {
        auto* cls = reinterpret_cast<PyTypeObject*>(receiver.constant);
        ObservedClasses& observed = ObservedClasses::instance();
        bool stable = observed.mayRelyOn(cls) && observed.mayRelyOn(Py_TYPE(cls));
        value = stable ? findClassAttribute(cls, name, b.result().classes) : nullptr;
        if (value == nullptr) {
            return false;
        }
        dependOn(b, cls);
        dependOn(b, Py_TYPE(cls));
        dependOnAttribute(b, cls, name);
    } else {
        return false;
    }
    bool isHeld = receiver.isReference();
    auto* cls = reinterpret_cast<PyTypeObject*>(receiver.constant);
    PyObject* function = PyType_Check(receiver.constant) ? functionOfClassMethod(value) : nullptr;
    release(b, b.pop());
    if (function != nullptr) {
        pushClassMethod(b, in, function, cls, isHeld, method);
    } else {
        pushConstantAttribute(b, in, value, method, isHeld);
    }
    return true;
}

// An instance of a class of C, as a file, that has been given no attributes of its own.
void guardNoDict(RegionBuilder& b, Id object, int64_t offset) {
    Id dict = b.emit(ir::Op::k_load_attribute, {b.emit(ir::Op::k_address, {object})}, offset);
    Id hasNone = b.emit(ir::Op::k_object_is, {dict, b.emit(ir::Op::k_const_unbound, {})});
    b.emitExiting(ir::Op::k_guard_true, {hasNone}, ExitReason::k_attribute);
}

// A C method of a built-in class, which can't change.
bool loadStaticMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    AbstractValue& receiver = b.top();
    PyTypeObject* cls = receiver.knownClass();
    bool known = cls != nullptr;
    if (!known && receiver.kind == Kind::kObject) {
        cls = b.siteOf(in).receivers.only();
    }
    bool mayHaveDict = cls != nullptr && cls->tp_dictoffset != 0;
    if (cls == nullptr || !PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE) || cls->tp_getattro != PyObject_GenericGetAttr ||
        (mayHaveDict && (receiver.kind != Kind::kObject || cls->tp_dictoffset < 0 || b.siteOf(in).generic))) {
        return false;
    }
    PyObject* descriptor = kiln_type_lookup(cls, name);
    if (descriptor == nullptr || !(isMethodOfC(descriptor) || isDrawMethod(descriptor))) {
        return false;
    }
    if (!ObservedClasses::instance().mayRelyOn(cls)) {
        return false;
    }
    if (!known) {
        b.guardClass(receiver.value, cls, ExitReason::k_type);
        markClass(b, receiver.value, cls);
    }
    if (mayHaveDict) {
        guardNoDict(b, b.top().value, cls->tp_dictoffset);
    }
    dependOn(b, cls);
    dependOnAttribute(b, cls, name);
    pushMethod(b, in, descriptor);
    return true;
}

// Where several classes were seen, more may come.
bool splitReceivers(RegionBuilder& b, const BytecodeInstruction& in) {
    const ClassSet& classes = b.siteOf(in).receivers;
    return classes.size() > 1 && splitOnClasses(b, in, 0, classes);
}

}  // namespace

bool splitOnClasses(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& classes) {
    int& splits = b.blocks().splits[placeKey(b.state())];
    bool isKnown = b.top(below).kind != Kind::kObject || b.top(below).cls != nullptr;
    if (isKnown || b.siteOf(in).generic || classes.size() > kMostReceivers || splits >= static_cast<int>(b.limits().versions) ||
        !followsAll(classes)) {
        return false;
    }
    splits++;
    for (int index = 0; index < classes.size(); index++) {
        splitOnClass(b, b.top(below).value, classes[index]);
    }
    return true;
}

void pushLent(RegionBuilder& b, const BytecodeInstruction& in, Id value, bool method) {
    AbstractValue owner = b.pop();
    bool owned = owner.owned;
    if (owned) {
        b.emit(ir::Op::k_incref, {value});
        release(b, std::move(owner));
    }
    if (method) {
        b.push(AbstractValue::null());
    }
    pushResult(b, value, owned, nullptr, in, in.next);
}

bool accessAttribute(RegionBuilder& b, const BytecodeInstruction& in) {
    PyObject* name =
        PyTuple_GET_ITEM(b.state().frame().code->co_names, in.opcode == LOAD_ATTR ? in.oparg >> 1 : in.oparg);
    if (in.opcode == STORE_ATTR) {
        bool isOpen = storesQuietly(b, in, name) && splitReceivers(b, in);
        if ((isOpen || !knowReceiver(b, in) || !storeAttribute(b, in, name)) && !storeQuietAttribute(b, in, name)) {
            opaqueAttributeStore(b, in, name);
        }
        return true;
    }
    bool method = in.oparg & 1;
    if (!method && (arrayAttribute(b, in, name) || complexAttribute(b, in, name))) {
        return true;
    }
    if (method) {
        knowMethodsArray(b, in, name);
    }
    if (loadConstantAttribute(b, in, name, method) || (method && loadStaticMethod(b, in, name))) {
        return true;
    }
    bool isOpen = !method && loadsQuietly(b, in, name) && splitReceivers(b, in);
    if ((isOpen || !knowReceiver(b, in) || !loadAttribute(b, in, name, method)) && !loadQuietAttribute(b, in, name, method)) {
        opaqueAttributeLoad(b, in, name, method);
    }
    return true;
}

bool deleteAttribute(RegionBuilder& b, const BytecodeInstruction& in) {
    PyObject* name = PyTuple_GET_ITEM(b.state().frame().code->co_names, in.oparg);
    Id version = beforeOpaque(b, "DELETE_ATTR " + textOf(name));
    if (!b.stopped()) {
        finishOpaque(b, in, Helper::k_delete_attribute, {boxEntry(b, 0), b.constObject(name)}, 1, OpaqueResult::kNone, version);
    }
    return true;
}

Id loadOwn(RegionBuilder& b, Id object, const AttributeAccess& access) {
    Id value = b.emit(ir::Op::k_load_attribute, {attributeBase(b, object, access)}, access.offset);
    b.emitExiting(ir::Op::k_guard_set, {value}, ExitReason::k_attribute);
    return value;
}

void markClass(RegionBuilder& b, Id object, PyTypeObject* cls) {
    auto isIt = [&](const AbstractValue& value) { return value.kind == Kind::kObject && value.value == object && value.cls != cls; };
    auto mark = [&](AbstractValue& value) { value.cls = cls; };
    changeEntries(b.state(), isIt, mark);
    changeEntries(b.before(), isIt, mark);
}

void dependOn(RegionBuilder& b, PyTypeObject* cls) {
    if (isProgramClass(cls)) {
        b.result().classes.push_back(cls);
    }
}

void dependOnAttribute(RegionBuilder& b, PyTypeObject* cls, PyObject* name) {
    PyObject* found = kiln_type_lookup(cls, name);
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(cls->tp_mro); index++) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(cls->tp_mro, index));
        if (isProgramClass(base) && PyDict_GetItemWithError(base->tp_dict, name) == found) {
            b.result().dependencies.push_back({base->tp_dict, name, found});
            return;
        }
    }
}

bool knowClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& classes) {
    AbstractValue& receiver = b.top(below);
    ObservedClasses& observed = ObservedClasses::instance();
    if (receiver.kind == Kind::kConstant && observed.mayRelyOn(Py_TYPE(receiver.constant))) {
        receiver = asObject(b, receiver);
        b.before().frame().top(below) = receiver;
        startHere(b);
    }
    if (receiver.kind != Kind::kObject && receiver.kind != Kind::kInstance) {
        return false;
    }
    const Site& site = b.siteOf(in);
    if (receiver.cls != nullptr) {
        return isProgramClass(receiver.cls) && observed.mayRelyOn(receiver.cls) && !site.generic;
    }
    int& splits = b.blocks().splits[placeKey(b.state())];
    bool settled = splits >= static_cast<int>(b.limits().versions);
    if (site.generic || classes.size() > (settled ? 1 : kMostReceivers) || !followsAll(classes)) {
        return false;
    }
    Id object = receiver.value;
    splits += classes.size() > 1;
    for (int index = 0; index + 1 < classes.size(); index++) {
        splitOnClass(b, object, classes[index]);
    }
    PyTypeObject* cls = classes[classes.size() - 1];
    b.guardClass(object, cls, ExitReason::k_type);
    dependOn(b, cls);
    markClass(b, object, cls);
    return true;
}

void pushMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method) {
    AbstractValue self = b.pop();
    b.push(AbstractValue::constantObject(method));
    b.push(std::move(self));
    b.state().frame().unit = in.next;
}

bool callAppend(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    takeConstantSequence(b, arguments);
    bool appends = b.top(arguments + 1).constant == appendMethod() && b.top(arguments).cls != nullptr && PyType_IsSubtype(b.top(arguments).cls, &PyList_Type);
    bool mayEnd = b.siteOf(in).runsFinalisers && endsAfterStore(b.top(1));
    if (!appends || arguments != 1 || mayEnd || b.keywordNames() != nullptr || b.top(1).kind != Kind::kObject) {
        return false;
    }
    Id object = boxEntry(b, 0);
    if (endsAfterStore(b.top(1))) {
        guardShared(b, b.top(1).value, ExitReason::k_release);  // nothing is displaced
    }
    ir::SnapshotId raise = b.raising();
    b.emitExitingAt(ir::Op::k_list_append, {b.top(1).value, object}, raise);
    releaseHeld(b, b.pop());
    releaseKept(b, std::exchange(b.top(), AbstractValue::null()));
    finishCall(b, in, 2, AbstractValue::none());
    return true;
}

}  // namespace kiln
