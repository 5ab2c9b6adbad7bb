// Dicts, sets, lists and strings that are made of values, or filled with them, without Python code.
#include "jit/frontend/build_plain_containers.h"

#include <opcode.h>

#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

bool isText(const AbstractValue& value) {
    return value.knownClass() == &PyUnicode_Type;
}

// The items of the top entry go into the container `oparg` entries under it. The container is new: nobody else has it.
bool plainExtend(RegionBuilder& b, const BytecodeInstruction& in) {
    bool list = in.opcode == LIST_EXTEND;
    PyTypeObject* wanted = list ? &PyList_Type : &PySet_Type;
    const AbstractValue& container = b.top(in.oparg);
    PyTypeObject* cls = b.top().knownClass();
    bool isSequence = cls == &PyList_Type || cls == &PyTuple_Type;
    bool isSet = cls == &PySet_Type || cls == &PyFrozenSet_Type;
    if (container.kind != Kind::kObject || container.cls != wanted || !(isSet || (list && isSequence))) {
        return false;
    }
    Id target = container.value;
    changePlain(b, list ? Helper::k_plain_extend : Helper::k_plain_set_update, {target, boxEntry(b, 0)});
    releaseTop(b, 1);
    b.state().frame().unit = in.next;
    return true;
}

// Of a comprehension.
bool plainAdd(RegionBuilder& b, const BytecodeInstruction& in) {
    bool map = in.opcode == MAP_ADD;
    const AbstractValue& container = b.top(in.oparg + map);
    PyTypeObject* wanted = map ? &PyDict_Type : &PySet_Type;
    if (container.kind != Kind::kObject || container.cls != wanted || b.siteOf(in).runsFinalisers) {
        return false;
    }
    Id target = container.value;
    if (!map) {
        changePlain(b, Helper::k_plain_set_add, {target, boxEntry(b, 0)});
        releaseTop(b, 1);
    } else {
        Id key = boxEntry(b, 1);
        changePlain(b, Helper::k_plain_set_item, {boxEntry(b, 0), target, key});
        releaseHeld(b, b.pop());
        releaseTop(b, 1);
    }
    b.state().frame().unit = in.next;
    return true;
}

// Every `step`-th of the items is a key or member.
bool plainMake(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls, int step) {
    for (int below = step - 1; below < items; below += step) {
        PyTypeObject* known = b.top(below).knownClass();
        bool foreign = known != nullptr && (isProgramClass(known) || known == &PyList_Type || known == &PyDict_Type || known == &PySet_Type);
        if (foreign || isVirtualIterator(b.top(below))) {
            return false;
        }
    }
    ir::Operands operands;
    boxTop(b, items, operands);
    Id made = makePlain(b, helper, std::move(operands));
    for (int item = 0; item < items; item++) {
        releaseHeld(b, b.pop());  // by what was made
    }
    pushResult(b, made, true, cls, in, in.next);
    return true;
}

bool plainFormat(RegionBuilder& b, const BytecodeInstruction& in) {
    constexpr int kRepresent = 2;
    constexpr int kAscii = 3;
    int conversion = in.oparg & 3;
    bool hasFormat = (in.oparg & 4) != 0;
    const AbstractValue& value = b.top(hasFormat);
    PyTypeObject* cls = value.knownClass();
    bool known = cls == &PyFloat_Type || cls == &PyUnicode_Type || (!hasFormat && (value.isIntLike() || value.kind == Kind::kNone));
    if (!known || conversion == kAscii || (hasFormat && (conversion != 0 || !isText(b.top())))) {
        return false;
    }
    if (!hasFormat && conversion != kRepresent && isText(value)) {
        b.state().frame().unit = in.next;
        return true;
    }
    Id made;
    if (hasFormat) {
        Id object = boxEntry(b, 1);
        made = makePlain(b, Helper::k_plain_format, {object, boxEntry(b, 0)});
    } else if (value.isInt()) {
        made = makePlain(b, Helper::k_plain_decimal, {value.value});
    } else {
        made = makePlain(b, Helper::k_plain_text, {boxEntry(b, 0), b.constInt(conversion == kRepresent)});
    }
    releaseTop(b, 1 + hasFormat);
    pushResult(b, made, true, &PyUnicode_Type, in, in.next);
    return true;
}

bool plainJoin(RegionBuilder& b, const BytecodeInstruction& in) {
    for (int below = 0; below < in.oparg; below++) {
        if (!isText(b.top(below))) {
            return false;
        }
    }
    ir::Operands operands;
    boxTop(b, in.oparg, operands);
    Id made = makePlain(b, Helper::k_plain_join, std::move(operands));
    releaseTop(b, in.oparg);
    pushResult(b, made, true, &PyUnicode_Type, in, in.next);
    return true;
}

}  // namespace

bool plainBuild(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.siteOf(in).generic) {
        return false;
    }
    switch (in.opcode) {
        case LIST_EXTEND: case SET_UPDATE: return plainExtend(b, in);
        case SET_ADD: case MAP_ADD: return plainAdd(b, in);
        case BUILD_MAP: return in.oparg > 0 && plainMake(b, in, Helper::k_plain_map, 2 * in.oparg, &PyDict_Type, 2);
        case BUILD_SET: return plainMake(b, in, Helper::k_plain_set, in.oparg, &PySet_Type, 1);
        case FORMAT_VALUE: return plainFormat(b, in);
        case BUILD_STRING: return plainJoin(b, in);
        default: return false;
    }
}

}  // namespace kiln
