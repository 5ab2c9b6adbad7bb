#include "jit/record/recorder.h"

#include <opcode.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "interp/array_module.h"
#include "interp/buffers.h"
#include "interp/instance_classes.h"
#include "interp/numpy_flat.h"
#include "interp/numpy_types.h"
#include "interp/operator_methods.h"
#include "interp/twister.h"
#include "jit/runtime/compiled_region.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

constexpr uint32_t kEnoughSamples = 24;

// Directly, or through a few frames that are not recorded.
bool isCalledFrom(KilnFrame* frame, KilnFrame* caller) {
    constexpr int kMostBetween = 16;
    for (int step = 0; frame != nullptr && step < kMostBetween; step++) {
        frame = kiln_frame_previous(frame);
        if (frame == caller) {
            return true;
        }
    }
    return false;
}

// Constants that refer to nothing: to hold them keeps nothing of the program's alive.
bool arePlain(PyObject* tuple) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(tuple); index++) {
        PyObject* item = PyTuple_GET_ITEM(tuple, index);
        if (item != Py_None && !PyBool_Check(item) && !PyLong_CheckExact(item) && !PyFloat_CheckExact(item) &&
            !PyUnicode_CheckExact(item)) {
            return false;
        }
    }
    return true;
}

bool isLen(PyObject* callee) {
    return callee != nullptr && PyCFunction_CheckExact(callee) && std::strcmp(reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name, "len") == 0;
}

// The special method that the operation may call. `top`: one past its operands.
std::optional<Special> specialCalled(const BytecodeInstruction& in, PyObject* const* top, PyTypeObject* cls) {
    switch (in.opcode) {
        case COMPARE_OP: return specialOf(in.oparg >> 4);
        case CONTAINS_OP: return Special::k_contains;
        case STORE_SUBSCR: return Special::k_setitem;
        case GET_ITER: return Special::k_iter;
        case FOR_ITER: return Special::k_next;
        case POP_JUMP_IF_TRUE: case POP_JUMP_IF_FALSE: case UNARY_NOT: return truthMethod(cls);
        case CALL: return in.oparg == 1 && isLen(top[-2]) ? std::optional(Special::k_len) : std::nullopt;
        default: return std::nullopt;
    }
}

// The method of a static class that a built-in function is bound to an instance of, or one that draws random numbers; nullptr for any
// other callee.
PyObject* boundMethod(PyObject* callee) {
    if (callee == nullptr || !PyCFunction_CheckExact(callee) || PyCFunction_GET_SELF(callee) == nullptr) {
        return nullptr;
    }
    const PyMethodDef* definition = reinterpret_cast<PyCFunctionObject*>(callee)->m_ml;
    if (PyObject* drawing = twisterMethod(definition)) {
        return drawing;
    }
    PyTypeObject* cls = Py_TYPE(PyCFunction_GET_SELF(callee));
    Ref<> name = Ref<>::steal(PyUnicode_InternFromString(definition->ml_name));
    PyErr_Clear();
    PyObject* found = name && !PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE) ? kiln_type_lookup(cls, name.get()) : nullptr;
    bool isIts = found != nullptr && Py_IS_TYPE(found, &PyMethodDescr_Type) && PyDescr_TYPE(found) == cls &&
                 reinterpret_cast<PyMethodDescrObject*>(found)->d_method == definition;
    return isIts ? found : nullptr;
}

}  // namespace

Recorder::Activation& Recorder::activation(KilnFrame* frame) {
    for (size_t index = frames_.size(); index-- > 0;) {
        if (frames_[index].frame == frame) {
            frames_.resize(index + 1);
            return frames_.back();
        }
    }
    if (!frames_.empty() && !isCalledFrom(frame, frames_.back().frame)) {
        frames_.clear();  // a caller of the frames so far, which have ended: others may come to lie where they were
    }
    frames_.push_back({frame, nullptr});
    return frames_.back();
}

void Recorder::recordResult(CodeProfile& profile, const BytecodeInstruction& last, PyObject* value) {
    if (value == nullptr) {
        return;
    }
    Site& site = profile.site(last.unit);
    site.results.add(Py_TYPE(value));
    site.bigInt = site.bigInt || isBigInt(value);
}

