/* The C face of CPython's internals: everything kiln needs that the public C API does not give.
 *
 * Only the files of this folder include CPython's internal headers; the rest of kiln calls these functions. Unless said
 * otherwise each function needs the GIL, borrows its arguments and runs no Python code.
 */
#ifndef KILN_CPYTHON_SHIM_H
#define KILN_CPYTHON_SHIM_H

#include <assert.h>
#include <Python.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/cpython/layout_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _PyInterpreterFrame KilnFrame;

/* ---- frames (frames.c) ---- */

static inline KilnFrame* kiln_current_frame(PyThreadState* tstate) {
    return tstate->cframe->current_frame;
}
PyCodeObject* kiln_frame_code(KilnFrame* frame);
PyObject* kiln_frame_function(KilnFrame* frame);
PyObject* kiln_frame_globals(KilnFrame* frame);
PyObject* kiln_frame_builtins(KilnFrame* frame);
PyObject* kiln_frame_locals(KilnFrame* frame);
KilnFrame* kiln_frame_previous(KilnFrame* frame);
/* The frame of the Python code that waits for this one, maybe through a C function; NULL when there is none. */
KilnFrame* kiln_frame_caller(KilnFrame* frame);
/* Locals, cells and free variables, then the operand stack. */
PyObject** kiln_frame_slots(KilnFrame* frame);
/* Index one past the top of the operand stack in kiln_frame_slots(); -1 while the interpreter runs the frame. */
int kiln_frame_stacktop(KilnFrame* frame);
void kiln_frame_set_stacktop(KilnFrame* frame, int stacktop);
/* Index of the code unit that the interpreter executed last: the next to run is one after it. */
int kiln_frame_last_unit(KilnFrame* frame);
void kiln_frame_set_last_unit(KilnFrame* frame, int unit);

/* Where a call's arguments come from, as far as the instruction tells that the interpreter executes in the frame. */
typedef enum {
    KILN_CALL_ELSEWHERE, /* they do not lie in the frame */
    KILN_CALL_BY_OTHERS, /* they do, but it calls something else */
    KILN_CALL_BY_FRAME   /* its CALL puts them there: below them lie NULL and the callable, or the callable and an instance */
} KilnCallPlace;
KilnCallPlace kiln_frame_call_place(KilnFrame* frame, PyObject* callable, PyObject* const* arguments, size_t count);

/* True while the interpreter executes a CALL_FUNCTION_EX of the frame. */
bool kiln_frame_calls_with_tuple(KilnFrame* frame);

/* Pushes a frame for `function` on the thread's data stack, all slots NULL, with `words` uninitialised words behind it, and
 * makes it the current one. `code` is what the function had when it was called: it may have other code by now. Takes a new reference
 * to both. NULL with an exception on no memory. */
KilnFrame* kiln_frame_push(PyThreadState* tstate, PyFunctionObject* function, PyCodeObject* code, size_t words);
/* Where such words are. */
void* kiln_frame_behind(KilnFrame* frame);
/* Clears and pops a frame pushed by kiln_frame_push() that was not run: frame objects made for it survive. */
void kiln_frame_pop(PyThreadState* tstate, KilnFrame* frame);
/* Lays out, in `room`, a frame for those who only look for code and position, on `previous`. It has no locals and owns nothing. */
KilnFrame* kiln_shadow_frame(void* room, PyCodeObject* code, int last_unit, KilnFrame* previous);
/* True when a frame object was made for it: somebody may hold it. */
bool kiln_frame_has_object(KilnFrame* frame);
/* Runs a pushed frame from after its last unit to its return; clears and pops it. May run any Python code.
 * With `throwing` the pending exception is raised at the last unit. New reference, or NULL with an exception. */
PyObject* kiln_frame_run(PyThreadState* tstate, KilnFrame* frame, bool throwing);
static inline void kiln_set_current_frame(PyThreadState* tstate, KilnFrame* frame) {
    tstate->cframe->current_frame = frame;
}

/* A record that belongs to a frame on the thread's data stack whose work native code does: kept where the interpreter has the
 * top of the operand stack, which nobody else looks at meanwhile. The frame forgets it when its stack top is set. */
