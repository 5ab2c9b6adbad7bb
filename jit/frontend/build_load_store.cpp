// Locals, constants, globals, namespace variables, and moving things about on the operand stack.
#include <opcode.h>

#include <set>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

// CPython has these once, for ever.
bool isCachedInt(PyObject* object) {
    constexpr long long kLeast = -5;
    constexpr long long kMost = 256;
    long long value = PyLong_AsLongLong(object);
    return kLeast <= value && value <= kMost;
}

}  // namespace

bool RegionBuilder::stackShuffle(const BytecodeInstruction& in) {
    AbstractFrame& frame = state_.frame();
    frame.unit = in.next;
    switch (in.opcode) {
        case POP_TOP: release(pop()); break;
        case PUSH_NULL: push(AbstractValue::null()); break;
        case COPY:
            if (isVirtualIterator(top(in.oparg - 1))) {
                boxEntry(in.oparg - 1);
            }
            push(copyOf(top(in.oparg - 1)));
            break;
        case SWAP:
            if (top(0).isInFrame() || top(in.oparg - 1).isInFrame()) {
                sideExit(ExitReason::k_loop_done);  // what is below the loop comes up only on the way out of it
                return true;
            }
            std::swap(top(0), top(in.oparg - 1));
            break;
        case END_FOR: release(pop()); release(pop()); break;
        case KW_NAMES: keywordNames_ = PyTuple_GET_ITEM(frame.code->co_consts, in.oparg); break;
        case LOAD_CONST: push(constantValue(PyTuple_GET_ITEM(frame.code->co_consts, in.oparg))); break;
        default: break;  // NOP, RESUME
    }
    return true;
}

// A constant in its native form, where it has one.
AbstractValue RegionBuilder::constantValue(PyObject* object) {
    if (object == Py_None) {
        return AbstractValue::none();
    }
    if (PyBool_Check(object)) {
        return AbstractValue::number(Kind::kBool, emit(ir::Op::k_const_bool, {}, object == Py_True));
    }
    if (PyFloat_CheckExact(object)) {
        AbstractValue number = AbstractValue::number(Kind::kFloat, constFloat(PyFloat_AS_DOUBLE(object)));
        number.constant = object;
        return number;
    }
    if (PyLong_CheckExact(object) && !isBigInt(object)) {
        AbstractValue number = AbstractValue::number(Kind::kInt, constInt(PyLong_AsLongLong(object)));
        number.constant = isCachedInt(object) ? nullptr : object;  // each box is that very object
        return number;
    }
    return AbstractValue::constantObject(object);
}

// A constant for an entry that may outlive what holds it: the class of an instance that is given up, a function that
// returns. The collector could clear it, with all that only refers to each other, before anything tells of its end.
AbstractValue RegionBuilder::heldConstant(AbstractValue constant) {
    bool isPlain = constant.kind != Kind::kConstant || !PyObject_GC_IsTracked(constant.constant) || _Py_IsImmortal(constant.constant);
    if (isPlain || constant.isReference()) {
        return constant;
    }
    PyObject* object = constant.constant;
    constant.value = constObject(object);
    bool isUsed = PyFunction_Check(object) || PyType_Check(object) || PyModule_Check(object) || PyCFunction_Check(object) || PyTuple_Check(object);
    constant = isUsed ? constant : asObject(constant);
    own(constant);
    return constant;
}

// A constant of which it only matters what class it is of, if native code knows that.
AbstractValue RegionBuilder::asObject(const AbstractValue& constant) {
    bool fresh = false;
    PyTypeObject* cls = Py_TYPE(constant.constant);
    return AbstractValue::object(boxed(constant, fresh), isNativeClass(cls) ? cls : nullptr, constant.owned);
}

int RegionBuilder::sharers(const AbstractValue& value) const {
    int count = 0;
    forEachEntry(state_, [&](const AbstractValue& entry) { count += entry.isVirtualObject() && entry.identity == value.identity; });
    return count;
}

// Before an entry gets a lasting place: a virtual object that has one already becomes real. So does an iterator, which
// moves on wherever it is held.
void RegionBuilder::settle(int below) {
    const AbstractValue& value = top(below);
    if (isVirtualIterator(value) || (value.isVirtualObject() && sharers(value) > 1)) {
        boxEntry(below);
    }
}

void RegionBuilder::storeFast(const BytecodeInstruction& in) {
    auto store = [&] {
        AbstractValue value = pop();
        AbstractValue old = std::exchange(state_.frame().slots[in.oparg], std::move(value));
        release(std::move(old));
    };
    settle(0);
    // Not where versions were merged: a value that was boxed for that must not be unboxed again.
    if (top().kind == Kind::kObject && top().cls == nullptr && !siteOf(in).results.empty() &&
        versions_[placeKey(state_)].size() < limits().versions) {
        refineTop(siteOf(in), [&] {
            store();
            goTo(in.next);
        });
    }
    store();
}