void Recorder::recordCalleeCode(Site& site, KilnFrame* frame, PyFunctionObject* function) {
    constexpr int kUnsupportedFlags = CO_COROUTINE | CO_ASYNC_GENERATOR | CO_ITERABLE_COROUTINE;
    bool suited = function != nullptr &&
                  !(reinterpret_cast<PyCodeObject*>(function->func_code)->co_flags & kUnsupportedFlags);
    if (!suited) {
        site.calleeCodes.add(nullptr, 0);
        return;
    }
    bool isFirst = site.calleeCodes.size() == 0;
    PyObject* defaults = function->func_defaults;
    site.calleeCodes.add(reinterpret_cast<PyCodeObject*>(function->func_code), defaults != nullptr ? PyTuple_GET_SIZE(defaults) : 0);
    bool looksUpHere = function->func_globals == kiln_frame_globals(frame) && function->func_builtins == kiln_frame_builtins(frame);
    if (isFirst) {
        site.calleesLookUpHere = looksUpHere;
        bool plain = defaults != nullptr && arePlain(defaults);
        site.calleeDefaults = Ref<>::borrow(plain ? defaults : nullptr);
        return;
    }
    if (site.calleeDefaults.get() != defaults) {
        site.calleeDefaults = {};
    }
    site.calleesLookUpHere = site.calleesLookUpHere && looksUpHere;
}

void Recorder::recordCall(Site& site, KilnFrame* frame, const BytecodeInstruction& in, PyObject* const* top) {
    if (in.opcode == CALL_FUNCTION_EX) {
        int keywords = in.oparg & 1;
        PyObject* items = top[-keywords];
        site.receivers.add(Py_TYPE(items));
        site.number.add(PyList_CheckExact(items) || PyTuple_CheckExact(items) ? Py_SIZE(items) : 0);
        recordCallee(site, frame, nullptr, top[-(1 + keywords)]);
        return;
    }
    PyObject* method = top[-(in.oparg + 1)];
    recordCallee(site, frame, method, method != nullptr ? method : top[-in.oparg]);
}

// `method`: the same where its instance lies behind it, else nullptr.
void Recorder::recordCallee(Site& site, KilnFrame* frame, PyObject* method, PyObject* callee) {
    if (site.executed == 1 && !site.calleeVaries && callee != nullptr) {
        site.rememberCallee(callee);
    }
    if (site.callee != callee) {
        site.calleeVaries = true;
        site.callee = nullptr;
        site.heldCallee = {};
    }
    PyObject* bound = method == nullptr ? boundMethod(callee) : nullptr;
    site.boundMethod = site.executed == 1 || site.boundMethod == bound ? bound : nullptr;
    PyObject* function = callee != nullptr && PyMethod_Check(callee) ? PyMethod_GET_FUNCTION(callee) : callee;
    bool plainFunction = function != nullptr && PyFunction_Check(function);
    recordCalleeCode(site, frame, plainFunction ? reinterpret_cast<PyFunctionObject*>(function) : nullptr);
    PyFunctionObject* called = nullptr;  // of an instance, or of a class by its metaclass
    if (method == nullptr && callee != nullptr) {
        site.rights.add(Py_TYPE(callee));
        called = isProgramClass(Py_TYPE(callee)) ? specialMethod(Py_TYPE(callee), Special::k_call) : nullptr;
        called_ = called != nullptr ? called : called_;
    }
    callee = function;
    site.callsPython = callee != nullptr && (PyFunction_Check(callee) || plainInitializer(callee) != nullptr);
    if (callee != nullptr && called == nullptr && PyType_Check(callee)) {
        callee = reinterpret_cast<PyObject*>(functionThatMakes(reinterpret_cast<PyTypeObject*>(callee)));
    }
    if (callee != nullptr && PyFunction_Check(callee)) {
        called_ = reinterpret_cast<PyFunctionObject*>(callee);
    }
}

namespace {

// Of an array of NumPy's, of what iterates over its elements, or of a buffer whose class does not tell, which has no dimensions.
bool hasLayout(PyObject* object) {
    PyTypeObject* cls = object != nullptr ? Py_TYPE(object) : nullptr;
    return isArrayClass(cls) || (isFlatClass(cls) && isArrayClass(Py_TYPE(arrayOfFlat(object)))) || isArrayModuleClass(cls) || cls == &PyMemoryView_Type;
}

// Not known of one that only CPython can handle.
ArrayLayout layoutOf(PyObject* object) {
    if (isFlatClass(Py_TYPE(object))) {
        return layoutOf(arrayOfFlat(object));
    }
    return isArrayClass(Py_TYPE(object)) ? NumPyTypes::known()->layoutOf(object).value_or(ArrayLayout{}) : bufferLayout(object);
}

}  // namespace

namespace {

void recordRange(Site& site, PyObject* iterator) {
    if (iterator != nullptr && Py_IS_TYPE(iterator, &PyRangeIter_Type) && kiln_range_iterator_step(iterator) == 1) {
        site.number.add(kiln_range_iterator_start(iterator) + PyObject_LengthHint(iterator, 0));
    }
}

}  // namespace

