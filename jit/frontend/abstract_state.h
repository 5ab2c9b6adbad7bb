// What the region builder knows about the interpreter's state at one point: every slot of every frame, as IR values.
//
// Ownership: an object value is `owned` when this entry holds a reference, `home` when the root frame's memory holds it
// for the whole region, `held` when a namespace's dict holds it (a namespace variable's entry: whoever runs Python code asks
// afterwards whether the dict is as it was). An entry that is neither is an alias of one that is.
//
// Identity: an int or float has its bare value, and beside it the object that it is, if it is one already: `box`, owned like an
// object, or `constant`. One that was computed gets its object when it first needs one (see number_identity.cpp).
#pragma once

#include <Python.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interp/numpy_elements.h"
#include "jit/frontend/state_key.h"
#include "jit/ir/region.h"

namespace kiln {

enum class Kind : uint8_t {
    kNull,         // unbound, or the NULL below a callable
    kInt,          // unboxed 64-bit int
    kFloat,
    kBool,
    kNone,
    kObject,       // a reference; cls when its exact class is known
    kConstant,     // this very object; value: that of an entry that owns it, or is an alias of one that does
    kAny,          // a local that is not read any more: whatever it is. box: see SlotKind::kAny; value: the bits of a number
    kTuple,        // virtual: parts are the items
    kSlice,        // virtual: parts start, stop, step
    kMethod,       // virtual: a bound method; parts: its function, of kind kConstant, and the instance
    kInstance,     // virtual: an instance of class cls, the program's, that nobody else has; parts: its attributes by their places, kNull for none
    kList,         // virtual: a list that the arguments of a call are collected in, which nobody else sees; parts: the items
    kKeywords,     // virtual: the dict of a call's keywords; parts: the tuple of their names, of kind kConstant, and the values
    kFlat,         // virtual: `flat` of a NumPy array in C order; parts: what its class has for that attribute, of kind kConstant, and the array
    kView,         // virtual: a view of a NumPy array, of layout `array`; parts: the array, where its first element lies, lengths, strides
    kScalar,       // virtual: a NumPy scalar of class cls; part: its value, of kind kInt, kFloat (float32 too) or kBool
    kComplex,      // virtual: a complex number of class cls, Python's or NumPy's; parts its real and its imaginary part, of kind kFloat
    kRange,        // virtual: parts start, stop, step; `step` when it is a known constant
    kRangeIter,    // virtual: parts next, stop (step 1) or next, remaining, step; value: the existing iterator
    kListIter,     // virtual: parts list, index; value: the existing iterator
    kTupleIter,    // likewise over a tuple
    kArrayIter,    // likewise over a NumPy array
    kBufferIter,   // likewise over bytes, a bytearray, an array of the module `array` or a memoryview
    kEnumerate,    // virtual: parts index, inner iterator
    kZip,          // virtual: parts are the inner iterators
    kGenerator,    // virtual: parts its function and the slots of its frame, which waits at `unit`; none while that is a frame of the
                   // state. value: the existing generator, of which the frame was taken
};

// Iterators that a virtual zip holds at most: each costs several guards and values.
inline constexpr int kMostZipped = 6;

struct Callee;

struct AbstractValue {
    Kind kind = Kind::kNull;
    bool owned = false;
    bool home = false;
    bool held = false;
    bool unitStep = false; // kRange: its step is 1
    bool nonNegative = false;  // kRangeIter at the entry: its next value is expected to be
    bool mayLackBox = false;  // kInt, kFloat: `box` may be none, where the number has not needed an object yet
    int unit = 0;          // kGenerator: of the instruction that it waits at
    const Callee* callee = nullptr;  // kGenerator: what its function runs
    int slot = -1;         // home: the root frame's slot; -1: somebody else holds it for the whole region
    int identity = 0;      // kTuple, kSlice, kMethod, kInstance, kList, kKeywords, kFlat, kRange, kView, kScalar, kComplex: the entries that are one object have the same
    int forgotten = 0;     // kInt, kFloat: which object it is is not known any more; where that was forgotten, or kNobodyAsks.
                           // kScalar, kComplex: which other entries are this object
    ir::ValueId value = ir::kNoId;
    ir::ValueId box = ir::kNoId;
    PyTypeObject* cls = nullptr;
    PyObject* constant = nullptr;
    ArrayLayout array;      // kObject: of an ndarray; `box` is what guard_array gave then. Until foreign code runs. kView: its own. kArrayIter, kBufferIter: what to guard
    std::vector<AbstractValue> parts;

