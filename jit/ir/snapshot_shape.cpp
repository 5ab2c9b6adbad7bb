// What each kind of slot source must look like.
#include "jit/ir/snapshot_shape.h"

#include <algorithm>
#include <utility>

#include "jit/ir/text.h"

namespace kiln::ir {

namespace {

bool isIterator(SlotKind kind) {
    return kind == SlotKind::kRangeIterator || kind == SlotKind::kListIterator || kind == SlotKind::kEnumerate ||
           kind == SlotKind::kZip || kind == SlotKind::kGenerator;
}

Type typeOf(const Region& region, const SlotSource& source) {
    return source.kind == SlotKind::kValue ? region.valueTypes[source.value] : Type::kObject;
}

bool isNumber(Type type) {
    return type == Type::kInt || type == Type::kFloat;
}

bool isInt(const Region& region, const SlotSource& source) {
    return typeOf(region, source) == Type::kInt;
}

// A source of an object that exists or is made, and never NULL.
bool isObject(const Region& region, const SlotSource& source) {
    return source.kind != SlotKind::kNull && typeOf(region, source) == Type::kObject;
}

// nullptr when they are what its kind wants.
const char* problemOfParts(const Region& region, const SlotSource& source) {
    const auto& parts = source.parts;
    const auto isItem = [](const SlotSource& part) { return part.kind != SlotKind::kNull; };
    const auto integer = [&](const SlotSource& part) { return isInt(region, part); };
    const auto object = [&](const SlotSource& part) { return isObject(region, part); };
    switch (source.kind) {
    case SlotKind::kScalar:
        return parts.size() == 1 && parts[0].kind == SlotKind::kValue && typeOf(region, parts[0]) != Type::kObject ? nullptr : "a scalar wants its value";
    case SlotKind::kView:
        return parts.size() >= 4 && parts.size() % 2 == 0 && object(parts[0]) && std::all_of(parts.begin() + 1, parts.end(), integer)
                   ? nullptr
                   : "a view wants an array, an address, and a length and a stride for each dimension";
    case SlotKind::kComplex:
        return parts.size() == 2 && typeOf(region, parts[0]) == Type::kFloat && typeOf(region, parts[1]) == Type::kFloat ? nullptr : "a complex wants two floats";
    case SlotKind::kTuple: case SlotKind::kList: return std::all_of(parts.begin(), parts.end(), isItem) ? nullptr : "a tuple or list has no NULL item";
    case SlotKind::kSlice:
        return parts.size() == 3 && std::all_of(parts.begin(), parts.end(), isItem) ? nullptr : "a slice wants start, stop, step";
    case SlotKind::kMethod: return parts.size() == 2 && object(parts[0]) && object(parts[1]) ? nullptr : "a bound method wants a function and an instance";
    case SlotKind::kInstance: return nullptr;
    case SlotKind::kKeywords:
        return !parts.empty() && parts[0].kind == SlotKind::kConstant && std::all_of(parts.begin(), parts.end(), isItem)
                   ? nullptr
                   : "keywords want a constant tuple of names, and no NULL";
    case SlotKind::kZip: return std::all_of(parts.begin(), parts.end(), object) ? nullptr : "a zip wants iterators";
    case SlotKind::kRangeIterator:
        return (parts.size() == 2 || parts.size() == 3) && std::all_of(parts.begin(), parts.end(), integer)
                   ? nullptr
                   : "a range iterator wants ints: next, stop or next, remaining, step";
    case SlotKind::kRange:
        return parts.size() == 3 && std::all_of(parts.begin(), parts.end(), isItem) ? nullptr
                   : "a range wants start, stop, step";
    case SlotKind::kListIterator:
        return parts.size() == 2 && isObject(region, parts[0]) && isInt(region, parts[1])
                   ? nullptr
                   : "a list iterator wants a list and an int index";
    case SlotKind::kEnumerate:
        return parts.size() == 2 && isInt(region, parts[0]) && isObject(region, parts[1])
                   ? nullptr
                   : "an enumerate wants an int index and an iterator";
    case SlotKind::kGenerator: return parts.empty() || object(parts[0]) ? nullptr : "a generator that waits wants its function first";
    case SlotKind::kNumber:
        return parts.size() == 1 && parts[0].kind == SlotKind::kValue && isNumber(typeOf(region, parts[0])) ? nullptr : "a number wants its value";
    case SlotKind::kAny: return parts.size() == 1 && isInt(region, parts[0]) ? nullptr : "what may be anything wants the bits of a number";
    default: return parts.empty() ? nullptr : "a source of this kind has no parts";
    }
}

// Says in `problem` what is wrong.
bool checkSource(const Region& region, const SlotSource& source, std::string& problem) {
    const auto fail = [&](std::string what) {
        problem = std::move(what);
        return false;
    };
    const bool hasValue = source.value != kNoId;
    const bool hasBox = source.kind == SlotKind::kNumber || source.kind == SlotKind::kAny;
    if ((source.kind == SlotKind::kValue || hasBox) && !hasValue) {
        return fail("a value source names no value");
    }
    if (hasValue && source.kind != SlotKind::kValue && !hasBox && !isIterator(source.kind)) {
        return fail("only values, numbers and iterators name a value");
    }
    if (hasValue && (source.value < 0 || static_cast<size_t>(source.value) >= region.valueTypes.size())) {
        return fail(numbered("v", source.value) + " is no value of the region");
    }
    const Type type = hasValue ? region.valueTypes[source.value] : Type::kNone;
    if ((isIterator(source.kind) || hasBox) && hasValue && type != Type::kObject) {
        return fail(numbered("the existing object v", source.value) + " is none");
    }
    if (source.owned && type != Type::kObject) {
        return fail("owns something that is no object value");
    }
    if (source.home && !isIterator(source.kind)) {
        return fail("only iterators update an object in its home");
    }
    const bool isNew = source.kind == SlotKind::kTuple || source.kind == SlotKind::kRange || source.kind == SlotKind::kScalar ||
                       source.kind == SlotKind::kView || source.kind == SlotKind::kComplex || source.kind == SlotKind::kSlice ||
                       source.kind == SlotKind::kMethod || source.kind == SlotKind::kInstance ||
                       source.kind == SlotKind::kList || source.kind == SlotKind::kKeywords;
    if (source.identity != 0 && !isNew) {
        return fail("only tuples, slices, methods, instances, lists, keywords, ranges, complex numbers, scalars and views are shared by identity");
    }
    const bool namesObject = source.kind == SlotKind::kConstant || source.kind == SlotKind::kScalar ||
                             source.kind == SlotKind::kComplex || source.kind == SlotKind::kView || source.kind == SlotKind::kInstance;
    if (namesObject != (source.constant != kNoId)) {
        return fail("constants, scalars, complex numbers, instances and views name an object of the table, other sources none");
    }
    if (source.constant != kNoId &&
        (source.constant < 0 || static_cast<size_t>(source.constant) >= region.objects.size())) {
        return fail(numbered("const ", source.constant) + " is not in the object table");
    }
    for (const SlotSource& part : source.parts) {
        if (part.kind == SlotKind::kHome) {
            return fail("'home' cannot be part of something");
        }
        if (!checkSource(region, part, problem)) {
            return false;
        }
    }
    const char* ofParts = problemOfParts(region, source);
    return ofParts == nullptr || fail(ofParts);
}

std::string checkName(const Region& region, const NameSource& name, std::vector<bool>& seen) {
    if (name.name < 0 || static_cast<size_t>(name.name) >= region.names.size()) {
        return " is not in the name table";
    }
    if (seen[name.name] && name.write) {
        return " is restored twice";
    }
    seen[name.name] = true;
    if (name.source.kind == SlotKind::kHome) {
        return ": 'home' restores nothing";
    }
    std::string problem;
    return checkSource(region, name.source, problem) ? "" : ": " + problem;
}

std::string checkNames(const Region& region, const Snapshot& snapshot) {
    std::vector<bool> seen(region.names.size());
    for (const NameSource& name : snapshot.names) {
        if (std::string problem = checkName(region, name, seen); !problem.empty()) {
            return numbered("name ", name.name) + problem;
        }
    }
    return "";
}

std::string checkFrame(const Region& region, const FrameSnapshot& frame) {
    if (frame.code < 0 || static_cast<size_t>(frame.code) >= region.codes.size()) {
        return numbered(": code ", frame.code) + " is not in the code table";
    }
    std::string problem;
    if (!checkSource(region, frame.function, problem)) {
        return ", function: " + problem;
    }
    if (frame.unit < 0) {
        return numbered(": unit ", frame.unit) + " is negative";
    }
    for (size_t slot = 0; slot < frame.slots.size(); ++slot) {
        if (!checkSource(region, frame.slots[slot], problem)) {
            return numbered(", slot ", slot) + ": " + problem;
        }
    }
    return "";
}

}  // namespace

std::string checkSnapshotShape(const Region& region, const Snapshot& snapshot, std::vector<bool>& goodFrames) {
    if (snapshot.frames.empty()) {
        return "has no frame";
    }
    if (snapshot.failure == Failure::kDiscarded && static_cast<size_t>(snapshot.discarded) >= region.objects.size()) {
        return numbered("object ", snapshot.discarded) + " is not in the object table";
    }
    for (size_t depth = 0; depth < snapshot.frames.size(); ++depth) {
        const auto frame = static_cast<size_t>(snapshot.frames[depth]);
        if (frame >= region.frames.size()) {
            return numbered("frame at depth ", depth) + numbered(": frame ", snapshot.frames[depth]) + " does not exist";
        }
        if (goodFrames[frame]) {
            continue;
        }
        if (std::string problem = checkFrame(region, region.frames[frame]); !problem.empty()) {
            return numbered("frame at depth ", depth) + problem;
        }
        goodFrames[frame] = true;
    }
    return checkNames(region, snapshot);
}

}  // namespace kiln::ir