void Recorder::recordArray(Site& site, PyObject* object) {
    if (hasLayout(object)) {
        ArrayLayout layout = layoutOf(object);
        site.arrays.add(layout.isKnown() ? &layout : nullptr);
    }
}

void Recorder::recordOther(Site& site, PyObject* object) {
    ArrayLayout layout = hasLayout(object) ? layoutOf(object) : ArrayLayout{};
    site.others.add(layout.isKnown() ? &layout : nullptr);
}

void Recorder::recordReceiver(Site& site, PyCodeObject* code, const BytecodeInstruction& in, PyObject* receiver) {
    site.receivers.add(Py_TYPE(receiver));
    recordArray(site, receiver);
    site.inDict = site.inDict || kiln_lacks_values(receiver);
    bool loads = in.opcode == LOAD_ATTR;
    if (loads || in.opcode == STORE_ATTR) {
        PyObject* found = kiln_type_lookup(Py_TYPE(receiver), PyTuple_GET_ITEM(code->co_names, loads ? in.oparg >> 1 : in.oparg));
        PyObject* accessor = found == nullptr ? nullptr : loads ? kiln_property_getter(found) : kiln_property_setter(found);
        called_ = reinterpret_cast<PyFunctionObject*>(accessor);
    }
}

void Recorder::recordOperands(Site& site, const BytecodeInstruction& in, PyObject* left, PyObject* right) {
    bool leftInstance = isProgramClass(Py_TYPE(left));
    site.receivers.add(Py_TYPE(left));
    recordArray(site, left);
    if (in.opcode == BINARY_SUBSCR && (!leftInstance || PyDict_Check(left))) {
        site.rights.addBuiltin(Py_TYPE(right), isKeyedByIdentity(Py_TYPE(right)));
    } else {
        site.rights.add(Py_TYPE(right));
    }
    if (!leftInstance && !isProgramClass(Py_TYPE(right))) {
        return;
    }
    called_ = in.opcode == BINARY_SUBSCR ? specialMethod(Py_TYPE(left), Special::k_getitem)
                                         : operatorMethod(Py_TYPE(leftInstance ? left : right), in.oparg, !leftInstance);
}

// An instance whose class has a method for the operation.
bool Recorder::recordSpecial(Site& site, const BytecodeInstruction& in, PyObject* const* top, PyObject* instance) {
    PyTypeObject* cls = Py_TYPE(instance);
    std::optional<Special> special = isProgramClass(cls) ? specialCalled(in, top, cls) : std::nullopt;
    PyFunctionObject* function = special ? specialMethod(cls, *special) : nullptr;
    if (function == nullptr) {
        return false;
    }
    site.receivers.add(cls);
    called_ = function;
    return true;
}

// Operands of what may run on values of built-in classes natively: `top` is one past the last.
void Recorder::recordBuiltins(Site& site, const BytecodeInstruction& in, PyObject* const* top) {
    auto note = [&](ClassSet& classes, int below) {
        PyObject* object = top[-1 - below];
        if (object != nullptr && &classes == &site.receivers && recordSpecial(site, in, top, object)) {
            return;
        }
        if (object != nullptr && &classes == &site.receivers && PyDict_Check(object)) {
            classes.add(Py_TYPE(object));  // a subclass leaves much to dict
            return;
        }
        if (object != nullptr) {
            PyTypeObject* cls = Py_TYPE(object);
            if (isArrayModuleClass(cls)) {
                classes.add(cls);  // which lives for ever
            } else {
                classes.addBuiltin(cls, in.opcode == COMPARE_OP ? comparesByIdentity(cls) : isKeyedByIdentity(cls));
            }
            recordArray(site, &classes == &site.receivers ? object : nullptr);
        }
    };
    switch (in.opcode) {
        case COMPARE_OP:
            if (recordSpecial(site, in, top, top[-2])) {
                site.rights.add(Py_TYPE(top[-1]));
                break;
            }
            note(site.receivers, 1);
            note(site.rights, 0);
            break;
        case STORE_SUBSCR: recordOther(site, top[-3]); [[fallthrough]];
        case DELETE_SUBSCR:
            note(site.receivers, 1);
            note(site.rights, 0);
            break;
        case STORE_SLICE:
            recordOther(site, top[-4]);
            note(site.receivers, 2);
            break;
        case CONTAINS_OP:
            note(site.receivers, 0);
            note(site.rights, 1);
            break;
        case CALL:
            if (in.oparg > 0) {
                note(site.receivers, in.oparg - 1);
                if (in.oparg > 1) {
                    note(site.seconds, in.oparg - 2);
                }
                std::for_each(top - in.oparg, top, [&](PyObject* argument) { recordOther(site, argument); });
            }
            break;
        case BINARY_SLICE: note(site.receivers, 2); break;
        case MATCH_SEQUENCE: case MATCH_MAPPING: case GET_LEN: note(site.receivers, 0); break;
        case MATCH_KEYS: note(site.receivers, 1); break;
        case MATCH_CLASS: site.receivers.add(Py_TYPE(top[-3])); break;
        case POP_JUMP_IF_TRUE: case POP_JUMP_IF_FALSE: case UNARY_NOT: case UNARY_NEGATIVE: case UNARY_INVERT: case GET_ITER: case FOR_ITER: note(site.receivers, 0); break;
        default: break;
    }
}

