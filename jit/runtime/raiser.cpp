// Raising an exception inside a frame that the interpreter is about to go on with.
//
// A monitoring callback can't raise: the handler would be looked up at the jump's target. So the operand that the faulting
// instruction asks first is replaced by a Raiser, an object whose every slot raises the stored exception, and the
// instruction is run again: handler, line and traceback are those of the instruction.
#include <Python.h>
#include <opcode.h>

#include <utility>

#include "jit/runtime/compiled_region.h"
#include "jit/runtime/memory_reserve.h"

namespace kiln {
namespace {

struct Raiser {
    PyObject_HEAD
    PyObject* exception;
};

void raise(PyObject* self) {
    PyErr_SetRaisedException(Py_NewRef(reinterpret_cast<Raiser*>(self)->exception));
}

// One slot may be reached through either operand.
PyObject* raiseUnary(PyObject* self) { raise(self); return nullptr; }
PyObject* raiseBinary(PyObject* left, PyObject*);
PyObject* raiseTernary(PyObject* left, PyObject*, PyObject*);
PyObject* raiseCompare(PyObject* self, PyObject*, int) { raise(self); return nullptr; }
PyObject* raiseItem(PyObject* self, PyObject*) { raise(self); return nullptr; }
PyObject* raiseCall(PyObject* self, PyObject*, PyObject*) { raise(self); return nullptr; }
int raiseStore(PyObject* self, PyObject*, PyObject*) { raise(self); return -1; }
int raiseContains(PyObject* self, PyObject*) { raise(self); return -1; }
int raiseTruth(PyObject* self) { raise(self); return -1; }
Py_ssize_t raiseLength(PyObject* self) { raise(self); return -1; }
Py_hash_t raiseHash(PyObject* self) { raise(self); return -1; }
PyObject* raiseFormat(PyObject* self, PyObject*) { raise(self); return nullptr; }

void deallocate(PyObject* self) {
    Py_XDECREF(reinterpret_cast<Raiser*>(self)->exception);
    PyObject_Free(self);
}

PyNumberMethods numberSlots;
PySequenceMethods sequenceSlots;
PyMappingMethods mappingSlots;
PyMethodDef methods[] = {{"__format__", raiseFormat, METH_O, nullptr}, {"__enter__", raiseFormat, METH_NOARGS, nullptr},
                         {"__exit__", raiseFormat, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyTypeObject raiserType = {PyVarObject_HEAD_INIT(nullptr, 0)};

PyObject* raiseBinary(PyObject* left, PyObject* right) {
    raise(Py_IS_TYPE(left, &raiserType) ? left : right);
    return nullptr;
}

PyObject* raiseTernary(PyObject* left, PyObject* right, PyObject*) {
    return raiseBinary(left, right);
}

void fillNumberSlots() {
    binaryfunc* binary[] = {&numberSlots.nb_add, &numberSlots.nb_subtract, &numberSlots.nb_multiply, &numberSlots.nb_remainder,
                            &numberSlots.nb_divmod, &numberSlots.nb_lshift, &numberSlots.nb_rshift, &numberSlots.nb_and,
                            &numberSlots.nb_xor, &numberSlots.nb_or, &numberSlots.nb_floor_divide, &numberSlots.nb_true_divide,
                            &numberSlots.nb_matrix_multiply};
    for (binaryfunc* slot : binary) {
        *slot = raiseBinary;
    }
    numberSlots.nb_power = raiseTernary;
    unaryfunc* unary[] = {&numberSlots.nb_negative, &numberSlots.nb_positive, &numberSlots.nb_invert, &numberSlots.nb_index};
    for (unaryfunc* slot : unary) {
        *slot = raiseUnary;
    }
    numberSlots.nb_bool = raiseTruth;
}

PyObject* makeRaiser() {
    PyObject* exception = PyErr_GetRaisedException();
    auto* raiser = reinterpret_cast<Raiser*>(makeSurely([] { return reinterpret_cast<PyObject*>(PyObject_New(Raiser, &raiserType)); }));
    raiser->exception = exception;
    return reinterpret_cast<PyObject*>(raiser);
}

// How far below the top the operand lies that the instruction asks first.
int operandBelow(KilnFrame* frame, const BytecodeInstruction& in) {
    switch (in.opcode) {
        case BINARY_OP: case COMPARE_OP: case BINARY_SUBSCR: case STORE_SUBSCR: case DELETE_SUBSCR: case MAP_ADD: case MATCH_KEYS: return 1;
        case MATCH_CLASS: return 2;
        case CALL_FUNCTION_EX: return 1 + (in.oparg & 1);
        case BINARY_SLICE: case STORE_SLICE: return 2;
        case WITH_EXCEPT_START: return 3;
        case LOAD_SUPER_ATTR: return 2;  // super itself
        case FORMAT_VALUE: return (in.oparg & 4) ? 1 : 0;  // under the specification
        case BUILD_SET: return in.oparg - 1;               // the first item and the first key are hashed first
        case BUILD_MAP: return 2 * in.oparg - 1;
        case CALL: {
            PyObject** top = kiln_frame_slots(frame) + kiln_frame_stacktop(frame) - 1;
            return top[-(in.oparg + 1)] != nullptr ? in.oparg + 1 : in.oparg;
        }
        default: return 0;
    }
}

// Of an operation that calls a Python function.
int operandCount(const BytecodeInstruction& in) {
    switch (in.opcode) {
        case CALL: return 1 + in.oparg;
        case LOAD_ATTR: case GET_ITER: case BEFORE_WITH: case POP_JUMP_IF_TRUE: case POP_JUMP_IF_FALSE: case UNARY_NOT: return 1;
        case STORE_SUBSCR: return 3;
        default: return 2;
    }
}

}  // namespace

bool prepareRaiser() {
    fillNumberSlots();
    sequenceSlots.sq_contains = raiseContains;
    sequenceSlots.sq_length = raiseLength;
    mappingSlots.mp_subscript = raiseItem;
    mappingSlots.mp_ass_subscript = raiseStore;
    mappingSlots.mp_length = raiseLength;
    raiserType.tp_name = "kiln.pending_exception";
    raiserType.tp_basicsize = sizeof(Raiser);
    raiserType.tp_dealloc = deallocate;
    raiserType.tp_flags = Py_TPFLAGS_DEFAULT;
    raiserType.tp_as_number = &numberSlots;
    raiserType.tp_as_sequence = &sequenceSlots;
    raiserType.tp_as_mapping = &mappingSlots;
    raiserType.tp_richcompare = raiseCompare;
    raiserType.tp_call = raiseCall;
    raiserType.tp_getattro = raiseItem;
    raiserType.tp_setattro = raiseStore;
    raiserType.tp_iter = raiseUnary;
    raiserType.tp_iternext = raiseUnary;
    raiserType.tp_str = raiseUnary;
    raiserType.tp_repr = raiseUnary;
    raiserType.tp_hash = raiseHash;
    raiserType.tp_methods = methods;
    return PyType_Ready(&raiserType) == 0;
}

bool isRaiser(const PyObject* object) {
    return Py_IS_TYPE(object, &raiserType);
}

void raiseAtInstruction(KilnFrame* frame, const BytecodeInstruction& in) {
    PyObject** top = kiln_frame_slots(frame) + kiln_frame_stacktop(frame) - 1;
    PyObject** operand = top - operandBelow(frame, in);
    bool looksAtTop = in.opcode == FORMAT_VALUE && operand != top;
    if (looksAtTop && (*top == nullptr || !PyUnicode_Check(*top))) {
        Py_XSETREF(*top, makeSurely([] { return PyUnicode_New(0, 0); }));  // the specification, which is looked at first and may be gone
    }
    PyObject* replaced = *operand;
    *operand = in.opcode == RAISE_VARARGS ? PyErr_GetRaisedException() : makeRaiser();
    Py_XDECREF(replaced);
}

void raiseAtNext(KilnFrame* frame) {
    PyObject*& iterator = kiln_frame_slots(frame)[kiln_frame_stacktop(frame) - 1];
    Py_DECREF(std::exchange(iterator, makeRaiser()));
}

void raiseAtCall(KilnFrame* frame, const BytecodeInstruction& in) {
    PyObject** slots = kiln_frame_slots(frame);
    int top = kiln_frame_stacktop(frame);
    if (in.opcode == CALL || in.opcode == CALL_FUNCTION_EX) {
        slots[top++] = nullptr;
    }
    for (int operands = operandCount(in); operands > 0; operands--) {
        slots[top++] = Py_NewRef(Py_None);
    }
    if (in.opcode == CALL_FUNCTION_EX) {  // none with keywords enters a function so
        slots[top - 1] = makeSurely([] { return PyTuple_New(0); });
    }
    kiln_frame_set_stacktop(frame, top);
    slots[top - 1 - operandBelow(frame, in)] = makeRaiser();  // in place of an immortal one
}

}  // namespace kiln
