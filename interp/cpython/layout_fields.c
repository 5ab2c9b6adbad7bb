/* Offsets in CPython's structures. */
#define Py_BUILD_CORE
#include "interp/cpython/layout_fields.h"

#include <Python.h>
#include <internal/pycore_ceval.h>
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_list.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_range.h>
#include <internal/pycore_tuple.h>
#include <stddef.h>

#include "interp/cpython/unpublished_objects.h"

static const KilnLayout layout = {
#define KILN_LAYOUT(name, type, field) .name = offsetof(type, field),
#include "interp/cpython/layout.def"
#undef KILN_LAYOUT
};

/* Emitted code lays shadow frames out in ten words (jit/native_interface.h), and clears stack top and owner as one. */
_Static_assert(offsetof(_PyInterpreterFrame, localsplus) <= 80, "size of a shadow frame");
_Static_assert(offsetof(_PyInterpreterFrame, owner) - offsetof(_PyInterpreterFrame, stacktop) < 8 && FRAME_OWNED_BY_THREAD == 0, "owner");

/* List and tuple iterators share one layout: emitted code treats them alike. */
_Static_assert(offsetof(_PyListIterObject, it_index) == offsetof(_PyTupleIterObject, it_index), "iterator index");
_Static_assert(offsetof(_PyListIterObject, it_seq) == offsetof(_PyTupleIterObject, it_seq), "iterator sequence");

const KilnLayout* kiln_layout(void) {
    return &layout;
}
