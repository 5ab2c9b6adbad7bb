// Attributes: an instance's are loaded and stored where its class says they lie; a module's and a class's are constants.
#include <opcode.h>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/attribute_access.h"
#include "jit/frontend/region_builder.h"
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

}  // namespace

bool RegionBuilder::attribute(const BytecodeInstruction& in) {
    PyObject* name = PyTuple_GET_ITEM(state_.frame().code->co_names, in.opcode == LOAD_ATTR ? in.oparg >> 1 : in.oparg);
    if (in.opcode == STORE_ATTR) {
        if (!knowReceiver(in) || !storeAttribute(in, name)) {
            opaqueAttributeStore(in, name);
        }
        return true;
    }
    bool method = in.oparg & 1;
    if (!loadConstantAttribute(in, name, method) && !(method && loadStaticMethod(in, name)) &&
        (!knowReceiver(in) || !loadAttribute(in, name, method))) {
        opaqueAttributeLoad(in, name, method);
    }
    return true;
}

// The entry's class is the same wherever the object is.
void RegionBuilder::markClass(Id object, PyTypeObject* cls) {
    auto mark = [&](AbstractValue& value) {
        if (value.kind == Kind::kObject && value.value == object) {
            value.cls = cls;
        }
    };
    forEachEntry(state_, mark);
    forEachEntry(before_, mark);
}

void RegionBuilder::dependOn(PyTypeObject* cls) {
    if (isProgramClass(cls)) {
        result_.classes.push_back(cls);
    }
}

// What instances find in the class by this name is a constant. The class tells of a change when the object may be gone
// already: the dict that holds it tells before.
void RegionBuilder::dependOnAttribute(PyTypeObject* cls, PyObject* name) {
    PyObject* found = kiln_type_lookup(cls, name);
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(cls->tp_mro); index++) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(cls->tp_mro, index));
        if (isProgramClass(base) && PyDict_GetItemWithError(base->tp_dict, name) == found) {
            result_.dependencies.push_back({base->tp_dict, name, found});
            return;
        }
    }
}

// From here on, `object` is not of class `cls`; where it is, the instruction is built again in a block of its own. Not one
// that states share: that could forget the class, and ask for it for ever.
void RegionBuilder::splitOnClass(Id object, PyTypeObject* cls) {
    branchAside(classIs(object, cls), true, [&] {
        dependOn(cls);
        markClass(object, cls);
        blockStates_[block_] = state_;
        pending_.push_back(block_);
    });
    before_ = state_;
    startHere();
}

// Makes an entry an object whose class is known and is one of the program's that may be relied on. With several observed,
// each but the last goes on in a block of its own. False when CPython must do the instruction.
bool RegionBuilder::knowClass(const BytecodeInstruction& in, int below, const ClassSet& classes) {
    AbstractValue& receiver = top(below);
    ObservedClasses& observed = ObservedClasses::instance();
    if (receiver.kind == Kind::kConstant && observed.mayRelyOn(Py_TYPE(receiver.constant))) {
        receiver = asObject(receiver);
        before_.frame().top(below) = receiver;
        startHere();
    }
    if (receiver.kind != Kind::kObject) {
        return false;
    }
    const Site& site = siteOf(in);
    if (receiver.cls != nullptr) {
        return isProgramClass(receiver.cls) && observed.mayRelyOn(receiver.cls) && !site.generic;
    }
    int& splits = splits_[placeKey(state_)];
    bool settled = splits >= static_cast<int>(limits().versions);
    if (site.generic || classes.empty() || classes.others() || classes.size() > (settled ? 1 : kMostReceivers)) {
        return false;
    }
    for (int index = 0; index < classes.size(); index++) {
        if (classes[index] == nullptr || !isProgramClass(classes[index]) || !observed.mayRelyOn(classes[index])) {
            return false;
        }
    }
    Id object = receiver.value;
    splits += classes.size() > 1;
    for (int index = 0; index + 1 < classes.size(); index++) {
        splitOnClass(object, classes[index]);
    }
    PyTypeObject* cls = classes[classes.size() - 1];
    guardClass(object, cls, ExitReason::k_type);
    dependOn(cls);
    markClass(object, cls);
    return true;
}

// The address that the attribute's offset counts from.
RegionBuilder::Id RegionBuilder::attributeBase(Id object, const AttributeAccess& access) {
    if (access.kind == AttributeKind::kMember) {
        return emit(ir::Op::k_address, {object});
    }
    return guardValues(object);
}

// The instance's values; it keeps its attributes there and not in a dict.
RegionBuilder::Id RegionBuilder::guardValues(Id object) {
    return emitExiting(ir::Op::k_values, {object}, ExitReason::k_attribute);
}

