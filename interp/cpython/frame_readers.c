/* Whoever reads the locals or the position of a frame through the C API, or as super() without arguments does, passes by here first.
 *
 * The build has renamed CPython's own functions (scripts/cmake/FindPythonInterpreter.cmake), so that calls from inside CPython and
 * from extension modules find those of this file. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_frame.h>

static void (*show_position)(KilnFrame* frame);
static void (*show_locals)(KilnFrame* frame);

static void place(_PyInterpreterFrame* frame) {
    if (show_position != NULL && kiln_frame_record(frame) != NULL) {
        show_position(frame);
    }
}

static void show(_PyInterpreterFrame* frame) {
    if (show_locals != NULL && frame != NULL && kiln_frame_record(frame) != NULL) {
        show_locals(frame);
    }
}

/* KILN_READER(result, name, parameters, the frame that is read, arguments) */
#define KILN_READER(result, name, parameters, frame, ...)  \
    extern result kiln_plain_##name parameters;            \
    __attribute__((visibility("default"))) result name parameters { \
        show(frame);                                       \
        return kiln_plain_##name(__VA_ARGS__);             \
    }

KILN_READER(PyObject*, PyFrame_GetLocals, (PyFrameObject * f), f->f_frame, f)
KILN_READER(PyObject*, PyFrame_GetVar, (PyFrameObject * f, PyObject* name), f->f_frame, f, name)
KILN_READER(PyObject*, PyFrame_GetVarString, (PyFrameObject * f, const char* name), f->f_frame, f, name)
KILN_READER(int, PyFrame_FastToLocalsWithError, (PyFrameObject * f), f != NULL ? f->f_frame : NULL, f)
KILN_READER(PyObject*, _PyFrame_GetLocals, (_PyInterpreterFrame * frame, int hidden), frame, frame, hidden)
KILN_READER(int, _PyFrame_FastToLocalsWithError, (_PyInterpreterFrame * frame), frame, frame)

extern void kiln_plain_PyFrame_FastToLocals(PyFrameObject* f);
__attribute__((visibility("default"))) void PyFrame_FastToLocals(PyFrameObject* f) {
    show(f->f_frame);
    kiln_plain_PyFrame_FastToLocals(f);
}

#define KILN_POSITION(name)                                \
    extern int kiln_plain_##name(PyFrameObject* f);        \
    __attribute__((visibility("default"))) int name(PyFrameObject* f) { \
        place(f->f_frame);                                 \
        return kiln_plain_##name(f);                       \
    }

KILN_POSITION(PyFrame_GetLineNumber)
KILN_POSITION(PyFrame_GetLasti)

static getter plain_locals;
static getter plain_line;
static getter plain_lasti;
static reprfunc plain_repr;
static initproc plain_super_init;
static vectorcallfunc plain_super;

static PyObject* get_locals(PyObject* object, void* closure) {
    show(((PyFrameObject*)object)->f_frame);
    return plain_locals(object, closure);
}

static PyObject* get_line(PyObject* object, void* closure) {
    place(((PyFrameObject*)object)->f_frame);
    return plain_line(object, closure);
}

static PyObject* get_lasti(PyObject* object, void* closure) {
    place(((PyFrameObject*)object)->f_frame);
    return plain_lasti(object, closure);
}

static PyObject* repr_at_place(PyObject* object) {
    place(((PyFrameObject*)object)->f_frame);
    return plain_repr(object);
}

static void show_current(void) {
    PyThreadState* tstate = PyThreadState_Get();
    kiln_make_waiting_frames(tstate);
    show(tstate->cframe->current_frame);
}

static int init_super(PyObject* self, PyObject* args, PyObject* keywords) {
    if (PyTuple_GET_SIZE(args) == 0) {
        show_current();
    }
    return plain_super_init(self, args, keywords);
}

static PyObject* call_super(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* names) {
    if (PyVectorcall_NARGS(nargsf) == 0) {
        show_current(); /* it finds its class and instance there */
    }
    return plain_super(self, args, nargsf, names);
}

/* What the class has by that name, borrowed; or NULL. */
static PyObject* own_attribute(PyTypeObject* cls, const char* name) {
    PyObject* dict = PyType_GetDict(cls);
    PyObject* found = PyDict_GetItemString(dict, name);
    Py_DECREF(dict); /* the type keeps it */
    return found;
}

/* The attribute of frames has another getter from now on; what it had, or NULL. */
static getter replace_getter(const char* name, getter by) {
    PyObject* descriptor = own_attribute(&PyFrame_Type, name);
    if (descriptor == NULL || !Py_IS_TYPE(descriptor, &PyGetSetDescr_Type)) {
        return NULL;
    }
    PyGetSetDef* definition = ((PyGetSetDescrObject*)descriptor)->d_getset;
    getter plain = definition->get;
    definition->get = by;
    return plain;
}

static void replace_super_init(initproc by) {
    plain_super_init = PySuper_Type.tp_init;
    PySuper_Type.tp_init = by;
    PyObject* wrapper = own_attribute(&PySuper_Type, "__init__"); /* it has the function itself */
    if (wrapper != NULL && Py_IS_TYPE(wrapper, &PyWrapperDescr_Type)) {
        ((PyWrapperDescrObject*)wrapper)->d_wrapped = (void*)by;
    }
}

void kiln_show_frames_by(void (*position)(KilnFrame* frame), void (*locals)(KilnFrame* frame)) {
    show_position = position;
    show_locals = locals;
    if (plain_locals != NULL) {
        return;
    }
    plain_line = replace_getter("f_lineno", get_line);
    plain_lasti = replace_getter("f_lasti", get_lasti);
    plain_repr = PyFrame_Type.tp_repr;
    PyFrame_Type.tp_repr = repr_at_place;
    plain_locals = replace_getter("f_locals", get_locals);
    replace_super_init(init_super);
    if (PySuper_Type.tp_vectorcall != NULL) {
        plain_super = PySuper_Type.tp_vectorcall;
        PySuper_Type.tp_vectorcall = call_super;
    }
}