void kiln_frame_attach(KilnFrame* frame, void* record);
/* NULL when there is none. */
void* kiln_frame_record(KilnFrame* frame);
/* Room on the thread's data stack, which greenlets swap with their frames: uninitialised. NULL on no memory. */
void* kiln_data_stack_push(PyThreadState* tstate, size_t words);
/* Gives up what was pushed, and all above it. */
void kiln_data_stack_pop(PyThreadState* tstate, void* pushed);

/* What tells a shadow frame: its `stacktop`. */
#define KILN_SHADOW_STACKTOP 0x7fffffff

/* ---- frames looked at by others (waiting_frames.c) ---- */

/* Calls `callback` where the current frame of a thread has a record and somebody is about to look at it, or to push another frame; `keep`
 * with the records of all frames of a thread whose native stack may be swapped. Once. */
void kiln_make_frames_by(void (*callback)(PyThreadState* tstate, KilnFrame* frame), void (*keep)(void* record));
/* For a child that was forked: the native stacks of all threads of the current interpreter are about to go. */
void kiln_keep_waiting_values_of_all(void);
/* PyThreadState_GetFrame(), for who swaps no stack. A new reference, or NULL. */
PyFrameObject* kiln_frame_object(PyThreadState* tstate);
/* Whoever pushes a frame without CPython, or calls code that may look at the current frame by itself, says so before. */
void kiln_make_waiting_frames(PyThreadState* tstate);
/* Of all threads of the current interpreter. */
void kiln_make_waiting_frames_of_all(void);

/* ---- frames read by others (frame_readers.c) ---- */

/* Calls `locals` before the locals of a frame with a record are read, by frame.f_locals, by any function of the C API or by
 * super() without arguments, and `position` before its line or last instruction is. Once. */
void kiln_show_frames_by(void (*position)(KilnFrame* frame), void (*locals)(KilnFrame* frame));

/* ---- the chunks of data stacks (stack_chunks.c) ---- */

/* Of a greenlet that has no frame yet. NULL on no memory. */
void* kiln_first_stack_chunk(PyThreadState* tstate);
/* The chunk in which the frames of the running greenlet, or thread, end. It goes after all of them. NULL on no memory. */
static inline void* kiln_stack_chunk(PyThreadState* tstate) {
    return tstate->datastack_chunk != NULL ? tstate->datastack_chunk : kiln_first_stack_chunk(tstate);
}
/* Has `callback` told of each chunk that is given back in another way than by frames that return: its thread or greenlet is
 * gone, and whatever was left in it is never returned to. GIL held. */
void kiln_watch_stack_chunks(void (*callback)(void* chunk));
/* Has `callback` told of each root chunk (see below) that is about to be given back, and of some other memory, by any thread and with any
 * GIL or none. False, and nothing happens, unless chunks are watched. */
bool kiln_watch_root_chunks(void (*callback)(const void* memory, size_t size));
/* The chunk in which the frames of the running greenlet, or thread, begin: it stays until that is gone. Its size is 0 when there is none. */
void kiln_root_chunk(PyThreadState* tstate, const void** from, size_t* size);

/* ---- functions (functions.c) ---- */

/* From now on functions made of this code start without a version: the interpreter's specialised calls do not pass their
 * vectorcall by. Returns the version that the code had, to be given back by the second function. */
uint32_t kiln_code_take_version(PyCodeObject* code);
void kiln_code_give_version(PyCodeObject* code, uint32_t version);
/* Behind the last field lies room for a number, which CPython neither reads nor writes. */
static inline uint32_t* kiln_function_number(PyFunctionObject* function) {
    return &function->func_version + 1;
}
/* Makes calls of the function go through `entry`, and tells whether they do; NULL: through the interpreter's own. */
void kiln_function_enter_by(PyFunctionObject* function, vectorcallfunc entry, uint32_t number);
static inline bool kiln_function_enters_by(PyFunctionObject* function, vectorcallfunc entry) {
    return function->vectorcall == (entry != NULL ? entry : _PyFunction_Vectorcall);
}
/* The number that came with the entry, which is not the interpreter's own. */
static inline uint32_t kiln_function_entry(PyFunctionObject* function) {
    return *kiln_function_number(function);
}
/* Runs the function in the interpreter on its first `count` locals, one for each parameter, whose references it takes. A new
 * reference, or NULL with an exception. */
PyObject* kiln_function_run(PyThreadState* tstate, PyFunctionObject* function, PyObject** parameters, int count);
/* The interpreter's specialised CALL makes this call by itself: it is no level of C. */
bool kiln_is_len(const PyThreadState* tstate, const PyObject* callable);

