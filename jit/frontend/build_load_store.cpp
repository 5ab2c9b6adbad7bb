// Locals, constants, globals, namespace variables, and moving things about on the operand stack.
#include "jit/frontend/build_load_store.h"

#include <opcode.h>

#include <set>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "interp/python_text.h"
#include "jit/frontend/build_entry.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// CPython has these once, for ever.
bool isCachedInt(PyObject* object) {
    constexpr long long kLeast = -5;
    constexpr long long kMost = 256;
    long long value = PyLong_AsLongLong(object);
    return kLeast <= value && value <= kMost;
}

// How many entries of the state are this virtual object.
int sharers(RegionBuilder& b, const AbstractValue& value) {
    int count = 0;
    forEachEntry(b.state(), [&](const AbstractValue& entry) {
        count += entry.isVirtualObject() && entry.identity == value.identity;
    });
    return count;
}

void storeFast(RegionBuilder& b, const BytecodeInstruction& in) {
    auto store = [&] {
        AbstractValue value = b.pop();
        AbstractValue old = std::exchange(b.state().frame().slots[in.oparg], std::move(value));
        release(b, std::move(old));
    };
    settle(b, 0);
    // Not where versions were merged: a value that was boxed for that must not be unboxed again.
    if (b.top().kind == Kind::kObject && b.top().cls == nullptr && !b.siteOf(in).results.empty() &&
        b.blocks().versions[placeKey(b.state())].size() < b.limits().versions) {
        refineTop(b, b.siteOf(in), [&] {
            store();
            b.goTo(in.next);
        });
    }
    store();
}

// Any other iterator than one without a name moves on under both names.
void loadLocal(RegionBuilder& b, size_t slot) {
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    const bool isNamed = !isUnnamed(b.state().frame().code, static_cast<int>(slot));
    if (!isVirtualIterator(slots[slot]) || (isNamed && slots[slot].kind != Kind::kGenerator)) {
        b.push(copyOf(slots[slot]));
        return;
    }
    b.push(std::exchange(slots[slot], AbstractValue::null()));
    if (isNamed) {
        boxEntry(b, 0);
        slots[slot] = b.top();
        b.top() = copyOf(b.top());
    }
}

AbstractName* findName(RegionBuilder& b, PyObject* dict, PyObject* key) {
    auto found = b.nameIndices().find({dict, key});
    if (found == b.nameIndices().end()) {
        return nullptr;
    }
    for (AbstractName& name : b.state().names) {
        if (name.name == found->second && !name.lent) {
            return &name;
        }
    }
    return nullptr;
}

int nameIndex(RegionBuilder& b, PyObject* dict, PyObject* key) {
    auto [found, added] = b.nameIndices().try_emplace({dict, key}, static_cast<int>(b.result().region.names.size()));
    if (added) {
        b.result().region.names.push_back(textOf(key));
        b.result().region.nameDicts.push_back(dict);
        b.result().region.nameKeys.push_back(key);
    }
    return found->second;
}

// Pushes the value of a name: held in the region, constant behind a watcher, or read each time.
bool loadNamed(RegionBuilder& b, PyObject* dict, PyObject* key, const BytecodeInstruction& in) {
    if (AbstractName* name = findName(b, dict, key)) {
        if (name->value.kind == Kind::kNull) {
            return false;
        }
        b.push(copyOf(name->value));
        if (b.top().isReference()) {
            ownTop(b);
        }
        b.state().frame().unit = in.next;
        return true;
    }
    if (PyObject* value = constantName(b, dict, key)) {
        b.push(constantValue(b, value));
        b.state().frame().unit = in.next;
        return true;
    }
    if (PyDict_GetItemWithError(dict, key) == nullptr) {
        PyErr_Clear();
        return false;  // unbound, or a builtin that keeps changing
    }
    Id object = b.emit(ir::Op::k_load_name, {}, nameIndex(b, dict, key));
    b.emitExiting(ir::Op::k_guard_set, {object}, ExitReason::k_object);
    pushResult(b, object, false, nullptr, in, in.next);
    return true;
}

// Numbers, of NumPy's too, stay in the region until an exit or an opaque call. Objects are written to the dict at once, and it alone holds them: an
// object of the region's would outlive its variable when somebody else sets that. The dict's reference to the old one is given up
// after the store.
bool storeName(RegionBuilder& b, PyObject* dict, PyObject* key) {
    AbstractName* name = findName(b, dict, key);
    if (name == nullptr) {
        b.knowledge().variableNames.insert({dict, key});
        b.restart();
        return true;
    }
    if (b.top().isVirtual() && (!b.top().isVirtualNumber() || name->dictHoldsObject)) {
        boxEntry(b, 0);
    }
    AbstractValue value = b.top();
    bool deferred = (value.isNumber() || value.isVirtualNumber() || value.kind == Kind::kNone) && !name->dictHoldsObject;
    if (!deferred) {
        needsRealFrame(b, b.unit());
        Id object = boxEntry(b, 0);
        AbstractValue displaced = copyOf(name->value);
        if (displaced.isReference()) {
            own(b, displaced);
            letGo(b, displaced.value);
        }
        b.emitExitingAt(ir::Op::k_store_name, {object}, b.raising(), name->name);
    }
    AbstractValue stored = b.pop();
    name = findName(b, dict, key);
    AbstractValue old = std::move(name->value);
    name->value = std::move(stored);
    name->dirty = deferred;
    name->dictHoldsObject = !deferred;
    release(b, std::move(old));
    leaveToDict(b, name->value, givesUpToCallees(b));
    return true;
}

}  // namespace

