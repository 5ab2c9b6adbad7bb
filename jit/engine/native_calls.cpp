// Calls that compiled code makes of functions without native code for them: the callee takes the arguments' references.
#include "jit/engine/native_calls.h"

#include <algorithm>

#include "interp/instance_classes.h"
#include "interp/recursion_budget.h"
#include "interp/support/short_vector.h"
#include "jit/engine/call_binding.h"
#include "jit/engine/engine.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/spread_calls.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {
namespace {

// While it lives, what the caller was charged for the callee's frame is given back, and `nesting` of C's budget beside it.
class GivenBack {
   public:
    GivenBack(PyThreadState* thread, int nesting) : thread_(thread), nesting_(nesting) {
        thread_->py_recursion_remaining++;
        thread_->c_recursion_remaining += nesting_;
    }
    ~GivenBack() {
        thread_->c_recursion_remaining -= nesting_;
        thread_->py_recursion_remaining--;
    }
    GivenBack(const GivenBack&) = delete;
    GivenBack& operator=(const GivenBack&) = delete;

   private:
    PyThreadState* thread_;
    int nesting_;
};

PyThreadState* threadOf(const NativeContext* context) {
    return static_cast<PyThreadState*>(context->threadState);
}

// The parameter's object, a reference of its own. The objects of numbers are borrowed.
PyObject* takeParameter(const NativeFunction& callee, const int64_t* words, size_t index) {
    size_t parameters = callee.arguments.size() - callee.boxedParameters.size();
    if (callee.arguments[index] == ir::Type::kObject) {
        return reinterpret_cast<PyObject*>(words[index]);
    }
    for (size_t box = 0; box < callee.boxedParameters.size(); box++) {
        int64_t object = words[parameters + box] & ~int64_t{1};
        if (callee.boxedParameters[box] == static_cast<int>(index) && object != 0) {
            return Py_NewRef(reinterpret_cast<PyObject*>(object));
        }
    }
    return boxWord(callee.arguments[index], words[index]);
}

PyObject* callGiving(PyObject* callable, PyObject** arguments, size_t given, PyObject* names) {
    if (PyFunction_Check(callable)) {
        return JitEngine::instance().callGiving(reinterpret_cast<PyFunctionObject*>(callable), arguments, given, names);
    }
    return PyObject_Vectorcall(callable, arguments, given, names);
}

bool isMethodOfFunction(PyObject* callable) {
    return PyMethod_Check(callable) && PyFunction_Check(PyMethod_GET_FUNCTION(callable));
}

// The function of a method, whose instance becomes the first of the arguments, below which there is room. Borrowed.
PyObject* unbind(PyObject* method, PyObject**& arguments, size_t& count) {
    *--arguments = Py_NewRef(PyMethod_GET_SELF(method));
    count++;
    return PyMethod_GET_FUNCTION(method);
}

// As CPython calls it, from the caller's frames.
PyObject* callInFrames(PyThreadState* thread, PyObject* callable, PyObject** arguments, size_t given, PyObject* names) {
    PyObject* result = nullptr;
    {
        GivenBack charge(thread, uncountedNesting(callable));
        result = callGiving(callable, arguments, given, names);
    }
    if (!PyFunction_Check(callable) && result != nullptr && kiln_handle_pending(thread) != 0) {
        Py_CLEAR(result);
    }
    return result;
}

NativeResult objectResult(PyObject* result) {
    return {reinterpret_cast<int64_t>(result), result != nullptr ? kBoxedResult : kRaised};
}

// The interpreter, or C code, does it. Takes the references to the arguments.
NativeResult callByCPython(NativeContext* context, PyObject* callable, PyObject** arguments, size_t count, PyObject* names) {
    ensureFrames(context);
    size_t named = names != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0;
    PyObject* result = callInFrames(threadOf(context), callable, arguments, count - named, names);
    std::for_each(arguments, arguments + count, Py_DecRef);
    return objectResult(result);
}

// Takes the references to the parameters. The interpreter runs the function where its code is not for their classes.
NativeResult enterBound(NativeContext* context, PyFunctionObject* function, Root& root, CallBinding& binding) {
    binding.taken();
    NativeResult entered = JitEngine::instance().enterWithin(context, function, root, binding.parameters());
    if (entered.status != kNotEntered) {
        return entered;
    }
    ensureFrames(context);
    GivenBack charge(threadOf(context), kEvaluationCost);
    const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    return objectResult(kiln_function_run(threadOf(context), function, binding.parameters(), parameterCount(code)));
}

// Code that the function has, or the interpreter, runs it. Takes the references to the arguments.
NativeResult callFunction(NativeContext* context, PyFunctionObject* function, PyObject** arguments, size_t count, PyObject* names) {
    JitEngine& engine = JitEngine::instance();
    const EntryCell* cell = engine.cellEntered(function);
    if (cell == nullptr) {
        return callByCPython(context, reinterpret_cast<PyObject*>(function), arguments, count, names);
    }
    NativeResult entered = names == nullptr ? engine.callWithin(context, *cell, function, arguments, count) : NativeResult{0, kNotEntered};
    if (entered.status != kNotEntered) {
        return entered;
    }
    CallBinding binding;
    Root* root = engine.enterable(threadOf(context), *cell, function);
    size_t given = count - (names != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
    if (root != nullptr && binding.bind(function, arguments, given, names, true)) {
        std::for_each(arguments, arguments + count, Py_DecRef);  // None
        return enterBound(context, function, *root, binding);
    }
    return callByCPython(context, reinterpret_cast<PyObject*>(function), arguments, count, names);
}

// While it lives, C's budget is charged as CPython does it where it nests.
class Nested {
   public:
    Nested(PyThreadState* thread, int nesting) : thread_(thread), nesting_(nesting) { thread_->c_recursion_remaining -= nesting_; }
    ~Nested() { thread_->c_recursion_remaining += nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    PyThreadState* thread_;
    int nesting_;
};

// As type.__call__() of a class with a plain initialiser. The arguments are borrowed.
PyObject* instantiate(NativeContext* context, PyTypeObject* cls, PyFunctionObject* initializer, PyObject* const* arguments, size_t count, PyObject* names) {
    Ref<PyFunctionObject> function = Ref<PyFunctionObject>::borrow(initializer);
    static PyObject* const kNothing = PyTuple_New(0);
    Ref<> instance = Ref<>::steal(cls->tp_new(cls, kNothing, nullptr));
    if (!instance) {
        return nullptr;
    }
    ShortVector<PyObject*, 10> given(count + 1);
    given[0] = Py_NewRef(instance.get());
    std::transform(arguments, arguments + count, given.begin() + 1, Py_NewRef);
    Nested nested(threadOf(context), kClassCallCost);
    NativeResult done = callFunction(context, function.get(), given.data(), count + 1, names);
    Ref<> nothing = Ref<>::steal(done.status != kRaised ? reinterpret_cast<PyObject*>(done.value) : nullptr);
    if (nothing.get() == Py_None) {
        return instance.release();
    }
    ensureFrames(context);  // the instance may end
    if (nothing) {
        PyErr_Format(PyExc_TypeError, "__init__() should return None, not '%.200s'", Py_TYPE(nothing.get())->tp_name);
    }
    return nullptr;
}

// Whether the evaluation loop has something to handle.
bool mustLook(PyThreadState* thread) {
    return *static_cast<volatile int*>(kiln_eval_breaker(thread->interp)) != 0;
}

bool endsAny(PyObject* const* objects, Py_ssize_t count) {
    return std::any_of(objects, objects + count, [](PyObject* object) { return Py_REFCNT(object) == 1; });
}

// Python code may run as they end, which sees frames.
bool mayEndMore(const Ref<>& callable) {
    PyObject* object = callable.get();
    bool isMethod = PyMethod_Check(object);
    return Py_REFCNT(object) == 1 && (!isMethod || Py_REFCNT(PyMethod_GET_SELF(object)) == 1 || Py_REFCNT(PyMethod_GET_FUNCTION(object)) == 1);
}

// An instance of the class, and what CPython looks for behind such a call. Takes the references to the arguments.
NativeResult callClass(NativeContext* context, PyTypeObject* cls, PyFunctionObject* initializer, PyObject** arguments, size_t count, PyObject* names) {
    PyObject* instance = instantiate(context, cls, initializer, arguments, count, names);
    bool looks = instance != nullptr && mustLook(threadOf(context));
    if (looks || endsAny(arguments, static_cast<Py_ssize_t>(count))) {
        ensureFrames(context);  // Python code may run
    }
    std::for_each(arguments, arguments + count, Py_DecRef);
    if (looks && kiln_handle_pending(threadOf(context)) != 0) {
        Py_CLEAR(instance);
    }
    return objectResult(instance);
}

// Takes the references to the arguments, below which there is room for one more. `names`: of keywords, or NULL.
NativeResult callWith(NativeContext* context, PyObject* callable, PyObject** arguments, size_t count, PyObject* names) {
    if (isMethodOfFunction(callable)) {
        callable = unbind(callable, arguments, count);
    }
    if (PyFunction_Check(callable)) {
        return callFunction(context, reinterpret_cast<PyFunctionObject*>(callable), arguments, count, names);
    }
    PyFunctionObject* initializer = plainInitializer(callable);
    if (initializer != nullptr && threadOf(context)->c_recursion_remaining > kClassCallCost) {
        return callClass(context, reinterpret_cast<PyTypeObject*>(callable), initializer, arguments, count, names);
    }
    if (PyObject* result = names == nullptr ? callWithoutPython(callable, arguments, count) : nullptr) {
        std::for_each(arguments, arguments + count, Py_DecRef);
        return objectResult(result);
    }
    return callByCPython(context, callable, arguments, count, names);
}

// As CALL: a method gives way to its function and instance before the call.
NativeResult callAnything(NativeContext* context, int64_t* words, size_t count) {
    Ref<> callable = Ref<>::steal(reinterpret_cast<PyObject*>(words[0]));
    auto* names = reinterpret_cast<PyObject*>(words[1]);
    auto** arguments = reinterpret_cast<PyObject**>(words + 2);
    size_t given = count - 1;
    if (isMethodOfFunction(callable.get())) {
        callable = Ref<>::borrow(unbind(callable.get(), arguments, given));
    }
    NativeResult result = callWith(context, callable.get(), arguments, given, names != Py_None ? names : nullptr);
    if (mayEndMore(callable)) {
        ensureFrames(context);
    }
    return result;
}

// The dict of a call's keywords, or NULL; the order of its keys is that of the values behind the arguments by position.
struct SpreadNames {
    Ref<> dict;
    Ref<> tuple;

    Py_ssize_t size() const { return dict ? PyDict_GET_SIZE(dict.get()) : 0; }
    // References to the values; false without memory, and no error is set.
    bool unpack(PyObject** values) {
        if (size() == 0) {
            return true;
        }
        tuple = Ref<>::steal(PyTuple_New(size()));
        if (!tuple) {
            PyErr_Clear();
        }
        Py_ssize_t position = 0;
        PyObject* key = nullptr;
        PyObject* value = nullptr;
        for (Py_ssize_t index = 0; tuple && PyDict_Next(dict.get(), &position, &key, &value) != 0; index++) {
            PyTuple_SET_ITEM(tuple.get(), index, Py_NewRef(key));
            values[index] = Py_NewRef(value);
        }
        return static_cast<bool>(tuple);
    }
    // After the call, in CPython's order.
    void giveUp(NativeContext* context, Ref<>& callable, Ref<>& items) {
        bool endsItems = items && Py_REFCNT(items.get()) == 1 && endsAny(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()));
        if (mayEndMore(callable) || endsItems || (size() != 0 && Py_REFCNT(dict.get()) == 1)) {
            ensureFrames(context);
        }
        letGo(callable, items);
    }
    void letGo(Ref<>& callable, Ref<>& items) {
        callable = {};
        items = {};
        dict = {};
    }
};

// The arguments of a list, in a tuple. Nothing but the list ends.
Ref<> tupleOfList(Ref<> items) {
    Ref<> tuple = Ref<>::steal(PyList_CheckExact(items.get()) ? PyList_AsTuple(items.get()) : nullptr);
    if (tuple) {
        return tuple;
    }
    PyErr_Clear();
    return items;
}

// As CALL_FUNCTION_EX: what holds the arguments for the call is gone before a Python function starts; others return first.
NativeResult callSpread(NativeContext* context, const int64_t* words) {
    Ref<> callable = Ref<>::steal(reinterpret_cast<PyObject*>(words[0]));
    Ref<> items = tupleOfList(Ref<>::steal(reinterpret_cast<PyObject*>(words[1])));
    auto* dict = reinterpret_cast<PyObject*>(words[2]);
    SpreadNames names{.dict = dict != Py_None ? Ref<>::steal(dict) : Ref<>(), .tuple = {}};
    bool isFunction = PyFunction_Check(callable.get());
    bool isOfPython = isFunction || isMethodOfFunction(callable.get()) || plainInitializer(callable.get()) != nullptr;
    bool hasPlainNames = !names.dict || (PyDict_CheckExact(names.dict.get()) && kiln_dict_has_plain_keys(names.dict.get()));
    bool isPlain = isOfPython && PyTuple_CheckExact(items.get()) && hasPlainNames;
    PyObject* arguments[kMostParameters + 1];
    if (isPlain && PyTuple_GET_SIZE(items.get()) + names.size() <= kMostParameters) {
        Py_ssize_t given = PyTuple_GET_SIZE(items.get());
        Py_ssize_t count = given + names.size();
        if (names.unpack(arguments + 1 + given)) {
            std::transform(&PyTuple_GET_ITEM(items.get(), 0), &PyTuple_GET_ITEM(items.get(), 0) + given, arguments + 1, Py_NewRef);
            if (isFunction) {
                items = names.dict = {};
            }
            NativeResult result = callWith(context, callable.get(), arguments + 1, static_cast<size_t>(count), names.tuple.get());
            names.giveUp(context, callable, items);
            return result;
        }
    }
    ensureFrames(context);
    GivenBack charge(threadOf(context), 0);
    int64_t operands[] = {reinterpret_cast<int64_t>(callable.get()), reinterpret_cast<int64_t>(items.get()), reinterpret_cast<int64_t>(names.dict.get())};
    auto* result = reinterpret_cast<PyObject*>(callSequence(operands, 3));
    names.letGo(callable, items);
    return objectResult(result);
}

}  // namespace

NativeResult callFallback(NativeContext* context, NativeFunction* callee, int64_t* words) {
    switch (callee->called) {
        case Called::kAnything: return callAnything(context, words, callee->arguments.size());
        case Called::kAnythingSpread: return callSpread(context, words);
        case Called::kFunction: break;
    }
    ensureFrames(context);
    ShortVector<PyObject*, 16> parameters(callee->arguments.size() - callee->boxedParameters.size());
    for (size_t index = 0; index < parameters.size(); index++) {
        parameters[index] = takeParameter(*callee, words + 1, index);
    }
    PyObject* result = nullptr;
    if (std::find(parameters.begin(), parameters.end(), nullptr) == parameters.end()) {
        GivenBack charge(threadOf(context), kEvaluationCost);
        result = JitEngine::instance().callTaking(reinterpret_cast<PyFunctionObject*>(words[0]), parameters.data(), *callee);
    } else {
        std::for_each(parameters.begin(), parameters.end(), Py_XDECREF);  // no memory for a number
    }
    return objectResult(result);
}

}  // namespace kiln