// The last instruction of a frame that is new to the recorder: known of the one that was resumed.
const BytecodeInstruction* Recorder::lastBefore(const CodeProfile& profile, KilnFrame* frame) {
    if (resumed_.code == nullptr || resumed_.code != kiln_frame_code(frame)) {
        return nullptr;
    }
    const BytecodeInstruction* last = profile.bytecode().at(resumed_.unit);
    resumed_ = {};
    return last;
}

bool Recorder::instruction(CodeProfile& profile, KilnFrame* frame, int unit) {
    called_ = nullptr;
    const BytecodeInstruction* in = profile.bytecode().at(unit);
    if (in == nullptr) {
        return true;
    }
    Site& site = profile.site(in->unit);
    site.executed++;
    site.renew();
    site.sampled = site.session == session_ ? site.sampled + 1 : 1;
    site.session = session_;
    if (in->depth < 0) {
        return true;
    }
    int base = kiln_frame_code(frame)->co_nlocalsplus;
    PyObject** slots = kiln_frame_slots(frame);
    // What compiled code left to be raised here is none of the program's operands.
    if (std::any_of(slots + base, slots + base + in->depth, [](PyObject* entry) { return entry != nullptr && isRaiser(entry); })) {
        frames_.clear();
        return true;
    }
    Activation& here = activation(frame);
    here.last = here.last != nullptr ? here.last : lastBefore(profile, frame);
    // A STORE_FAST leaves nothing of its own: it is recorded by what it takes.
    bool left = here.last != nullptr && here.last->next == in->firstUnit && here.last->opcode != STORE_FAST;
    // A method and its instance: the instance is not what the attribute is.
    bool method = left && (here.last->opcode == LOAD_ATTR || here.last->opcode == LOAD_SUPER_ATTR) && (here.last->oparg & 1) && in->depth > 1 &&
                  slots[base + in->depth - 2] != nullptr;
    if (left && !method && in->depth > 0) {
        recordResult(profile, *here.last, slots[base + in->depth - 1]);
    }
    here.last = in;
    if (in->opcode == STORE_FAST && in->depth > 0) {
        recordResult(profile, *in, slots[base + in->depth - 1]);
    }
    if (in->opcode == LOAD_ATTR || in->opcode == STORE_ATTR) {
        recordReceiver(site, kiln_frame_code(frame), *in, slots[base + in->depth - 1]);
    }
    if (in->opcode == UNPACK_SEQUENCE || in->opcode == UNPACK_EX || in->opcode == LOAD_SUPER_ATTR) {
        site.receivers.add(Py_TYPE(slots[base + in->depth - 1]));
    }
    if (in->opcode == BEFORE_WITH) {
        PyTypeObject* cls = Py_TYPE(slots[base + in->depth - 1]);
        site.receivers.add(cls);
        called_ = isProgramClass(cls) ? specialMethod(cls, Special::k_enter) : nullptr;
    }
    if (in->opcode == BINARY_OP || in->opcode == BINARY_SUBSCR) {
        recordOperands(site, *in, slots[base + in->depth - 2], slots[base + in->depth - 1]);
    }
    recordBuiltins(site, *in, slots + base + in->depth);
    if (in->opcode == CALL || in->opcode == CALL_FUNCTION_EX) {
        recordCall(site, frame, *in, slots + base + in->depth - 1);
    }
    if (in->opcode == FOR_ITER) {
        recordRange(site, slots[base + in->depth - 1]);
        KilnFrame* generator = kiln_generator_frame(slots[base + in->depth - 1]);
        called_ = generator != nullptr ? reinterpret_cast<PyFunctionObject*>(kiln_frame_function(generator)) : called_;
    }
    return site.sampled < kEnoughSamples;
}

}  // namespace kiln