bool stackShuffle(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractFrame& frame = b.state().frame();
    frame.unit = in.next;
    switch (in.opcode) {
        case POP_TOP:
            if (b.top().kind == Kind::kGenerator && b.top().value != ir::kNoId) {
                return false;  // its frame must be filled first
            }
            release(b, b.pop());
            break;
        case PUSH_NULL: b.push(AbstractValue::null()); break;
        case COPY:
            if (isVirtualIterator(b.top(in.oparg - 1))) {
                boxEntry(b, in.oparg - 1);
            }
            b.push(copyOf(b.top(in.oparg - 1)));
            break;
        case SWAP:
            if (b.top(0).isInFrame() || b.top(in.oparg - 1).isInFrame()) {
                b.sideExit(ExitReason::k_loop_done);  // what is below the loop comes up only on the way out of it
                return true;
            }
            std::swap(b.top(0), b.top(in.oparg - 1));
            break;
        case END_FOR: release(b, b.pop()); release(b, b.pop()); break;
        case KW_NAMES: b.keywordNames() = PyTuple_GET_ITEM(frame.code->co_consts, in.oparg); break;
        case LOAD_CONST: b.push(constantValue(b, PyTuple_GET_ITEM(frame.code->co_consts, in.oparg))); break;
        default: break;  // NOP, RESUME
    }
    return true;
}

AbstractValue constantValue(RegionBuilder& b, PyObject* object) {
    if (object == Py_None) {
        return AbstractValue::none();
    }
    if (PyBool_Check(object)) {
        return AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_const_bool, {}, object == Py_True));
    }
    if (PyFloat_CheckExact(object)) {
        AbstractValue number = AbstractValue::number(Kind::kFloat, b.constFloat(PyFloat_AS_DOUBLE(object)));
        number.constant = object;
        return number;
    }
    if (PyLong_CheckExact(object) && !isBigInt(object)) {
        AbstractValue number = AbstractValue::number(Kind::kInt, b.constInt(PyLong_AsLongLong(object)));
        number.constant = isCachedInt(object) ? nullptr : object;  // each box is that very object
        return number;
    }
    return AbstractValue::constantObject(object);
}

AbstractValue heldConstant(RegionBuilder& b, AbstractValue constant) {
    bool isPlain = constant.kind != Kind::kConstant || !PyObject_GC_IsTracked(constant.constant) || _Py_IsImmortal(constant.constant);
    if (isPlain || constant.isReference()) {
        return constant;
    }
    PyObject* object = constant.constant;
    constant.value = b.constObject(object);
    bool isUsed = PyFunction_Check(object) || PyType_Check(object) || PyModule_Check(object) || PyCFunction_Check(object) || PyTuple_Check(object);
    constant = isUsed ? constant : asObject(b, constant);
    own(b, constant);
    return constant;
}

AbstractValue asObject(RegionBuilder& b, const AbstractValue& constant) {
    bool fresh = false;
    PyTypeObject* cls = Py_TYPE(constant.constant);
    return AbstractValue::object(boxed(b, constant, fresh), isNativeClass(cls) ? cls : nullptr, constant.owned);
}

bool isUnnamed(const PyCodeObject* code, int slot) {
    PyObject* name = PyTuple_GET_ITEM(code->co_localsplusnames, slot);
    return PyUnicode_GET_LENGTH(name) > 0 && PyUnicode_READ_CHAR(name, 0) == '.';
}

void settle(RegionBuilder& b, int below) {
    const AbstractValue& value = b.top(below);
    if (isVirtualIterator(value) || (value.isVirtualObject() && !value.isShareable() && sharers(b, value) > 1)) {
        boxEntry(b, below);
    }
}

bool loadStore(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractFrame& frame = b.state().frame();
    AbstractValue& local = frame.slots[in.oparg];
    if (local.kind == Kind::kAny && in.opcode != STORE_FAST) {
        return false;
    }
    switch (in.opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK:
            if (local.kind == Kind::kNull) {
                return false;  // unbound: the interpreter raises
            }
            loadLocal(b, static_cast<size_t>(in.oparg));
            break;
        case LOAD_FAST_AND_CLEAR: {
            AbstractValue moved = local;
            local = AbstractValue::null();
            b.push(moved);
            break;
        }
        case STORE_FAST: storeFast(b, in); break;
        default: {  // DELETE_FAST
            if (local.kind == Kind::kNull) {
                return false;
            }
            AbstractValue old = std::move(local);
            local = AbstractValue::null();
            release(b, std::move(old));
            break;
        }
    }
    b.state().frame().unit = in.next;
    return true;
}