// No instance hides the class's attribute: it has values, and their keys are the ones known; or it is asked.
void RegionBuilder::guardNotHidden(const BytecodeInstruction& in, Id object, PyObject* name, const AttributeAccess& access) {
    if (!access.mayBeHidden) {
        return;
    }
    if (access.keys == nullptr || siteOf(in).inDict) {
        askInstance(ir::Op::k_opaque_int, {object, constObject(name)}, Helper::k_lacks_own_attribute);
        return;
    }
    guardValues(object);
    Id version = emit(ir::Op::k_keys_version, {}, objectIndex(access.keys, "keys"));
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_eq, {version, constInt(access.keysVersion)})}, ExitReason::k_attribute);
}

// Leaves before the instruction when the instance does not have what is asked for.
RegionBuilder::Id RegionBuilder::askInstance(ir::Op op, std::initializer_list<Id> operands, Helper helper) {
    return emitExiting(op, operands, ExitReason::k_attribute, static_cast<int64_t>(helper));
}

bool RegionBuilder::loadAttribute(const BytecodeInstruction& in, PyObject* name, bool method) {
    AbstractValue receiver = top();
    dependOn(receiver.cls);
    AttributeAccess access = findAttribute(receiver.cls, name, result_.classes);
    switch (access.kind) {
        case AttributeKind::kValue:
            siteOf(in).inDict ? loadOwnAttribute(in, name, method) : loadInstanceAttribute(in, access, method);
            return true;
        case AttributeKind::kOwn: loadOwnAttribute(in, name, method); return true;
        case AttributeKind::kMember: loadInstanceAttribute(in, access, method); return true;
        case AttributeKind::kMethod:
            if (!method) {
                return false;
            }
            loadMethod(in, name, access);
            return true;
        case AttributeKind::kConstant:
            guardNotHidden(in, receiver.value, name, access);
            dependOnAttribute(receiver.cls, name);
            release(pop());
            pushConstantAttribute(in, access.object, method, true);
            return true;
        case AttributeKind::kProperty: return !method && callProperty(in, name, access.object);
        default: return false;
    }
}

void RegionBuilder::loadInstanceAttribute(const BytecodeInstruction& in, const AttributeAccess& access, bool method) {
    Id value = emit(ir::Op::k_load_attribute, {attributeBase(top().value, access)}, access.offset);
    emitExiting(ir::Op::k_guard_set, {value}, ExitReason::k_attribute);
    // The value is borrowed from its instance: where that goes away here, the value needs a reference first.
    AbstractValue owner = pop();
    bool owned = owner.owned;
    if (owned) {
        emit(ir::Op::k_incref, {value});
        release(std::move(owner));
    }
    if (method) {
        push(AbstractValue::null());
    }
    pushResult(value, owned, nullptr, in, in.next);
}

// Wherever the instance keeps it.
void RegionBuilder::loadOwnAttribute(const BytecodeInstruction& in, PyObject* name, bool method) {
    Id value = askInstance(ir::Op::k_opaque_object, {top().value, constObject(name)}, Helper::k_own_attribute);
    release(pop());
    if (method) {
        push(AbstractValue::null());
    }
    pushResult(value, true, nullptr, in, in.next);
}

void RegionBuilder::loadMethod(const BytecodeInstruction& in, PyObject* name, const AttributeAccess& access) {
    guardNotHidden(in, top().value, name, access);
    dependOnAttribute(top().cls, name);
    result_.functions.push_back(reinterpret_cast<PyFunctionObject*>(access.object));
    pushMethod(in, access.object);
}

// The instance becomes [method, self], as by the interpreter's own LOAD_ATTR.
void RegionBuilder::pushMethod(const BytecodeInstruction& in, PyObject* method) {
    AbstractValue self = pop();
    push(AbstractValue::constantObject(method));
    push(std::move(self));
    state_.frame().unit = in.next;
}

// A getter is a call without a CALL: inlined, or left to CPython.
bool RegionBuilder::callProperty(const BytecodeInstruction& in, PyObject* name, PyObject* getter) {
    auto* function = reinterpret_cast<PyFunctionObject*>(getter);
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    if (!takesOnly(code, 1) || rebinds(code, 0) || !shouldInline(Callee::of(function))) {
        return false;
    }
    result_.functions.push_back(function);
    dependOnAttribute(top().cls, name);
    inlineCall(in, CalledFunction::of(function), {top()}, 1);
    return true;
}

