// Side exits: from the values a snapshot names to the interpreter's frames, and on in the interpreter.
#include <algorithm>

#include "interp/config.h"
#include "interp/support/log.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/virtual_objects.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

// Reads a snapshot's values in the order in which compiled code stored them, and makes each box once.
class ExitValues {
   public:
    ExitValues(const ir::Region& region, const int64_t* words) : region_(region), next_(words) {}

    // A new reference, or nullptr for an unbound slot. Home slots must not be asked for.
    PyObject* make(const ir::SlotSource& source) {
        int64_t word = source.value != ir::kNoId ? *next_++ : 0;
        switch (source.kind) {
            case ir::SlotKind::kValue: return makeValue(source, word);
            case ir::SlotKind::kConstant:
                return Py_NewRef(static_cast<PyObject*>(const_cast<void*>(region_.objects[source.constant])));
            case ir::SlotKind::kNull: case ir::SlotKind::kHome: return nullptr;
            case ir::SlotKind::kTuple: return makeTuple(source);
            case ir::SlotKind::kRange: return makeRange(parts(source));
            case ir::SlotKind::kRangeIterator: return restoreRangeIterator(existing(source, word), parts(source));
            case ir::SlotKind::kListIterator: return makeListIterator(source, existing(source, word));
            case ir::SlotKind::kEnumerate: {
                int64_t index = *next_++;
                return makeEnumerate(index, make(source.parts[1]));
            }
            case ir::SlotKind::kZip: return makeZip(objects(source));
        }
        return nullptr;
    }

   private:
    static PyObject* existing(const ir::SlotSource& source, int64_t word) {
        auto* object = reinterpret_cast<PyObject*>(word);
        return source.value == ir::kNoId ? nullptr : source.owned ? object : Py_NewRef(object);
    }

    PyObject* makeValue(const ir::SlotSource& source, int64_t word) {
        ir::Type type = region_.valueTypes[source.value];
        if (type == ir::Type::kObject) {
            auto* object = reinterpret_cast<PyObject*>(word);
            return source.owned ? object : Py_XNewRef(object);
        }
        for (auto& [value, box] : boxes_) {
            if (value == source.value) {
                return Py_NewRef(box);
            }
        }
        PyObject* box = boxWord(type, word);
        boxes_.emplace_back(source.value, box);
        return box;
    }

    std::vector<PyObject*> objects(const ir::SlotSource& source) {
        std::vector<PyObject*> made;
        for (const ir::SlotSource& part : source.parts) {
            made.push_back(make(part));
        }
        return made;
    }

    std::vector<int64_t> parts(const ir::SlotSource& source) {
        std::vector<int64_t> words;
        for (size_t part = 0; part < source.parts.size(); part++) {
            words.push_back(*next_++);
        }
        return words;
    }

    PyObject* makeTuple(const ir::SlotSource& source) {
        PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(source.parts.size()));
        for (size_t part = 0; part < source.parts.size(); part++) {
            PyTuple_SET_ITEM(tuple, part, make(source.parts[part]));
        }
        return tuple;
    }

    PyObject* makeListIterator(const ir::SlotSource& source, PyObject* existingIterator) {
        PyObject* sequence = make(source.parts[0]);
        int64_t index = *next_++;
        return restoreListIterator(existingIterator, sequence, index);
    }

    const ir::Region& region_;
    const int64_t* next_;
    std::vector<std::pair<ir::ValueId, PyObject*>> boxes_;
};