/* ---- the program's end (program_end.c) ---- */

/* Has the main interpreter call `callback` after the program's atexit functions, before anything is torn down; GIL held,
 * other threads may still run. One callback. Nothing of it shows in the atexit module, nor can that remove it. */
void kiln_at_program_end(void (*callback)(void));

/* Calls `callback` when the interpreter ends: after atexit functions and the finalisers of modules, GIL held, objects
 * still usable, no other thread gets the GIL any more. Immune to atexit._clear(). Needs the GIL. 0, or -1 with an exception. */
int kiln_at_interpreter_end(void (*callback)(void*), void* data);

/* ---- threads (thread_count.c) ---- */

/* How many threads os.fork() shall not count when it warns of other threads. `count` needs no GIL. */
void kiln_uncount_threads(int (*count)(void));

/* ---- monitoring (monitoring.c) ---- */

enum {
    KILN_EVENT_PY_START = 1 << 0,
    KILN_EVENT_INSTRUCTION = 1 << 6,
    KILN_EVENT_JUMP = 1 << 7,
};

/* ---- what is known of a code object, by one look (code_entries.c) ---- */

/* Events that are only counted: what is `left` goes by without a call of the callback, which is called for each when none is left. */
typedef struct {
    int unit; /* of a loop's header */
    uint32_t left;
} KilnLoopGrant;

/* A record of a code object begins with this: all of its loops that were met but the first one. */
typedef struct {
    KilnLoopGrant* more_loops;
    size_t more_loop_count;
} KilnCodeRecord;

enum { KILN_NO_LOOP = -1 };
#define KILN_NEVER UINT32_MAX

typedef struct {
    PyCodeObject* code; /* NULL: nobody's */
    KilnCodeRecord* record;
    uint32_t calls_left;
    uint32_t calls_from_c_left; /* at 0 kiln_enter_from_c()'s callback is asked when C code calls such a function; KILN_NEVER: not */
    KilnLoopGrant loop;         /* the one that was met first, or KILN_NO_LOOP */
} KilnCodeEntry;

enum { KILN_ENTRIES_OF_CHUNK = 1024, KILN_ENTRY_CHUNKS = 4096 };
extern KilnCodeEntry* kiln_entry_chunks[KILN_ENTRY_CHUNKS]; /* one without entries in place of those that are not there yet */

/* CPython leaves four bytes free between two fields, by which the interpreter goes at each call: the number of the entry. Where nobody
 * put one it is anything, which the entry shows. */
static_assert(offsetof(PyCodeObject, co_extra) == offsetof(PyCodeObject, _co_firsttraceable) + sizeof(int) + sizeof(uint32_t), "no room");
static inline uint32_t* kiln_entry_number(PyCodeObject* code) {
    return (uint32_t*)(void*)((char*)code + offsetof(PyCodeObject, _co_firsttraceable) + sizeof(int));
}
/* NULL for code that has none. Any thread of any interpreter may ask. */
static inline KilnCodeEntry* kiln_code_entry(PyCodeObject* code) {
    uint32_t number = *kiln_entry_number(code);
    KilnCodeEntry* entry = &kiln_entry_chunks[number / KILN_ENTRIES_OF_CHUNK % KILN_ENTRY_CHUNKS][number % KILN_ENTRIES_OF_CHUNK];
    return entry->code == code ? entry : NULL;
}
/* An entry for code that has none, with nothing left and no loop; NULL when there are too many or on no memory. GIL of the main interpreter. */
KilnCodeEntry* kiln_take_code_entry(PyCodeObject* code, KilnCodeRecord* record);
/* The code object dies. */
void kiln_give_code_entry_back(KilnCodeEntry* entry);

/* ---- counted events (event_counts.c) ---- */

/* From now on `warm` is called when an instruction of code without an entry is specialised: it has run a few times (event_counts.c). GIL held;
 * main interpreter only; it may set the code's events. */
void kiln_count_events(void (*warm)(PyCodeObject*));
/* Has `enter` asked when C code calls a function by position, as the code's entry says. True where it ran the function: `result` is
 * what came of it then, NULL with an exception. The arguments are borrowed. */