bool RegionBuilder::loadStore(const BytecodeInstruction& in) {
    AbstractFrame& frame = state_.frame();
    AbstractValue& local = frame.slots[in.oparg];
    if (local.kind == Kind::kAny && in.opcode != STORE_FAST) {
        return false;
    }
    switch (in.opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK:
            if (local.kind == Kind::kNull) {
                return false;  // unbound: the interpreter raises
            }
            push(copyOf(local));
            break;
        case LOAD_FAST_AND_CLEAR: {
            AbstractValue moved = local;
            local = AbstractValue::null();
            push(moved);
            break;
        }
        case STORE_FAST: storeFast(in); break;
        default: {  // DELETE_FAST
            if (local.kind == Kind::kNull) {
                return false;
            }
            AbstractValue old = std::move(local);
            local = AbstractValue::null();
            release(std::move(old));
            break;
        }
    }
    state_.frame().unit = in.next;
    return true;
}

// ---- globals and builtins: constants behind dict watchers

bool RegionBuilder::loadGlobal(const BytecodeInstruction& in) {
    AbstractFrame& frame = state_.frame();
    PyObject* key = PyTuple_GET_ITEM(frame.code->co_names, in.oparg >> 1);
    if (in.oparg & 1) {
        push(AbstractValue::null());
    }
    if (!loadNamed(frame.globals, key, in)) {
        if (in.oparg & 1) {
            pop();
        }
        return false;
    }
    return true;
}

bool hasPlainNames(PyObject* names) {
    return names == nullptr || (PyDict_CheckExact(names) && kiln_dict_has_plain_keys(names));
}

AbstractName* RegionBuilder::findName(PyObject* dict, PyObject* key) {
    auto found = nameIndices_.find({dict, key});
    if (found == nameIndices_.end()) {
        return nullptr;
    }
    for (AbstractName& name : state_.names) {
        if (name.name == found->second && !name.lent) {
            return &name;
        }
    }
    return nullptr;
}

int RegionBuilder::nameIndex(PyObject* dict, PyObject* key) {
    auto [found, added] = nameIndices_.try_emplace({dict, key}, static_cast<int>(result_.region.names.size()));
    if (added) {
        const char* text = PyUnicode_AsUTF8(key);
        result_.region.names.push_back(text != nullptr ? text : "?");
        result_.region.nameDicts.push_back(dict);
        result_.region.nameKeys.push_back(key);
    }
    return found->second;
}

// The value of a name that may be taken for constant, behind a watcher; nullptr otherwise. Borrowed.
PyObject* RegionBuilder::constantName(PyObject* dict, PyObject* key) {
    PyObject* builtins = state_.frame().builtins;
    PyObject* own = PyDict_GetItemWithError(dict, key);
    PyObject* value = own != nullptr ? own : PyDict_GetItemWithError(builtins, key);
    if (value == nullptr || !environment_.isStableName(dict, key) || (own == nullptr && !environment_.isStableName(builtins, key))) {
        PyErr_Clear();
        return nullptr;
    }
    if (own == nullptr) {
        result_.dependencies.push_back({builtins, key, value});
    }
    result_.dependencies.push_back({dict, key, own});
    return value;
}

// Pushes the value of a name: held in the region, constant behind a watcher, or read each time.
bool RegionBuilder::loadNamed(PyObject* dict, PyObject* key, const BytecodeInstruction& in) {
    if (AbstractName* name = findName(dict, key)) {
        if (name->value.kind == Kind::kNull) {
            return false;
        }
        push(copyOf(name->value));
        if (top().isReference()) {
            ownTop();
        }
        state_.frame().unit = in.next;
        return true;
    }
    if (PyObject* value = constantName(dict, key)) {
        push(constantValue(value));
        state_.frame().unit = in.next;
        return true;
    }
    if (PyDict_GetItemWithError(dict, key) == nullptr) {
        PyErr_Clear();
        return false;  // unbound, or a builtin that keeps changing
    }
    Id object = emit(ir::Op::k_load_name, {}, nameIndex(dict, key));
    emitExiting(ir::Op::k_guard_set, {object}, ExitReason::k_object);
    pushResult(object, false, nullptr, in, in.next);
    return true;
}

bool RegionBuilder::namespaceName(const BytecodeInstruction& in) {
    AbstractFrame& frame = state_.frame();
    PyObject* key = PyTuple_GET_ITEM(frame.code->co_names, in.oparg);
    PyObject* dict = in.opcode == STORE_GLOBAL ? frame.globals : request_.locals;
    if (dict == nullptr || (in.opcode != STORE_GLOBAL && (!isRootFrame() || dict != frame.globals))) {
        return false;
    }
    if (in.opcode == LOAD_NAME) {
        return loadNamed(dict, key, in);
    }
    if (!storeName(dict, key)) {
        return false;
    }
    state_.frame().unit = in.next;
    return true;
}