// Fills a frame's slots. What the first `held` of them held before (boxes gone stale, or nothing) is released last; the
// memory above is free.
void restoreFrame(KilnFrame* frame, const ir::FrameSnapshot& snapshot, size_t held, ExitValues& values) {
    PyObject** slots = kiln_frame_slots(frame);
    std::vector<PyObject*> stale;
    for (size_t slot = 0; slot < snapshot.slots.size(); slot++) {
        const ir::SlotSource& source = snapshot.slots[slot];
        if (source.kind == ir::SlotKind::kHome) {
            continue;
        }
        PyObject* made = values.make(source);
        if (source.home) {
            Py_XDECREF(made);  // an iterator that the slot holds already, brought up to date
            continue;
        }
        if (slot < held) {
            stale.push_back(slots[slot]);
        }
        slots[slot] = made;
    }
    kiln_frame_set_stacktop(frame, static_cast<int>(snapshot.slots.size()));
    for (PyObject* object : stale) {
        Py_XDECREF(object);
    }
}

void restoreNames(CompiledRegion& region, const ir::Snapshot& snapshot, ExitValues& values) {
    PyObject* raised = PyErr_GetRaisedException();
    for (const ir::NameSource& name : snapshot.names) {
        PyObject* value = values.make(name.source);
        auto* dict = static_cast<PyObject*>(const_cast<void*>(region.region.nameDicts[name.name]));
        auto* key = static_cast<PyObject*>(const_cast<void*>(region.region.nameKeys[name.name]));
        if (name.write && (value == nullptr || PyDict_SetItem(dict, key, value) != 0)) {
            PyErr_Clear();
        }
        Py_XDECREF(value);
    }
    PyErr_SetRaisedException(raised);
}

PyFunctionObject* functionOf(const CompiledRegion& region, const ir::FrameSnapshot& frame) {
    return static_cast<PyFunctionObject*>(const_cast<void*>(region.region.objects[frame.function]));
}

// Pushes and fills the frames from index `first` on. The last one is the current frame afterwards.
std::vector<KilnFrame*> pushFrames(NativeContext* context, CompiledRegion& region, const ir::Snapshot& snapshot, size_t first,
                                   ExitValues& values) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    std::vector<KilnFrame*> frames;
    for (size_t index = first; index < snapshot.frames.size(); index++) {
        const ir::FrameSnapshot& source = snapshot.frames[index];
        KilnFrame* frame = kiln_frame_push(thread, functionOf(region, source));
        if (frame == nullptr) {
            Py_FatalError("kiln: no memory to restore the interpreter's frames");
        }
        restoreFrame(frame, source, static_cast<size_t>(kiln_frame_code(frame)->co_nlocalsplus), values);
        bool faulting = snapshot.raises && index + 1 == snapshot.frames.size();
        kiln_frame_set_last_unit(frame, faulting ? source.unit : source.unit - 1);
        frames.push_back(frame);
    }
    return frames;
}

// Runs frames from the innermost out, each result going on its caller's stack. The outermost's result, or nullptr.
PyObject* runFrames(NativeContext* context, const std::vector<KilnFrame*>& frames, bool raises, int credit) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    PyObject* result = nullptr;
    bool throwing = raises;
    for (size_t index = frames.size(); index-- > 0;) {
        KilnFrame* frame = frames[index];
        if (index + 1 != frames.size()) {
            throwing = result == nullptr;
            if (result != nullptr) {
                int top = kiln_frame_stacktop(frame);
                kiln_frame_slots(frame)[top] = result;
                kiln_frame_set_stacktop(frame, top + 1);
            }
        }
        // The root's own activation was counted against the recursion limit when it was entered.
        // Nor does it nest in C when interpreted: the native stack is watched instead of the C recursion budget.
        thread->py_recursion_remaining += index == 0 ? credit : 0;
        thread->c_recursion_remaining += 2;
        result = kiln_frame_run(thread, frame, throwing);
        thread->c_recursion_remaining -= 2;
        thread->py_recursion_remaining -= index == 0 ? credit : 0;
    }
    return result;
}

void logExit(const CompiledRegion& region, int exit) {
    if (logEnabled(LogChannel::kDeopt)) {
        const ExitPlace& place = region.place(exit);
        auto reason = static_cast<ExitReason>(region.region.snapshots[exit].reason);
        logMessage(LogChannel::kDeopt, "%s leaves at line %d: %s %s", region.region.name.c_str(),
                   PyCode_Addr2Line(place.code, place.unit * 2), info(reason).code, info(reason).text);
    }
}