typedef bool (*KilnEnter)(PyThreadState* tstate, KilnCodeRecord* record, PyFunctionObject* function, PyObject* const* arguments, size_t count, PyObject** result);
void kiln_enter_from_c(KilnEnter enter);
/* Asks it where it is to be asked; its answer. */
bool kiln_entered_from_c(PyThreadState* tstate, PyFunctionObject* function, PyObject* const* arguments, size_t count, PyObject** result);

/* ---- the monitoring tool (monitoring.c) ---- */

/* Makes `callback` (a callable) receive one event of kiln's tool. 0, or -1 with an exception. */
int kiln_monitor_register(int event_bit, PyObject* callback);
/* Sets the events of kiln's tool on one code object, re-arming disabled locations. Superinstructions without any stay, or are again.
 * 0, or -1 with an exception. */
int kiln_monitor_set(PyCodeObject* code, uint32_t events);
/* Those that are set. */
uint32_t kiln_monitor_events(PyCodeObject* code);
/* The code's instructions, specialised as they are, without kiln's events: new bytes, or NULL with an exception. As they are
 * where another tool instruments them too: that is the program's own doing. */
PyObject* kiln_code_plain_units(PyCodeObject* code);
/* The instruction that begins at `unit`, as the program has it: without events and specialisation. *next: the unit behind it and its
 * caches. */
int kiln_code_opcode(PyCodeObject* code, int unit, int* next);
/* From now on code._co_code_adaptive shows kiln_code_plain_units(), or what `earlier` knows of a time before kiln's events
 * took the specialisations away (borrowed; NULL for nothing). */
void kiln_code_hide_events(PyObject* (*earlier)(PyCodeObject* code));
/* The value a callback returns to silence one location. Borrowed. */
PyObject* kiln_monitor_disable(void);
/* True when a tool other than kiln's, a tracer or a profiler watches this code or the whole interpreter. */
bool kiln_monitor_others_active(PyThreadState* tstate, PyCodeObject* code);
/* Calls `callback` in the main interpreter when a profiler, a tracer or another frame-evaluation hook was set or taken away. */
void kiln_watch_others(void (*callback)(void));
/* For this folder: such a thing has happened. */
void kiln_others_changed(void);
/* What FOR_ITER tells tools of the StopIteration that ends it, which is set, and gone afterwards. The current frame's position is
 * that instruction. */
void kiln_monitor_stop(PyThreadState* tstate);
/* True when another tool than kiln's has a callback. */
bool kiln_monitor_tools_registered(PyInterpreterState* interp);
/* From now on sys.monitoring.get_local_events() shows none of kiln's events, and it is known when other tools may have callbacks. 0, or -1
 * with an exception. */
int kiln_monitor_hide(void);
/* Has `callback` called before a tool of the main interpreter registers a callback of its own. After kiln_monitor_hide(). */
void kiln_watch_tools(void (*callback)(void));
/* Is there an audit hook, which may be Python code? */
bool kiln_is_audited(void);
extern const size_t kiln_frame_hook_place; /* in the interpreter's state */
/* Some frame-evaluation hook is in place (frame_hook.c). */
static inline bool kiln_has_frame_hook(PyThreadState* tstate) {
    return *(void**)((char*)tstate->interp + kiln_frame_hook_place) != NULL;
}
/* Native code called from a monitoring callback must let callees fire events: save and clear, then restore. */
static inline int kiln_tracing_suspend(PyThreadState* tstate) {
    int saved = tstate->tracing;
    tstate->tracing = 0;
    return saved;
}
static inline void kiln_tracing_restore(PyThreadState* tstate, int saved) {
    tstate->tracing = saved;
}

/* ---- the evaluation breaker (eval_breaker.c) ---- */

extern const size_t kiln_eval_breaker_place; /* in the interpreter's state */
/* Address of the 32-bit word that is non-zero when the evaluation loop must handle something. */
static inline void* kiln_eval_breaker(PyInterpreterState* interp) {
    return (char*)interp + kiln_eval_breaker_place;
}
/* Address of the 32-bit word that is non-zero while the handler of a signal that came has yet to be run, by the main thread. */
const void* kiln_signal_word(void);
/* The evaluation loop's next look at that word leads to nothing. To be called last in a back-edge's callback. Needs the GIL. */
void kiln_skip_pending(PyThreadState* tstate);
/* Nor does the look behind the call that an instruction makes now, if it comes: CPython would not look there, as it makes calls of
   Python functions itself. To be called when the callee has returned. */
