// A loop whose iterations run on all cores. Two Python functions make it: the body runs a part of the iterations and returns a tuple
// of scalars, and the driver is a kernel whose blocks each call the body for their part, and keep its results.
#include "gpu/runtime/parallel_loop.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "gpu/runtime/errors.h"
#include "gpu/runtime/kernel.h"

namespace kiln::gpu {
namespace {

constexpr int kBodyParameters = 4;  // in front of the loop's own: first, end, step, block

// What the body returns for one list of types.
struct BodyForm {
    std::vector<uintptr_t> key;
    std::vector<Binding> bindings;
    std::vector<const Type*> results;
    bool draws = false;       // random numbers
    bool movesParts = false;  // between arrays, which must not overlap then
};

struct LoopState {
    KernelOptions options;
    std::unique_ptr<Kernel> driver;
    std::vector<std::unique_ptr<BodyForm>> forms;
};

struct LoopObject {
    PyObject_HEAD LoopState* state;
    PyObject* body;
    PyObject* driver;
};

PyTypeObject* loopObjectType = nullptr;

// ParallelLoop(body, driver, divides, fastmath)
PyObject* makeLoop(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject* body = nullptr;
    PyObject* driver = nullptr;
    int divides = 0;
    int fastmath = 0;
    if (!PyArg_ParseTuple(arguments, "O!O!pp", &PyFunction_Type, &body, &PyFunction_Type, &driver, &divides, &fastmath)) {
        return nullptr;
    }
    auto* object = reinterpret_cast<LoopObject*>(type->tp_alloc(type, 0));
    if (object != nullptr) {
        object->state = new LoopState;
        object->state->options.isLoop = true;
        object->state->options.divides = divides != 0;
        object->state->options.fastmath = fastmath != 0;
        object->body = Py_NewRef(body);
        object->driver = Py_NewRef(driver);
        object->state->driver = std::make_unique<Kernel>(driver, object->state->options);
    }
    return reinterpret_cast<PyObject*>(object);
}

void freeLoop(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    auto* loop = reinterpret_cast<LoopObject*>(object);
    PyObject_GC_UnTrack(object);
    delete loop->state;
    Py_XDECREF(loop->body);
    Py_XDECREF(loop->driver);
    type->tp_free(object);
    Py_DECREF(type);
}

int traverseLoop(PyObject* object, visitproc visit, void* arg) {
    auto* loop = reinterpret_cast<LoopObject*>(object);
    Py_VISIT(loop->body);
    Py_VISIT(loop->driver);
    Py_VISIT(Py_TYPE(object));
    if (loop->state == nullptr) {
        return 0;
    }
    for (const auto& form : loop->state->forms) {
        for (const Binding& binding : form->bindings) {
            Py_VISIT(binding.holder.get());
            Py_VISIT(binding.value.get());
        }
    }
    return loop->state->driver->traverse(visit, arg);
}

// nullptr with `refusal` set.
const BodyForm* formFor(LoopObject& loop, const ArgumentList& arguments, std::string& refusal) {
    std::vector<std::unique_ptr<BodyForm>>& forms = loop.state->forms;
    for (const auto& form : forms) {
        if (form->key == arguments.key() && stillHolds(form->bindings)) {
            return form.get();
        }
    }
    FrontendOptions options = loopOptions(loop.state->options);
    options.isDevice = true;
    std::vector<Value> types(kBodyParameters, Value::ofType(scalarType(Scalar::kInt64)));
    for (Value& type : arguments.types()) {
        types.push_back(std::move(type));
    }
    FrontendResult typed = compileFrontend(loop.body, types, options);
    if (typed.module == nullptr) {
        refusal = typed.error.message;
        return nullptr;
    }
    auto form = std::make_unique<BodyForm>();
    for (const Value& result : typed.returned.items) {
        if (!result.isScalar()) {
            refusal = "a result of the loop is " + describe(result);
            return nullptr;
        }
        form->results.push_back(result.type);
    }
    for (const auto& function : typed.module->functions) {
        forEach(function->body, [&](const Instruction& instruction) { form->draws = form->draws || instruction.op == Op::kDynamicArray; });
    }
    form->movesParts = typed.module->movesParts;
    form->key = arguments.key();
    form->bindings = std::move(typed.bindings);
    forms.push_back(std::move(form));
    return forms.back().get();
}

Ref<> numberAt(const uint8_t* at, const Type* type) {
    if (type->isComplex()) {
        const Type* part = partType(type);
        auto bytes = static_cast<size_t>(part->bytes());
        int64_t bits[2] = {0, 0};
        std::memcpy(&bits[0], at, bytes);
        std::memcpy(&bits[1], at + bytes, bytes);
        return Ref<>::steal(PyComplex_FromDoubles(floatOf(bits[0], part), floatOf(bits[1], part)));
    }
    int64_t bits = 0;
    std::memcpy(&bits, at, static_cast<size_t>(type->bytes()));
    if (type->isFloat()) {
        return Ref<>::steal(PyFloat_FromDouble(floatOf(bits, type)));
    }
    if (type->isBool()) {
        return Ref<>::borrow(bits != 0 ? Py_True : Py_False);
    }
    if (type->isSigned()) {
        return Ref<>::steal(PyLong_FromLongLong(bits << (64 - type->bits) >> (64 - type->bits)));
    }
    return Ref<>::steal(PyLong_FromUnsignedLongLong(static_cast<uint64_t>(bits)));
}

// (the type's name, a list of what each block has given)
Ref<> resultOf(const std::vector<uint8_t>& memory, const Type* type, int64_t count) {
    Ref<> list = Ref<>::steal(PyList_New(count));
    for (int64_t i = 0; list && i < count; i++) {
        Ref<> number = numberAt(memory.data() + i * type->bytes(), type);
        if (!number) {
            return number;
        }
        PyList_SET_ITEM(list.get(), i, number.release());
    }
    return list ? Ref<>::steal(Py_BuildValue("(sO)", type->name.c_str(), list.get())) : list;
}

// The iterations, and what the generators of random numbers begin with: drawn from the program's own only if the loop needs it.
bool addOwn(ArgumentList& arguments, PyObject* const* iterations, bool draws) {
    constexpr Py_ssize_t kIterations = 4;
    for (Py_ssize_t i = 0; i < kIterations; i++) {
        if (!arguments.add(iterations[i])) {
            return false;
        }
    }
    Ref<> module = Ref<>::steal(draws ? PyImport_ImportModule("numba.prange_random") : nullptr);
    Ref<> seeds = Ref<>::steal(module ? PyObject_CallMethod(module.get(), "seeds", nullptr) : draws ? nullptr : Py_BuildValue("(ii)", 0, 0));
    return seeds && arguments.add(PyTuple_GET_ITEM(seeds.get(), 0)) && arguments.add(PyTuple_GET_ITEM(seeds.get(), 1));
}

// run(first, step, count, size, blocks, cores, arguments...): blocks of `size` of the `count` iterations. A tuple with what the
// blocks gave for each result, or a text: why it cannot be run, and nothing of it was.
PyObject* run(PyObject* self, PyObject* const* given, Py_ssize_t count) {
    constexpr Py_ssize_t kOwn = 6;
    constexpr int64_t kStateBytes = 32;  // of a block's generators
    auto& loop = *reinterpret_cast<LoopObject*>(self);
    if (count < kOwn) {
        return PyErr_Format(PyExc_TypeError, "run() takes at least %zd arguments", kOwn);
    }
    LaunchShape shape;
    shape.grid[0] = static_cast<int32_t>(PyLong_AsLong(given[4]));
    shape.dynamicBytes = kStateBytes;
    shape.cores = static_cast<int32_t>(PyLong_AsLong(given[5]));
    ArgumentList arguments;
    std::string refusal;
    bool taken = PyErr_Occurred() == nullptr;
    for (Py_ssize_t i = kOwn; taken && i < count; i++) {
        taken = arguments.add(given[i]);
    }
    if (!taken) {
        refusal = takeMessage();
    }
    const BodyForm* form = refusal.empty() ? formFor(loop, arguments, refusal) : nullptr;
    if (form == nullptr) {
        return PyUnicode_FromString(refusal.c_str());
    }
    if (arguments.anyOverlap() && form->movesParts) {
        return PyUnicode_FromString("arrays of which parts are stored to each other lie in the same memory");
    }
    if (!addOwn(arguments, given, form->draws)) {
        return PyUnicode_FromString(takeMessage().c_str());
    }
    std::vector<const Type*> types = form->results;
    std::vector<std::vector<uint8_t>> memory;
    for (const Type* type : types) {
        memory.emplace_back(static_cast<size_t>(type->bytes()) * static_cast<size_t>(shape.grid[0]));
        arguments.addMemory(memory.back().data(), type, shape.grid[0]);
    }
    if (!loop.state->driver->runLoop(arguments, shape, refusal)) {
        return refusal.empty() ? nullptr : PyUnicode_FromString(refusal.c_str());
    }
    Ref<> results = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(types.size())));
    for (size_t i = 0; results && i < types.size(); i++) {
        Ref<> result = resultOf(memory[i], types[i], shape.grid[0]);
        if (!result) {
            return nullptr;
        }
        PyTuple_SET_ITEM(results.get(), static_cast<Py_ssize_t>(i), result.release());
    }
    return results.release();
}

PyMethodDef loopMethods[] = {
    {"run", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(run)), METH_FASTCALL,
     "run(first, step, count, size, blocks, cores, arguments...) -> what the blocks gave, or why it cannot run"},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot loopSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(makeLoop)},
    {Py_tp_dealloc, reinterpret_cast<void*>(freeLoop)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverseLoop)},
    {Py_tp_methods, loopMethods},
    {0, nullptr},
};
PyType_Spec loopSpec = {"_kiln.ParallelLoop", sizeof(LoopObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, loopSlots};

}  // namespace

PyObject* parallelLoopType() {
    if (loopObjectType == nullptr) {
        loopObjectType = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&loopSpec));
    }
    return Py_XNewRef(reinterpret_cast<PyObject*>(loopObjectType));
}

}  // namespace kiln::gpu
