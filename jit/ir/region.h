// A region: the control-flow graph of one root in SSA form. Plain data; blocks have parameters instead of phis.
//
// Values are numbered; each is defined once, by an instruction or as a block parameter. Ops that may leave the region name
// a snapshot: the interpreter state to restore. The IR knows no Python header: objects are entries of an opaque table.
#pragma once

#include <cstdint>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "interp/support/short_vector.h"
#include "jit/ir/ir_op.h"
#include "jit/ir/tables.h"

namespace kiln::ir {

using ValueId = int32_t;
using BlockId = int32_t;
using SnapshotId = int32_t;
using FrameId = int32_t;
inline constexpr int32_t kNoId = -1;
using Operands = ShortVector<ValueId>;

struct Instruction {
    Op op;
    Type type = Type::kNone;   // of the result
    ValueId result = kNoId;
    SnapshotId snapshot = kNoId;
    int32_t place = kNoId;     // where it comes from in the source, in a table of whoever made the region; kNoId: where those before it do
    int64_t immediate = 0;     // meaning by info(op).immediate; Float: the bits of the double
    Operands operands;
};

struct Target {
    BlockId block = kNoId;
    std::vector<ValueId> arguments;
};

struct Block {
    std::vector<ValueId> parameters;
    std::vector<Instruction> instructions;  // the last is the block's end
    std::vector<Target> targets;            // jump: one; branch: taken when true, then when false
    bool cold = false;
};

// How one interpreter slot is restored at an exit.
enum class SlotKind : uint8_t {
    kHome,      // the frame's memory holds it already
    kNull,      // unbound local, or the NULL below a callable
    kValue,     // a value: numbers are boxed; an object's reference is moved (owned) or copied
    kConstant,  // an object of the object table
    kNumber,    // value: the number's box (ir_ops.def); part: the number, boxed where it has none
    kAny,       // value: as kNumber's, or 3 of a float without one, or any object, or NULL; part: the bits of a number without one
    kScalar,    // part: the value of a NumPy scalar; constant: its class
    kTuple,     // parts: the items
    kSlice,     // parts: start, stop, step
    kMethod,    // parts: function, the instance that it is bound to; or a descriptor of C's that makes an object of the instance
    kList,      // parts: the items of a list that a call's arguments are collected in
    kKeywords,  // parts: a constant tuple of names, and as many values: the dict of a call's keywords
    kInstance,  // parts: the attributes of an instance of the program's, by their places, null for none; constant: its class
    kView,      // parts: a NumPy array, the address of a view's first element, its lengths, its strides; constant: its dtype
    kComplex,           // parts: its real and its imaginary part; constant: its class, NumPy's or Python's
    kRange,             // parts: start, stop, step
    kRangeIterator,     // parts: next, stop; or next, remaining, step. value: the iterator to update, if one exists
    kListIterator,      // parts: list or tuple, index; value: likewise
    kEnumerate,         // parts: index, inner iterator; value: likewise
    kZip,               // parts: inner iterators; value: likewise
    kGenerator,         // parts: its function and the slots of its frame, waiting at `unit`; none while its frame runs. value: likewise
};

struct SlotSource {
    SlotKind kind = SlotKind::kHome;
    bool owned = false;
    bool home = false;                // iterators: the frame's memory holds the existing object
    ValueId value = kNoId;            // kValue, kNumber, kAny; the existing object of an iterator
    int32_t constant = kNoId;         // index into the object table
    int32_t unit = 0;                 // kGenerator: of the instruction that it waits at
    int32_t identity = 0;             // kScalar, kComplex, kView, kTuple, kSlice, kMethod, kInstance, kList, kKeywords, kRange: sources of one snapshot with the same are one object; 0: by itself
    std::vector<SlotSource> parts;

    bool operator==(const SlotSource&) const = default;
};

struct FrameSnapshot {
    int32_t code = 0;                 // index into Region::codes
    SlotSource function = {};         // of an inlined callee: the function to push a frame for
    int32_t unit = 0;                 // code unit to run next
    int32_t exhausted = kNoId;        // runs a generator, which its caller has on top of its stack: where the caller goes on at its end
    Consumer consumer = Consumer::kLoop;  // of the generator's items. If no loop: the caller has its state below the generator, two entries
    ResultUse use = ResultUse::k_value;  // what its caller takes the result for, and
    int32_t detail = kNoId;           // more of that: see result_uses.def
    std::vector<SlotSource> slots;    // locals, cells, free variables, then the operand stack