void kiln_skip_pending_behind_call(PyThreadState* tstate);
/* In that look the frame stands at `unit`, behind whose instruction CPython looks. Likewise. */
void kiln_pending_at(KilnFrame* frame, int unit);
/* Such a look by compiled code itself: -1 with an exception. The thread's frames are as the interpreter would have them. */
int kiln_handle_pending(PyThreadState* tstate);
/* What is being handled becomes `exception`, which is taken; gives what was, or NULL. */
PyObject* kiln_exchange_handled(PyThreadState* tstate, PyObject* exception);

/* ---- interpreter state and object layout (layout.c) ---- */

bool kiln_is_main_interpreter(PyThreadState* tstate);
/* The thread that holds the GIL, without ado. */
extern __thread PyThreadState* _Py_tss_tstate;
static inline PyThreadState* kiln_thread(void) {
    return _Py_tss_tstate;
}
/* Next value and step of a range iterator. */
long kiln_range_iterator_start(PyObject* iterator);
long kiln_range_iterator_step(PyObject* iterator);
/* The exact list or tuple that a list or tuple iterator still runs over; NULL for anything else. Borrowed. */
PyObject* kiln_list_iterator_sequence(PyObject* object);
/* What an iterator over any sequence runs over; NULL for anything else, and when it has ended. Borrowed. Its fields are those of a list's. */
PyObject* kiln_sequence_iterator_sequence(PyObject* object);
/* Of an iterator whose fields are those of a list's: what it runs over; NULL when it has ended. Borrowed. */
PyObject* kiln_list_like_sequence(PyObject* iterator);
/* Are they, in an iterator that is at this index of the sequence? */
bool kiln_is_list_like_iterator(PyObject* iterator, PyObject* sequence, Py_ssize_t index);
/* What an enumerate runs over; NULL for anything else, and for one that counts past PY_SSIZE_T_MAX. Borrowed. */
PyObject* kiln_enumerate_iterator(PyObject* object);
void kiln_enumerate_set_index(PyObject* enumerate, Py_ssize_t index);
/* The tuple of iterators of a zip that is not strict; NULL for anything else. Borrowed. */
PyObject* kiln_zip_iterators(PyObject* object);
/* A new range iterator with nothing set; NULL with an exception on no memory. */
PyObject* kiln_range_iterator_new(void);
void kiln_range_iterator_set(PyObject* iterator, long next, long step, long remaining);
/* Of a list or tuple iterator that has not run out. */
void kiln_list_iterator_set_index(PyObject* iterator, Py_ssize_t index);
/* `x` correctly rounded, half to even, to `digits` decimal digits; x finite, -308 <= digits <= 323. False on no memory. */
bool kiln_round_decimal(double x, int digits, double* rounded);

/* ---- generators (generators.c) ---- */

/* The frame of an exact generator that waits to be resumed, or has not begun; NULL for anything else. */
KilnFrame* kiln_generator_frame(PyObject* object);
/* It has returned or raised: it has no frame any more. */
bool kiln_generator_is_finished(PyObject* generator);
/* Nobody else has the generator or its frame, or is told when it ends. */
bool kiln_generator_is_private(PyObject* generator);
/* Its first local is the iterator on its stack: that of a generator expression, which no program can name and nothing reads again. */
bool kiln_generator_doubles_iterator(KilnFrame* frame);
/* A generator of the function's that runs: its frame has no locals yet. NULL with an exception on no memory. */
PyObject* kiln_generator_new(PyFunctionObject* function);
/* Whoever resumes it from now on is told that it runs. */
void kiln_generator_run(PyObject* generator);
/* The frame of one that runs; it is in nobody's chain of frames. */
KilnFrame* kiln_generator_running_frame(PyObject* generator);
/* It waits at the instruction at `unit`, its frame filled up to `stacktop`. */
void kiln_generator_suspend(PyObject* generator, int unit, int stacktop);
bool kiln_generator_is_suspended(PyObject* generator);
/* It becomes the current frame, as where it is resumed; what it handles is apart from what its caller handles. */
KilnFrame* kiln_generator_enter(PyThreadState* tstate, PyObject* generator);
/* It has returned: its frame, which holds nothing but its function, goes. */
void kiln_generator_finish(PyObject* generator);

/* ---- instances of the program's classes (instances.c) ---- */

/* Is every key of the dict a str itself? Looking another one up may run its class's __eq__. */
bool kiln_dict_has_plain_keys(PyObject* dict);