    static AbstractValue null() { return {}; }
    static AbstractValue number(Kind kind, ir::ValueId value) { return {.kind = kind, .value = value}; }
    // A number in a virtual object, of which nobody asks which object it is.
    static AbstractValue part(Kind kind, ir::ValueId value) { return {.kind = kind, .forgotten = kNobodyAsks, .value = value}; }
    static AbstractValue none() { return {.kind = Kind::kNone}; }
    static AbstractValue object(ir::ValueId value, PyTypeObject* cls, bool owned) {
        return {.kind = Kind::kObject, .owned = owned, .value = value, .cls = cls};
    }
    static AbstractValue constantObject(PyObject* object) { return {.kind = Kind::kConstant, .constant = object}; }

    static constexpr int kNobodyAsks = -1;

    bool isInt() const { return kind == Kind::kInt; }
    bool isFloat() const { return kind == Kind::kFloat; }
    bool isBool() const { return kind == Kind::kBool; }
    bool isIntLike() const { return isInt() || isBool(); }
    bool isNumber() const { return isInt() || isFloat() || isBool(); }
    // A number that is some object, which is known or can be told from others.
    bool hasIdentity() const { return (isInt() || isFloat()) && forgotten == 0; }
    // The slot of the root frame holds it.
    bool isInFrame() const { return home && slot >= 0; }
    bool isVirtual() const { return kind >= Kind::kTuple; }
    // An object that entries may own.
    bool isReference() const { return kind == Kind::kObject || (kind == Kind::kConstant && value != ir::kNoId); }
    // Virtual, and its identity can be asked for.
    bool isVirtualObject() const { return hasItems() || kind == Kind::kRange || isShareable(); }
    // Virtual, and its parts are objects that somebody may ask for.
    bool hasItems() const { return kind == Kind::kTuple || kind == Kind::kSlice || kind == Kind::kMethod || kind == Kind::kFlat || kind == Kind::kInstance || kind == Kind::kList || kind == Kind::kKeywords; }
    // Virtual, and several entries may be this one object for long.
    bool isShareable() const { return isVirtualNumber() || kind == Kind::kView || kind == Kind::kInstance; }
    // Virtual, and small enough to be carried from place to place as it is.
    bool isVirtualNumber() const { return kind == Kind::kScalar || kind == Kind::kComplex; }
    bool isScalar() const { return kind == Kind::kScalar; }
    // The exact class when it is known without running anything; nullptr otherwise.
    PyTypeObject* knownClass() const;
};

struct AbstractFrame {
    AbstractValue callee;                  // the function of an inlined callee
    PyCodeObject* code = nullptr;
    PyObject* globals = nullptr;
    PyObject* builtins = nullptr;
    int unit = 0;
    ResultUse use = ResultUse::k_value;    // of an inlined callee's result, and
    int detail = ir::kNoId;                // more of that: see FrameSnapshot; of k_operator in `text`
    PyObject* text = nullptr;              // of the TypeError for NotImplemented
    int exhausted = -1;                    // runs the generator on top of its caller's stack: where the caller goes on at its end
    Consumer consumer = Consumer::kLoop;   // of the generator's items: see FrameSnapshot
    bool resultSeen = true;                // which object it returns may be seen
    int localCount = 0;                    // locals, cells and free variables; the operand stack follows in `slots`
    std::vector<AbstractValue> slots;
    // Of a frame that waits, until it is changed: what stands for it in snapshots, and whether blocks may rely on it as it is (settle()).
    mutable ir::FrameId saved = ir::kNoId;
    mutable bool isSettled = false;