// A sample that fell due while the region ran is its time, not the interpreter's, which goes on from here.
void accountSamples(const NativeContext* context, const CompiledRegion& region, int exit) {
    if (samplePending()) {
        const ExitPlace& place = region.exits[exit];
        takeSample(static_cast<PyThreadState*>(context->threadState), place.code,
                   PyCode_Addr2Line(place.code, place.unit * 2));
    }
}

}  // namespace

void exitLoop(NativeContext* context, void* frameAddress, CompiledRegion* region, int exit, int64_t* words) {
    auto* frame = static_cast<KilnFrame*>(frameAddress);
    const ir::Snapshot& snapshot = region->region.snapshots[exit];
    logExit(*region, exit);
    accountSamples(context, *region, exit);
    context->entryMissed = snapshot.reason == static_cast<int>(ExitReason::k_entry);
    ExitValues values(region->region, words);
    const ir::FrameSnapshot& root = snapshot.frames[0];
    restoreFrame(frame, root, region->entrySlots, values);
    if (snapshot.frames.size() == 1) {
        restoreNames(*region, snapshot, values);
        kiln_frame_set_last_unit(frame, root.unit);
        region->listener.exitTaken(*region, exit);
        if (snapshot.raises) {
            raiseAtInstruction(frame, *Bytecode(kiln_frame_code(frame)).at(root.unit));
        }
        return;
    }
    // Inlined callees go on first; their caller waits inside its CALL.
    kiln_frame_set_last_unit(frame, root.unit - 1);
    std::vector<KilnFrame*> frames = pushFrames(context, *region, snapshot, 1, values);
    restoreNames(*region, snapshot, values);
    region->listener.exitTaken(*region, exit);
    PyObject* result = runFrames(context, frames, snapshot.raises, 0);
    if (result != nullptr) {
        int top = kiln_frame_stacktop(frame);
        kiln_frame_slots(frame)[top] = result;
        kiln_frame_set_stacktop(frame, top + 1);
        kiln_frame_set_last_unit(frame, root.unit);
        return;
    }
    const Bytecode bytecode(kiln_frame_code(frame));
    const BytecodeInstruction* call = nullptr;
    for (const BytecodeInstruction& in : bytecode.instructions()) {
        call = in.next == root.unit ? &in : call;
    }
    raiseAtCall(frame, *call);
    kiln_frame_set_last_unit(frame, call->firstUnit);
}

NativeResult exitFunction(NativeContext* context, void* frameAddress, CompiledRegion* region, int exit, int64_t* words) {
    const ir::Snapshot& snapshot = region->region.snapshots[exit];
    logExit(*region, exit);
    accountSamples(context, *region, exit);
    ExitValues values(region->region, words);
    std::vector<KilnFrame*> frames;
    if (frameAddress != nullptr) {
        auto* frame = static_cast<KilnFrame*>(frameAddress);
        const ir::FrameSnapshot& root = snapshot.frames[0];
        restoreFrame(frame, root, static_cast<size_t>(kiln_frame_code(frame)->co_nlocalsplus), values);
        bool faulting = snapshot.raises && snapshot.frames.size() == 1;
        kiln_frame_set_last_unit(frame, faulting ? root.unit : root.unit - 1);
        frames.push_back(frame);
    }
    std::vector<KilnFrame*> inner = pushFrames(context, *region, snapshot, frames.size(), values);
    frames.insert(frames.end(), inner.begin(), inner.end());
    restoreNames(*region, snapshot, values);
    region->listener.exitTaken(*region, exit);
    PyObject* result = runFrames(context, frames, snapshot.raises, 1);
    return {reinterpret_cast<int64_t>(result), result != nullptr ? kBoxedResult : kRaised};
}

}  // namespace kiln