    bool operator==(const FrameSnapshot&) const = default;
};

// A namespace variable whose value the region holds and the dict does not have yet.
struct NameSource {
    int32_t name = 0;                 // index into Region::names
    SlotSource source = {};
    bool write = true;                // else the dict has it, or what it had: only the region's reference is given up

    bool operator==(const NameSource&) const = default;
};

struct Snapshot {
    int32_t reason = 0;               // exit_reasons.def
    int32_t place = 0;                // where in the bytecode, in a table of whoever made the region
    bool raises = false;              // an exception is set: raise it at `unit` of the innermost frame
    Failure failure = Failure::kSeen;
    int32_t discarded = kNoId;        // kDiscarded: the class, an index into the object table
    std::vector<FrameId> frames;      // outermost first
    std::vector<NameSource> names;
};

struct Region {
    std::string name;                 // symbol: py::function:file:line
    bool isFunction = false;          // else a loop, entered on a live frame
    std::vector<Type> argumentTypes;  // of a function root: the parameters', then an object for each of
    std::vector<int> boxedParameters; // numbers that come with their boxes
    Type returnType = Type::kNone;    // of a function root
    std::vector<Type> valueTypes;     // by ValueId
    std::vector<Block> blocks;        // the first is the entry; a function's arguments are its parameters
    std::vector<Snapshot> snapshots;
    std::vector<FrameSnapshot> frames;    // of the snapshots, which share them: a frame that waits stands here once for all that leave from its callee
    std::vector<const void*> objects;     // kept alive by whoever made the region
    std::vector<std::string> objectNames; // for printing
    std::vector<const void*> codes;
    std::vector<std::string> codeNames;
    std::vector<std::string> names;       // namespace variables
    std::vector<const void*> nameDicts;   // their dicts, and
    std::vector<const void*> nameKeys;    // their keys

    ValueId newValue(Type type) {
        valueTypes.push_back(type);
        return static_cast<ValueId>(valueTypes.size()) - 1;
    }
    FrameId newFrame(FrameSnapshot frame) {
        frames.push_back(std::move(frame));
        return static_cast<FrameId>(frames.size()) - 1;
    }
    // What one snapshot has is to be changed for it alone: it gets a frame of its own.
    FrameSnapshot& ownFrame(FrameId& frame) {
        frame = newFrame(FrameSnapshot(frames[static_cast<size_t>(frame)]));
        return frames.back();
    }
    // The frames of a snapshot, outermost first.
    auto framesOf(const Snapshot& snapshot) const {
        return std::views::transform(snapshot.frames, [this](FrameId frame) -> const FrameSnapshot& { return frames[static_cast<size_t>(frame)]; });
    }
};

// Calls `visit(ValueId&)` for every value a slot source names, parts included.
template <typename Source, typename Visit>
void forEachValue(Source& source, const Visit& visit) {
    if (source.value != kNoId) {
        visit(source.value);
    }
    for (auto& part : source.parts) {
        forEachValue(part, visit);
    }
}

// Calls `visit(ValueId&)` for every value a frame keeps alive, its function's first.
template <typename Frame, typename Visit>
void forEachFrameValue(Frame& frame, const Visit& visit) {
    forEachValue(frame.function, visit);
    for (auto& slot : frame.slots) {
        forEachValue(slot, visit);
    }
}

// Calls `visit(ValueId)` for every value a snapshot keeps alive.
template <typename Visit>
void forEachSnapshotValue(const Region& region, const Snapshot& snapshot, const Visit& visit) {
    for (const FrameSnapshot& frame : region.framesOf(snapshot)) {
        forEachFrameValue(frame, visit);
    }
    for (const NameSource& name : snapshot.names) {
        forEachValue(name.source, visit);
    }
}

// The text form: see printer.cpp for the grammar.
std::string print(const Region& region);
// Reads print()'s text back. On a syntax error returns false with "line N: what" in `error`.
bool parse(const std::string& text, Region& region, std::string& error);
// Empty when the region is well formed, else what is wrong with it.
std::string verify(const Region& region);
// A block of a loop in which no block polls; kNoId when there is none. The region must be well formed.
BlockId findLoopWithoutPoll(const Region& region);
// Empty when foreign code can run only where the region is ready for it, else what is wrong. The region must be well formed.
std::string findUnguardedRelease(const Region& region);

}  // namespace kiln::ir