bool RegionBuilder::storeAttribute(const BytecodeInstruction& in, PyObject* name) {
    AbstractValue receiver = top();
    dependOn(receiver.cls);
    AttributeAccess access = findStoredAttribute(receiver.cls, name, result_.classes);
    if (access.kind == AttributeKind::kOther || endsAfterStore(receiver)) {
        return false;
    }
    if (access.kind == AttributeKind::kOwn || (access.kind == AttributeKind::kValue && siteOf(in).inDict)) {
        storeOwnAttribute(in, name);
        return true;
    }
    if (siteOf(in).runsFinalisers) {
        return false;
    }
    if (top(1).isVirtual()) {
        boxEntry(1);
    }
    Id base = attributeBase(receiver.value, access);
    if (!top(1).isFloat()) {
        guardDisplaced(emit(ir::Op::k_load_attribute, {base}, access.offset));
    }
    if (access.kind == AttributeKind::kValue) {
        emit(ir::Op::k_note_attribute, {base}, access.offset);
    }
    AbstractValue owner = pop();
    AbstractValue value = pop();
    if (isBareFloat(value)) {
        emitExiting(ir::Op::k_store_attribute_float, {base, value.value}, ExitReason::k_release, access.offset);
    } else {
        Id object = takeReference(std::move(value));
        emit(ir::Op::k_store_attribute, {base, object}, access.offset);
    }
    release(std::move(owner));
    state_.frame().unit = in.next;
    return true;
}

void RegionBuilder::storeOwnAttribute(const BytecodeInstruction& in, PyObject* name) {
    Id value = boxEntry(1);
    askInstance(ir::Op::k_opaque_int, {top().value, constObject(name), value}, Helper::k_set_own_attribute);
    releaseTop(2);
    state_.frame().unit = in.next;
}

// A module's attribute is a constant behind the watcher of the module's dict, a class's behind that of the class.
bool RegionBuilder::loadConstantAttribute(const BytecodeInstruction& in, PyObject* name, bool method) {
    const AbstractValue& receiver = top();
    if (receiver.kind != Kind::kConstant) {
        return false;
    }
    PyObject* value = nullptr;
    if (PyModule_CheckExact(receiver.constant)) {
        PyObject* dict = PyModule_GetDict(receiver.constant);
        value = hasPlainNames(dict) ? PyDict_GetItemWithError(dict, name) : nullptr;
        if (value == nullptr || !environment_.isStableName(dict, name)) {
            PyErr_Clear();
            return false;
        }
        result_.dependencies.push_back({dict, name, value});
        result_.classes.push_back(&PyModule_Type);  // the module may become an instance of another class
    } else if (PyType_Check(receiver.constant)) {
        auto* cls = reinterpret_cast<PyTypeObject*>(receiver.constant);
        ObservedClasses& observed = ObservedClasses::instance();
        bool stable = observed.mayRelyOn(cls) && observed.mayRelyOn(Py_TYPE(cls));
        value = stable ? findClassAttribute(cls, name, result_.classes) : nullptr;
        if (value == nullptr) {
            return false;
        }
        dependOn(cls);
        dependOn(Py_TYPE(cls));
        dependOnAttribute(cls, name);
    } else {
        return false;
    }
    bool isHeld = receiver.isReference();
    release(pop());
    pushConstantAttribute(in, value, method, isHeld);
    return true;
}

// `isHeld`: what it was found through may go before it, with all that only refers to each other.
void RegionBuilder::pushConstantAttribute(const BytecodeInstruction& in, PyObject* value, bool method, bool isHeld) {
    if (PyFunction_Check(value)) {
        result_.functions.push_back(reinterpret_cast<PyFunctionObject*>(value));
    }
    if (method) {
        push(AbstractValue::null());
    }
    push(isHeld ? heldConstant(constantValue(value)) : constantValue(value));
    state_.frame().unit = in.next;
}

// A C method of a built-in class, which can't change.
bool RegionBuilder::loadStaticMethod(const BytecodeInstruction& in, PyObject* name) {
    AbstractValue& receiver = top();
    PyTypeObject* cls = receiver.knownClass();
    bool known = cls != nullptr;
    if (!known && receiver.kind == Kind::kObject) {
        cls = siteOf(in).receivers.only();
    }
    if (cls == nullptr || !PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE) || cls->tp_dictoffset != 0 ||
        cls->tp_getattro != PyObject_GenericGetAttr) {
        return false;
    }
    PyObject* descriptor = kiln_type_lookup(cls, name);
    if (descriptor == nullptr || !Py_IS_TYPE(descriptor, &PyMethodDescr_Type)) {
        return false;
    }
    if (!ObservedClasses::instance().mayRelyOn(cls)) {
        return false;
    }
    if (!known) {
        guardClass(receiver.value, cls, ExitReason::k_type);
    }
    dependOn(cls);
    dependOnAttribute(cls, name);
    pushMethod(in, descriptor);
    return true;
}

bool RegionBuilder::callAppend(const BytecodeInstruction& in, int arguments) {
    takeConstantSequence(arguments);
    bool appends = top(arguments + 1).constant == appendMethod() && top(arguments).cls == &PyList_Type;
    if (!appends || arguments != 1 || endsAfterStore(top(1)) || keywordNames_ != nullptr || top(1).kind != Kind::kObject) {
        return false;
    }
    Id object = boxEntry(0);
    ir::SnapshotId raise = raising();
    emitExitingAt(ir::Op::k_list_append, {top(1).value, object}, raise);
    releaseHeld(pop());
    finishCall(in, 2, AbstractValue::none());
    return true;
}

}  // namespace kiln