/* Do instances keep attributes in values, in the order of keys that the class holds? */
bool kiln_type_has_values(PyTypeObject* type);
/* Its instances have all their attributes in dicts, as functions do. */
bool kiln_type_keeps_dicts(PyTypeObject* type);
/* The attribute's place among the values: the same as long as the class lives. Negative when there is none (yet). */
Py_ssize_t kiln_type_value_index(PyTypeObject* type, PyObject* name);
/* Where the version of the class's keys stands, which changes when a key is added. NULL when it can have none. */
const uint32_t* kiln_type_keys_version(PyTypeObject* type);
/* Does this instance keep its attributes in a dict, or has none yet, although its class has values? */
bool kiln_lacks_values(PyObject* object);
/* An instance's own attributes, in its values or in its dict: of an instance whose class has values. No Python code runs, but
 * for the finaliser of what a store replaces. The attribute, borrowed; NULL, without an exception, when it is missing or only
 * CPython can tell. */
PyObject* kiln_own_attribute(PyObject* object, PyObject* name);
/* False also when only CPython can tell. */
bool kiln_lacks_own_attribute(PyObject* object, PyObject* name);
/* False, with nothing done and no exception, when CPython must do it. Borrows the value. */
bool kiln_set_own_attribute(PyObject* object, PyObject* name, PyObject* value);
/* All that an instance without slots holds but its class, some NULL: how many, from `*first` on. -1 when it holds more, or a dict. */
Py_ssize_t kiln_instance_values(PyObject* instance, PyObject*** first);
/* Offset in instances of `type` of what a slot's descriptor stands for; negative for any other descriptor. */
Py_ssize_t kiln_member_offset(PyObject* descriptor, PyTypeObject* type, bool* writable);
/* The index of the item that a named tuple's field is; negative for any other descriptor. */
Py_ssize_t kiln_tuple_getter_index(PyObject* descriptor);
/* The getter, or setter, of a plain property that is a Python function; NULL for anything else. Borrowed. */
PyObject* kiln_property_getter(PyObject* descriptor);
PyObject* kiln_property_setter(PyObject* descriptor);
/* A value that was NULL was set: the dict that the object may get has its key last. */
void kiln_note_value_added(PyObject** values, Py_ssize_t index);
/* Sets the first attributes of an instance that has none yet: values in the order of the class's shared keys or, where the class has none,
 * slots. A NULL is left out. Takes the references. */
void kiln_fill_instance(PyObject* instance, PyObject* const* attributes, Py_ssize_t count);
/* What the class or its bases have by this name. Borrowed; NULL without an exception. */
PyObject* kiln_type_lookup(PyTypeObject* type, PyObject* name);
/* Its instances' attributes are looked up as CPython itself does, and then __getattr__ is asked for those that are not there. */
bool kiln_type_asks_on(PyTypeObject* type);
/* `super(type, object).name`, without the super object. New; NULL with an exception. */
PyObject* kiln_super_lookup(PyTypeObject* type, PyObject* object, PyObject* name);
/* Is `instance.__class__` what type(instance) is, whatever the instance? As long as the class stays as it is. */
bool kiln_instances_tell_class(PyTypeObject* type);
/* Has `callback` called before `object.__class__ = other`; main interpreter only. */
void kiln_watch_class_assignment(void (*callback)(PyObject* object));

/* ---- dicts and sets looked into without Python code (plain_lookup.c) ---- */

/* KILN_ASK: only CPython can tell, since Python code may have to run, or memory is short. */
typedef enum { KILN_ASK = -1, KILN_NO = 0, KILN_YES = 1 } KilnAnswer;

/* An exact str, int, float, bool, None or bytes, or a tuple of such: to hash it, and to compare it with another one, runs no Python
 * code. */
bool kiln_is_plain(PyObject* object);
/* Plain, or of a class that leaves == to identity, as most of the program's classes, functions and classes themselves do; or a tuple of
 * such: to compare it with another one runs no Python code. */
bool kiln_compares_plainly(PyObject* object);
/* Equal to itself only, as far as its own class says. */
bool kiln_compares_by_identity(PyObject* object);
/* Of what compares plainly. -1, without an exception, where it doesn't, or its class has a hash of its own. */
Py_hash_t kiln_plain_hash(PyObject* key);
KilnAnswer kiln_plain_equal(PyObject* a, PyObject* b);
/* The key that a dict has, borrowed, and where its value stands: until the dict is changed. */
typedef struct {
    PyObject* key;
    PyObject** place;
} KilnEntry;
/* In an exact dict or set, for any key with its hash: it is compared with what has the same hash only. What is found is told with
 * KILN_YES only. */