// ---- globals and builtins: constants behind dict watchers

bool loadGlobal(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractFrame& frame = b.state().frame();
    PyObject* key = PyTuple_GET_ITEM(frame.code->co_names, in.oparg >> 1);
    if (in.oparg & 1) {
        b.push(AbstractValue::null());
    }
    if (!loadNamed(b, frame.globals, key, in)) {
        if (in.oparg & 1) {
            b.pop();
        }
        return false;
    }
    return true;
}

bool hasPlainNames(PyObject* names) {
    return names == nullptr || (PyDict_CheckExact(names) && kiln_dict_has_plain_keys(names));
}

PyObject* constantName(RegionBuilder& b, PyObject* dict, PyObject* key) {
    PyObject* builtins = b.state().frame().builtins;
    PyObject* own = PyDict_GetItemWithError(dict, key);
    PyObject* value = own != nullptr ? own : PyDict_GetItemWithError(builtins, key);
    if (value == nullptr || !b.environment().isStableName(dict, key) ||
        (own == nullptr && !b.environment().isStableName(builtins, key))) {
        PyErr_Clear();
        return nullptr;
    }
    if (own == nullptr) {
        b.result().dependencies.push_back({builtins, key, value});
    }
    b.result().dependencies.push_back({dict, key, own});
    return value;
}

bool namespaceName(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractFrame& frame = b.state().frame();
    PyObject* key = PyTuple_GET_ITEM(frame.code->co_names, in.oparg);
    PyObject* dict = in.opcode == STORE_GLOBAL ? frame.globals : b.request().locals;
    if (dict == nullptr || (in.opcode != STORE_GLOBAL && (!b.isRootFrame() || dict != frame.globals))) {
        return false;
    }
    if (in.opcode == LOAD_NAME) {
        return loadNamed(b, dict, key, in);
    }
    if (!storeName(b, dict, key)) {
        return false;
    }
    b.state().frame().unit = in.next;
    return true;
}

void leaveToDict(RegionBuilder& b, AbstractValue& value, bool atEnd) {
    if (!value.isReference() || value.held) {
        return;
    }
    value.held = true;  // first: nobody passes a reference to this entry
    if (!std::exchange(value.owned, false) || transferOwnership(b.state(), value.value)) {
        return;
    }
    if (atEnd) {
        letGo(b, value.value);
    } else {
        b.emit(ir::Op::k_decref_held, {value.value});
    }
}

void prepareNames(RegionBuilder& b) {
    const BytecodeLoop* loop = b.request().isFunction ? nullptr : b.bytecode().loopAt(b.request().unit);
    for (const BytecodeInstruction& in : b.bytecode().instructions()) {
        bool stores = in.opcode == STORE_GLOBAL || (in.opcode == STORE_NAME && b.request().locals != nullptr);
        if (stores && loop != nullptr && loop->mayRun(in)) {
            PyObject* key = PyTuple_GET_ITEM(b.request().code->co_names, in.oparg);
            b.knowledge().variableNames.insert(
                {in.opcode == STORE_GLOBAL ? b.request().globals : b.request().locals, key});
        }
    }
    std::vector<AbstractName> entered;
    for (const auto& [dict, key] : b.knowledge().variableNames) {
        AbstractName name{.name = nameIndex(b, dict, key)};
        PyObject* current = PyDict_GetItemWithError(dict, key);
        Id object = b.emit(ir::Op::k_load_name, {}, name.name);
        if (current == nullptr) {
            b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_is_null, {object})}, ExitReason::k_entry);
        } else {
            name.value = kindOf(current);
            name.value.parts.clear();
            if (name.value.isVirtual()) {
                name.value = AbstractValue::object(ir::kNoId, nullptr, false);
            }
            enterObject(b, object, name.value);
            if (name.value.kind == Kind::kNone) {
                name.value = AbstractValue::none();
            }
            name.value.held = name.value.kind == Kind::kObject;
            name.dictHoldsObject = name.value.held && !isScalarClass(name.value.cls);
            name.dirty = !name.value.held;
        }
        entered.push_back(std::move(name));
    }
    b.state().names = std::move(entered);
    std::set<const void*> dicts;
    for (const AbstractName& name : b.state().names) {
        if (dicts.insert(b.result().region.nameDicts[name.name]).second) {
            Id version = b.emit(ir::Op::k_names_version, {}, name.name);
            b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ne, {version, b.constInt(0)})},
                          ExitReason::k_entry);
        }
    }
    // Only now: an entry guard that fails must leave nothing behind.
    std::vector<AbstractName> lent;
    for (AbstractName& name : b.state().names) {
        AbstractValue& value = name.value;
        if (value.hasIdentity()) {
            lent.push_back({.name = name.name, .lent = true, .value = AbstractValue::object(value.box, value.knownClass(), false)});
            own(b, lent.back().value);
            value.box = b.emit(ir::Op::k_lend_box, {value.box});
            value.owned = value.mayLackBox = true;
        } else {
            own(b, value);
        }
    }
    b.state().names.insert(b.state().names.end(), lent.begin(), lent.end());
}

}  // namespace kiln
