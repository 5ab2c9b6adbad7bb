// Helpers for generators that loops in compiled code run over: what they read, take and make. None of them runs Python code.

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_words.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {
namespace {

// words: generator, code, unit, globals, builtins.
int64_t waits(const int64_t* w, int64_t) {
    KilnFrame* frame = kiln_generator_frame(object(w[0]));
    bool isIt = frame != nullptr && kiln_frame_code(frame) == reinterpret_cast<PyCodeObject*>(w[1]) &&
                kiln_frame_last_unit(frame) == w[2] && kiln_frame_globals(frame) == object(w[3]) &&
                kiln_frame_builtins(frame) == object(w[4]) && kiln_generator_is_private(object(w[0]));
    if (isIt && kiln_generator_doubles_iterator(frame)) {
        Py_CLEAR(kiln_frame_slots(frame)[0]);
    }
    return isIt ? 1 : 0;
}

int64_t slot(const int64_t* w, int64_t) {
    return reinterpret_cast<int64_t>(kiln_frame_slots(kiln_generator_running_frame(object(w[0])))[w[1]]);
}

int64_t take(const int64_t* w, int64_t) {
    KilnFrame* frame = kiln_generator_running_frame(object(w[0]));
    std::fill_n(kiln_frame_slots(frame), kiln_frame_stacktop(frame), nullptr);
    kiln_frame_set_stacktop(frame, kiln_frame_code(frame)->co_nlocalsplus);
    kiln_generator_run(object(w[0]));
    return reinterpret_cast<int64_t>(Py_NewRef(kiln_frame_function(frame)));
}

// words: function, unit, slots.
int64_t build(const int64_t* w, int64_t count) {
    std::span<PyObject* const> slots(reinterpret_cast<PyObject* const*>(w + 2), static_cast<size_t>(count - 2));
    std::for_each(slots.begin(), slots.end(), Py_IncRef);
    return reinterpret_cast<int64_t>(restoreGenerator(nullptr, object(w[0]), static_cast<int>(w[1]), slots));
}

int64_t end(const int64_t* w, int64_t) {
    kiln_generator_finish(object(w[0]));
    Py_DECREF(object(w[0]));
    return 0;
}

}  // namespace

void fillGeneratorHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_generator_waits, waits);
    set(Helper::k_generator_slot, slot);
    set(Helper::k_take_generator, take);
    set(Helper::k_build_generator, build);
    set(Helper::k_end_generator, end);
}

}  // namespace kiln