    AbstractValue& top(int below = 0) { return slots[slots.size() - 1 - below]; }
    const AbstractValue& top(int below = 0) const { return slots[slots.size() - 1 - below]; }
    int depth() const { return static_cast<int>(slots.size()) - localCount; }
};

// A namespace variable held in the region: see NameSource.
struct AbstractName {
    int name = 0;
    bool dirty = false;       // the dict does not have the value yet
    bool dictHoldsObject = false;
    bool lent = false;        // no variable: the object that the variable was at first, which its box may still be
    AbstractValue value;
};

// The frames of a state, outermost first. Copies share the frames that wait for a callee, until one is changed; the innermost, which each
// instruction changes, each has for itself.
class AbstractFrames {
   public:
    AbstractFrames() = default;
    AbstractFrames(const AbstractFrames& other) : frames_(other.frames_) { ownInnermost(); }
    AbstractFrames(AbstractFrames&&) = default;
    AbstractFrames& operator=(const AbstractFrames& other);
    AbstractFrames& operator=(AbstractFrames&&) = default;
    ~AbstractFrames() = default;

    size_t size() const { return frames_.size(); }
    bool empty() const { return frames_.empty(); }
    const AbstractFrame& operator[](size_t index) const { return *frames_[index]; }
    const AbstractFrame& back() const { return *frames_.back(); }
    AbstractFrame& back() { return changed(*frames_.back()); }
    // To be written to: the other states' stays what it is.
    AbstractFrame& change(size_t index);
    void push_back(AbstractFrame frame);
    AbstractFrame take();
    void pop_back();

   private:
    static AbstractFrame& changed(AbstractFrame& frame) {
        frame.saved = ir::kNoId;
        frame.isSettled = false;
        return frame;
    }
    void ownInnermost() {
        if (!frames_.empty() && frames_.back().use_count() > 1) {
            frames_.back() = std::make_shared<AbstractFrame>(*frames_.back());
        }
    }

    std::vector<std::shared_ptr<AbstractFrame>> frames_;
};

struct AbstractState {
    AbstractFrames frames;
    std::vector<AbstractName> names;

    AbstractFrame& frame() { return frames.back(); }
    const AbstractFrame& frame() const { return frames.back(); }
};

// How an object that exists now would be held: as what it is. Borrows; the values are not set.
AbstractValue kindOf(PyObject* object);
// Two states with equal keys differ only in their SSA values: they share a block.
// `bare`: locals, in their order, of which it does not matter what they are.
StateKey stateKey(const AbstractState& state, const std::vector<const AbstractValue*>& bare = {});
// The same of one entry.
StateKey entryKey(const AbstractValue& value);
// The part of the key that names the place: frames, code and units, not the classes.
StateKey placeKey(const AbstractState& state);
template <typename Value, typename Visit>
void visitEntry(Value& value, const Visit& visit) {
    visit(value);
    for (auto& part : value.parts) {
        visitEntry(part, visit);
    }
}

template <typename Frame, typename Visit>
void visitFrame(Frame& frame, const Visit& visit) {
    visitEntry(frame.callee, visit);
    for (auto& slot : frame.slots) {
        visitEntry(slot, visit);
    }
}

// Calls visit(const AbstractValue&) for each entry of the state, virtual parts included, in one fixed order.
template <typename Visit>
void forEachEntry(const AbstractState& state, const Visit& visit) {
    for (size_t index = 0; index < state.frames.size(); index++) {
        visitFrame(state.frames[index], visit);
    }
    for (const AbstractName& name : state.names) {
        visitEntry(name.value, visit);
    }
}

// The same for writing: no frame is shared any more.
template <typename Visit>
void changeAllEntries(AbstractState& state, const Visit& visit) {
    for (size_t index = 0; index < state.frames.size(); index++) {
        visitFrame(state.frames.change(index), visit);
    }
    for (AbstractName& name : state.names) {
        visitEntry(name.value, visit);
    }
}

// Calls change(AbstractValue&) for each entry that `matches`, in the same order.
template <typename Matches, typename Change>
void changeEntries(AbstractState& state, const Matches& matches, const Change& change) {
    auto changeIt = [&](AbstractValue& value) {
        if (matches(std::as_const(value))) {
            change(value);
        }
    };
    for (size_t index = 0; index < state.frames.size(); index++) {
        bool isWanted = false;
        visitFrame(std::as_const(state).frames[index], [&](const AbstractValue& value) { isWanted = isWanted || matches(value); });
        if (isWanted) {
            visitFrame(state.frames.change(index), changeIt);
        }
    }
    for (AbstractName& name : state.names) {
        visitEntry(name.value, changeIt);
    }
}

}  // namespace kiln
