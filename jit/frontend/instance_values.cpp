#include "jit/frontend/instance_values.h"

#include <algorithm>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "interp/instance_classes.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// More than these would make each exit long.
constexpr size_t kMostAttributes = 16;

bool lieInInstance(const AttributeAccess& access) {
    return access.kind == AttributeKind::kValue || access.kind == AttributeKind::kMember;
}

// Of a value among the values, of a member behind the object's header.
size_t placeOf(const AttributeAccess& access) {
    int64_t first = access.kind == AttributeKind::kValue ? 0 : static_cast<int64_t>(sizeof(PyObject));
    return static_cast<size_t>(access.offset - first) / sizeof(PyObject*);
}

// What is stored holds no virtual objects that hold others, and nothing of the instance's own class: lists and trees of instances would grow
// for ever.
bool mayHold(const AbstractValue& value, PyTypeObject* cls) {
    auto nests = [&](const AbstractValue& part) { return part.hasItems(); };
    return !isVirtualIterator(value) && value.kind != Kind::kGenerator && !(value.kind == Kind::kInstance && value.cls == cls) &&
           std::ranges::none_of(value.parts, nests);
}

}  // namespace

bool mayBeVirtual(PyTypeObject* cls) {
    bool hasValues = kiln_type_has_values(cls);
    bool hasMembers = cls->tp_basicsize > static_cast<Py_ssize_t>(sizeof(PyObject));
    bool hasDict = cls->tp_dictoffset != 0 || PyType_HasFeature(cls, Py_TPFLAGS_MANAGED_DICT);
    return baseOfPlainInstances(cls) == &PyBaseObject_Type && cls->tp_itemsize == 0 && (hasValues ? !hasMembers : !hasDict);
}

AbstractValue virtualInstance(RegionBuilder& b, PyTypeObject* cls) {
    AbstractValue instance = virtualObject(b, Kind::kInstance, {});
    instance.cls = cls;
    return instance;
}

AbstractValue newInstance(RegionBuilder& b, PyTypeObject* cls, PyTypeObject* maker) {
    if (mayBeVirtual(cls)) {
        return virtualInstance(b, cls);
    }
    Id object = b.emit(ir::Op::k_pure_object,
                       {b.constObject(reinterpret_cast<PyObject*>(cls)), b.constObject(reinterpret_cast<PyObject*>(maker))},
                       static_cast<int64_t>(Helper::k_new_instance));
    return AbstractValue::object(object, cls, true);
}

bool loadPart(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access, bool method) {
    const std::vector<AbstractValue>& parts = b.top().parts;
    size_t place = lieInInstance(access) ? placeOf(access) : parts.size();
    if (place >= parts.size() || parts[place].kind == Kind::kNull) {
        return false;
    }
    AbstractValue owner = b.pop();
    AbstractValue value = copyOf(owner.parts[place]);
    if (method) {
        b.push(AbstractValue::null());
    }
    b.push(value);
    release(b, std::move(owner));
    b.state().frame().unit = in.next;
    if (value.kind == Kind::kObject && value.cls == nullptr) {
        refineTop(b, b.siteOf(in), in.next);
    }
    return true;
}

bool storePart(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access) {
    if (!lieInInstance(access) || placeOf(access) >= kMostAttributes) {
        return false;
    }
    size_t place = placeOf(access);
    const std::vector<AbstractValue>& parts = b.top().parts;
    // A dict of its values would have them in the order of their storing.
    bool isLate = access.kind == AttributeKind::kValue && place < parts.size() && parts[place].kind == Kind::kNull;
    if (!isLate && !mayHold(b.top(1), b.top().cls)) {
        boxEntry(b, 1);
    }
    if (isLate || b.top().kind != Kind::kInstance) {
        return false;
    }
    own(b, b.top(1));
    AbstractValue instance = b.pop();
    AbstractValue value = b.pop();
    std::vector<AbstractValue> displaced;
    auto isIt = [&](const AbstractValue& entry) { return entry.kind == Kind::kInstance && entry.identity == instance.identity; };
    auto set = [&](AbstractValue& entry) {
        entry.parts.resize(std::max(entry.parts.size(), place + 1));
        displaced.push_back(std::exchange(entry.parts[place], value));
        value = copyOf(value);
    };
    changeEntries(b.state(), isIt, set);
    set(instance);
    for (AbstractValue& old : displaced) {
        release(b, std::move(old));
    }
    release(b, std::move(instance));
    b.state().frame().unit = in.next;
    return true;
}

Id materializeInstance(RegionBuilder& b, const AbstractValue& value) {
    ir::Operands operands = {b.constObject(reinterpret_cast<PyObject*>(value.cls))};
    std::vector<Id> temporaries;
    for (const AbstractValue& part : value.parts) {
        bool fresh = false;
        operands.push_back(part.kind == Kind::kNull ? b.constInt(0) : boxed(b, part, fresh));
        if (fresh) {
            temporaries.push_back(operands.back());
        }
    }
    Id object = b.emitList(ir::Op::k_pure_object, operands, static_cast<int64_t>(Helper::k_build_instance));
    for (Id temporary : temporaries) {
        b.emit(ir::Op::k_decref_held, {temporary});
    }
    return object;
}

}  // namespace kiln