// Numbers stay in the region until an exit or an opaque call. Objects are written to the dict at once, and it alone holds them: an
// object of the region's would outlive its variable when somebody else sets that. The dict's reference to the old one is given up
// after the store.
bool RegionBuilder::storeName(PyObject* dict, PyObject* key) {
    AbstractName* name = findName(dict, key);
    if (name == nullptr) {
        knowledge_.variableNames.insert({dict, key});
        restart();
        return true;
    }
    if (top().isVirtual()) {
        boxEntry(0);
    }
    AbstractValue value = top();
    bool deferred = (value.isNumber() || value.kind == Kind::kNone) && !name->dictHoldsObject;
    if (!deferred) {
        needsRealFrame(unit_);
        Id object = boxEntry(0);
        AbstractValue displaced = copyOf(name->value);
        if (displaced.isReference()) {
            own(displaced);
            letGo(displaced.value);
        }
        emitExitingAt(ir::Op::k_store_name, {object}, raising(), name->name);
    }
    AbstractValue stored = pop();
    name = findName(dict, key);
    AbstractValue old = std::move(name->value);
    name->value = std::move(stored);
    name->dirty = deferred;
    name->dictHoldsObject = !deferred;
    release(std::move(old));
    leaveToDict(name->value, givesUpToCallees());
    return true;
}

// The value of a variable, which the dict has: the region's reference goes, at the instruction's end where foreign code runs
// before that.
void RegionBuilder::leaveToDict(AbstractValue& value, bool atEnd) {
    if (!value.isReference() || value.held) {
        return;
    }
    value.held = true;  // first: nobody passes a reference to this entry
    if (!std::exchange(value.owned, false) || transferOwnership(state_, value.value)) {
        return;
    }
    if (atEnd) {
        letGo(value.value);
    } else {
        emit(ir::Op::k_decref_held, {value.value});
    }
}

// The namespace variables that the region stores to, loaded and guarded at its entry. The region holds the numbers that it finds until
// it is left, so that their boxes need no counting: most variables are computed soon and have none.
void RegionBuilder::prepareNames() {
    const BytecodeLoop* loop = request_.isFunction ? nullptr : bytecode().loopAt(request_.unit);
    for (const BytecodeInstruction& in : bytecode().instructions()) {
        bool stores = in.opcode == STORE_GLOBAL || (in.opcode == STORE_NAME && request_.locals != nullptr);
        if (stores && loop != nullptr && loop->mayRun(in)) {
            PyObject* key = PyTuple_GET_ITEM(request_.code->co_names, in.oparg);
            knowledge_.variableNames.insert({in.opcode == STORE_GLOBAL ? request_.globals : request_.locals, key});
        }
    }
    for (const auto& [dict, key] : knowledge_.variableNames) {
        AbstractName name{.name = nameIndex(dict, key)};
        PyObject* current = PyDict_GetItemWithError(dict, key);
        Id object = emit(ir::Op::k_load_name, {}, name.name);
        if (current == nullptr) {
            emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_is_null, {object})}, ExitReason::k_entry);
        } else {
            name.value = kindOf(current);
            name.value.parts.clear();
            if (name.value.isVirtual()) {
                name.value = AbstractValue::object(ir::kNoId, nullptr, false);
            }
            enterObject(object, name.value);
            if (name.value.kind == Kind::kNone) {
                name.value = AbstractValue::none();
            }
            name.dictHoldsObject = name.value.held = name.value.kind == Kind::kObject;
            name.dirty = !name.dictHoldsObject;
        }
        pendingNames_.push_back(std::move(name));
    }
    state_.names = std::move(pendingNames_);
    pendingNames_.clear();
    std::set<const void*> dicts;
    for (const AbstractName& name : state_.names) {
        if (dicts.insert(result_.region.nameDicts[name.name]).second) {
            Id version = emit(ir::Op::k_names_version, {}, name.name);
            emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ne, {version, constInt(0)})}, ExitReason::k_entry);
        }
    }
    // Only now: an entry guard that fails must leave nothing behind.
    std::vector<AbstractName> lent;
    for (AbstractName& name : state_.names) {
        AbstractValue& value = name.value;
        if (value.hasIdentity()) {
            lent.push_back({.name = name.name, .lent = true, .value = AbstractValue::object(value.box, value.knownClass(), false)});
            own(lent.back().value);
            value.box = emit(ir::Op::k_lend_box, {value.box});
            value.owned = value.mayLackBox = true;
        } else {
            own(value);
        }
    }
    state_.names.insert(state_.names.end(), lent.begin(), lent.end());
}

}  // namespace kiln