KilnAnswer kiln_dict_find(PyObject* dict, PyObject* key, Py_hash_t hash, KilnEntry* found);
/* A dict of `count` keys, exact strings, each followed by its value. NULL with an exception. */
PyObject* kiln_dict_of_texts(PyObject* const* items, Py_ssize_t count);
/* Of a dict that nobody watches: gives up the value that is there, which runs no code. False, with nothing done, when CPython must. */
bool kiln_dict_replace(PyObject* dict, PyObject** place, PyObject* value);
KilnAnswer kiln_set_find(PyObject* set, PyObject* key, Py_hash_t hash, PyObject** found);
/* Somebody is told of each change of the dict. */
bool kiln_dict_is_watched(PyObject* dict);
/* Is each member of `set` one of `of`? Both are sets or frozensets. */
KilnAnswer kiln_set_is_subset(PyObject* set, PyObject* of);
/* A new set or frozenset, by `type`, of those members of `set` that `other` has too, or has not, in their order. NULL, with or without
 * an exception, where CPython must do it. */
PyObject* kiln_set_select(PyObject* set, PyObject* other, bool common, PyTypeObject* type);
/* Does it hold of each item of a set or frozenset, of each key of a dict, and of each of its values if they matter? */
bool kiln_set_holds_only(PyObject* set, bool (*suits)(PyObject*));
bool kiln_dict_holds_only(PyObject* dict, bool values, bool (*suits)(PyObject*));
/* Where the values of a dict whose keys are strings lie, and how many bytes apart; some may be NULL. Their number; -1 with other keys. */
Py_ssize_t kiln_dict_values(PyObject* dict, char** first, size_t* apart);
/* An int that lies where the caller says, to look something up by: it must not be given to what may keep it. */
typedef struct {
    PyObject head;
    uintptr_t tag;
    uint32_t digits[3];
} KilnInt;
PyObject* kiln_int_in_place(KilnInt* room, int64_t value);

/* ---- attributes (quiet_attributes.c) ---- */

/* Looks up `object.name`, as far as that runs no Python code: of instances and of classes. `*value` is a new reference with KILN_YES
 * only. KILN_NO: it has no such attribute. `name` is an exact str. */
KilnAnswer kiln_quiet_attribute(PyObject* object, PyObject* name, PyObject** value);
/* The function or C method that `object.name` binds to the instance; NULL of any other attribute, and where only CPython can tell. Borrowed from
 * the class. */
PyObject* kiln_quiet_method(PyObject* object, PyObject* name);
/* May it know, as the class is now? Of what an instance has of its own it may still ask. */
bool kiln_has_quiet_attribute(PyTypeObject* type, PyObject* name);
/* How a store to `object.name` runs no Python code, but for what ends with the object that it displaces. KILN_YES: among the instance's
 * own. KILN_NO: into the slot at `*offset`. KILN_ASK: it may run some, or raises. */
KilnAnswer kiln_quiet_store(PyTypeObject* type, PyObject* name, Py_ssize_t* offset);

/* ---- iterators over dicts and sets (plain_iterators.c) ---- */

/* Of exact dicts' keys, values or items; of sets; of strings. */
bool kiln_is_dict_iterator(PyTypeObject* type);
bool kiln_is_set_iterator(PyTypeObject* type);
bool kiln_is_text_iterator(PyTypeObject* type);
/* The dict or set that it runs over, borrowed; NULL when it has run out. */
PyObject* kiln_iterated_table(PyObject* iterator);
/* What an iterator over a dict, set, list or tuple or a view of a dict holds, borrowed; NULL when it has given that up. False for other
 * objects, and where an iterator over items holds a pair besides. */
bool kiln_held_by_iterator(PyObject* object, PyObject** held);
/* Moves an iterator over a dict or set on. Where the key stands that comes next, and behind it, in a dict, its value: until the table
 * is changed. KILN_NO: there is none, which the iterator has yet to be told. */
KilnAnswer kiln_next_entry(PyObject* iterator, PyObject*** entry);

#ifdef __cplusplus
}
#endif
#endif
