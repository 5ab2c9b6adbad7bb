// Dicts, sets, lists and strings that are made of values, or filled with them, without Python code.
#include <opcode.h>

#include "jit/frontend/region_builder.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

bool isText(const AbstractValue& value) {
    return value.knownClass() == &PyUnicode_Type;
}

}  // namespace

bool RegionBuilder::plainBuild(const BytecodeInstruction& in) {
    if (siteOf(in).generic) {
        return false;
    }
    switch (in.opcode) {
        case LIST_EXTEND: case SET_UPDATE: return plainExtend(in);
        case SET_ADD: case MAP_ADD: return plainAdd(in);
        case BUILD_MAP: return in.oparg > 0 && plainMake(in, Helper::k_plain_map, 2 * in.oparg, &PyDict_Type, 2);
        case BUILD_SET: return plainMake(in, Helper::k_plain_set, in.oparg, &PySet_Type, 1);
        case FORMAT_VALUE: return plainFormat(in);
        case BUILD_STRING: return plainJoin(in);
        default: return false;
    }
}

// The items of the top entry go into the container `oparg` entries under it. The container is new: nobody else has it.
bool RegionBuilder::plainExtend(const BytecodeInstruction& in) {
    bool list = in.opcode == LIST_EXTEND;
    PyTypeObject* wanted = list ? &PyList_Type : &PySet_Type;
    const AbstractValue& container = top(in.oparg);
    PyTypeObject* cls = top().knownClass();
    bool isSequence = cls == &PyList_Type || cls == &PyTuple_Type;
    bool isSet = cls == &PySet_Type || cls == &PyFrozenSet_Type;
    if (container.kind != Kind::kObject || container.cls != wanted || !(isSet || (list && isSequence))) {
        return false;
    }
    Id target = container.value;
    changePlain(list ? Helper::k_plain_extend : Helper::k_plain_set_update, {target, boxEntry(0)});
    releaseTop(1);
    state_.frame().unit = in.next;
    return true;
}

// Of a comprehension.
bool RegionBuilder::plainAdd(const BytecodeInstruction& in) {
    bool map = in.opcode == MAP_ADD;
    const AbstractValue& container = top(in.oparg + map);
    PyTypeObject* wanted = map ? &PyDict_Type : &PySet_Type;
    if (container.kind != Kind::kObject || container.cls != wanted || siteOf(in).runsFinalisers) {
        return false;
    }
    Id target = container.value;
    if (!map) {
        changePlain(Helper::k_plain_set_add, {target, boxEntry(0)});
        releaseTop(1);
    } else {
        Id key = boxEntry(1);
        changePlain(Helper::k_plain_set_item, {boxEntry(0), target, key});
        releaseHeld(pop());
        releaseTop(1);
    }
    state_.frame().unit = in.next;
    return true;
}

// Every `step`-th of the items is a key or member.
bool RegionBuilder::plainMake(const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls, int step) {
    for (int below = step - 1; below < items; below += step) {
        PyTypeObject* known = top(below).knownClass();
        bool foreign = known != nullptr && (isProgramClass(known) || known == &PyList_Type || known == &PyDict_Type || known == &PySet_Type);
        if (foreign || isVirtualIterator(top(below))) {
            return false;
        }
    }
    std::vector<Id> operands;
    boxTop(items, operands);
    Id made = makePlain(helper, std::move(operands));
    for (int item = 0; item < items; item++) {
        releaseHeld(pop());  // by what was made
    }
    pushResult(made, true, cls, in, in.next);
    return true;
}

bool RegionBuilder::plainFormat(const BytecodeInstruction& in) {
    constexpr int kRepresent = 2;
    constexpr int kAscii = 3;
    int conversion = in.oparg & 3;
    bool hasFormat = (in.oparg & 4) != 0;
    const AbstractValue& value = top(hasFormat);
    PyTypeObject* cls = value.knownClass();
    bool known = cls == &PyFloat_Type || cls == &PyUnicode_Type || (!hasFormat && (value.isIntLike() || value.kind == Kind::kNone));
    if (!known || conversion == kAscii || (hasFormat && (conversion != 0 || !isText(top())))) {
        return false;
    }
    if (!hasFormat && conversion != kRepresent && isText(value)) {
        state_.frame().unit = in.next;
        return true;
    }
    Id made;
    if (hasFormat) {
        Id object = boxEntry(1);
        made = makePlain(Helper::k_plain_format, {object, boxEntry(0)});
    } else if (value.isInt()) {
        made = makePlain(Helper::k_plain_decimal, {value.value});
    } else {
        made = makePlain(Helper::k_plain_text, {boxEntry(0), constInt(conversion == kRepresent)});
    }
    releaseTop(1 + hasFormat);
    pushResult(made, true, &PyUnicode_Type, in, in.next);
    return true;
}

bool RegionBuilder::plainJoin(const BytecodeInstruction& in) {
    for (int below = 0; below < in.oparg; below++) {
        if (!isText(top(below))) {
            return false;
        }
    }
    std::vector<Id> operands;
    boxTop(in.oparg, operands);
    Id made = makePlain(Helper::k_plain_join, std::move(operands));
    releaseTop(in.oparg);
    pushResult(made, true, &PyUnicode_Type, in, in.next);
    return true;
}

}  // namespace kiln
