// Python objects for kernels: Kernel is the base of numba.cuda's dispatcher, Launcher is kernel[grid, block].
#include "gpu/runtime/kernel_object.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "gpu/driver/cuda_compiler.h"
#include "gpu/frontend/linked_code.h"
#include "gpu/frontend/type_description.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/launch_call.h"

namespace kiln::gpu {
namespace {

PyTypeObject* kernelObjectType = nullptr;
PyTypeObject* launcherObjectType = nullptr;

struct KernelObject {
    PyObject_HEAD Kernel* kernel;
    PyObject* function;
    PyObject* launchers;  // a dict, by configuration
};

struct LauncherObject {
    PyObject_HEAD KernelObject* kernel;
    vectorcallfunc call;
    LaunchShape shape;
    uintptr_t stream;
    PyObject* owner;      // of the stream
    PyObject* callbacks;  // called before each launch; nullptr until they are asked for
};

// Kernel(py_func, fastmath, lineinfo, debug, optimise, device, max_registers, launch_bounds, carveout, linked code)
PyObject* makeKernel(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject* function = nullptr;
    PyObject* links = nullptr;
    std::vector<Ref<>> watchers;
    KernelOptions options;
    int fastmath = 0;
    int lineinfo = 0;
    int debug = 0;
    int optimise = 1;
    int device = 0;
    if (!PyArg_ParseTuple(arguments, "O!pppppi(iii)iO", &PyFunction_Type, &function, &fastmath, &lineinfo, &debug,
                          &optimise, &device, &options.maxRegisters, &options.launchBounds[0], &options.launchBounds[1],
                          &options.launchBounds[2], &options.carveout, &links) ||
        !readLinkedCode(links, options.links, watchers)) {
        return nullptr;
    }
    options.fastmath = fastmath != 0;
    options.lineinfo = lineinfo != 0;
    options.debug = debug != 0;
    options.optimise = optimise != 0;
    options.isDevice = device != 0;
    auto* object = reinterpret_cast<KernelObject*>(type->tp_alloc(type, 0));
    if (object != nullptr) {
        object->kernel = new Kernel(function, options, std::move(watchers));
        object->function = Py_NewRef(function);
        object->launchers = PyDict_New();
        if (object->launchers == nullptr) {
            Py_CLEAR(object);
        }
    }
    return reinterpret_cast<PyObject*>(object);
}

void freeKernel(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    delete reinterpret_cast<KernelObject*>(object)->kernel;
    Py_XDECREF(reinterpret_cast<KernelObject*>(object)->function);
    Py_XDECREF(reinterpret_cast<KernelObject*>(object)->launchers);
    type->tp_free(object);
    Py_DECREF(type);
}

int traverseKernel(PyObject* object, visitproc visit, void* arg) {
    auto* kernel = reinterpret_cast<KernelObject*>(object);
    Py_VISIT(kernel->function);
    Py_VISIT(kernel->launchers);
    Py_VISIT(Py_TYPE(object));
    return kernel->kernel != nullptr ? kernel->kernel->traverse(visit, arg) : 0;
}

int clearKernel(PyObject* object) {
    PyObject* launchers = reinterpret_cast<KernelObject*>(object)->launchers;  // which have the kernel
    return launchers != nullptr ? (PyDict_Clear(launchers), 0) : 0;
}

bool parseTypes(PyObject* tuple, std::vector<Value>& out) {
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "types must be a tuple");
        return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        out.emplace_back();
        if (!parseType(PyTuple_GET_ITEM(tuple, i), out.back())) {
            return false;
        }
    }
    return true;
}

// The form for a tuple of types; nullptr with an exception.
Specialisation* formFor(Kernel& kernel, PyObject* given) {
    std::vector<Value> types;
    return parseTypes(given, types) ? kernel.specialise(types) : nullptr;
}

// _add_signature(types, is_final)
PyObject* addSignature(PyObject* self, PyObject* arguments) {
    PyObject* given = nullptr;
    int isFinal = 0;
    std::vector<Value> types;
    if (!PyArg_ParseTuple(arguments, "Op", &given, &isFinal) || !parseTypes(given, types) ||
        !reinterpret_cast<KernelObject*>(self)->kernel->addSignature(types, isFinal != 0)) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

// _forms(): for each form the types that it is for, as the package describes them.
PyObject* forms(PyObject* self, PyObject*) {
    Ref<> list = Ref<>::steal(PyList_New(0));
    for (const auto& form : reinterpret_cast<KernelObject*>(self)->kernel->specialisations()) {
        Ref<> types = describedTypes(form->types);
        if (!types || PyList_Append(list.get(), types.get()) != 0) {
            return nullptr;
        }
    }
    return list.release();
}

// _recompile(): all forms again.
PyObject* recompile(PyObject* self, PyObject*) {
    if (!reinterpret_cast<KernelObject*>(self)->kernel->recompile()) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

// _images(): for each piece of machine code the types that it is for, and whether it was on disk.
PyObject* images(PyObject* self, PyObject*) {
    Ref<> list = Ref<>::steal(PyList_New(0));
    for (const auto& form : reinterpret_cast<KernelObject*>(self)->kernel->specialisations()) {
        for (const CompiledForm& made : form->compiled) {
            Ref<> types = describedTypes(form->types);
            Ref<> row = Ref<>::steal(types ? Py_BuildValue("(OO)", types.get(), made.kernel->fromCache ? Py_True : Py_False) : nullptr);
            if (!row || PyList_Append(list.get(), row.get()) != 0) {
                return nullptr;
            }
        }
    }
    return list.release();
}

// _most_cooperative(types, threads, dynamic_bytes)
PyObject* mostCooperative(PyObject* self, PyObject* arguments) {
    PyObject* given = nullptr;
    Py_ssize_t threads = 0;
    Py_ssize_t dynamic = 0;
    if (!PyArg_ParseTuple(arguments, "Onn", &given, &threads, &dynamic)) {
        return nullptr;
    }
    Kernel& kernel = *reinterpret_cast<KernelObject*>(self)->kernel;
    Specialisation* form = formFor(kernel, given);
    int64_t most = form != nullptr ? kernel.mostCooperativeBlocks(*form, threads, dynamic) : -1;
    return most >= 0 ? PyLong_FromLongLong(most) : nullptr;
}

// _source(types, what): the text of the form for these types, or with None of all forms: "cuda", "asm" or "ir".
PyObject* source(PyObject* self, PyObject* arguments) {
    PyObject* given = nullptr;
    const char* what = nullptr;
    if (!PyArg_ParseTuple(arguments, "Os", &given, &what)) {
        return nullptr;
    }
    Kernel& kernel = *reinterpret_cast<KernelObject*>(self)->kernel;
    std::vector<const Specialisation*> forms;
    if (given == Py_None) {
        for (const auto& form : kernel.specialisations()) {
            forms.push_back(form.get());
        }
    } else {
        forms.push_back(formFor(kernel, given));
    }
    std::string text;
    for (const Specialisation* form : forms) {
        Failure failure;
        if (form == nullptr) {
            return nullptr;
        }
        if (std::strcmp(what, "ir") == 0) {
            text += print(*form->module);
            continue;
        }
        Backend* where = backend(failure);
        text += where != nullptr
                    ? where->source(*form->module, kernel.options(), std::strcmp(what, "asm") == 0, failure)
                    : "";
        if (failure) {
            return raise(failure);
        }
        text.resize(text.find_last_not_of('\0') + 1);  // NVRTC's PTX ends in one
    }
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

// _image(types, architecture, "cubin", "ptx" or "ltoir") -> bytes: what NVRTC makes of the form for these types.
PyObject* image(PyObject* self, PyObject* arguments) {
    PyObject* given = nullptr;
    int architecture = 0;
    const char* what = nullptr;
    if (!PyArg_ParseTuple(arguments, "Ois", &given, &architecture, &what)) {
        return nullptr;
    }
    ImageKind kind = std::strcmp(what, "ptx") == 0     ? ImageKind::kPtx
                     : std::strcmp(what, "ltoir") == 0 ? ImageKind::kLtoIr
                                                       : ImageKind::kCubin;
    Kernel& kernel = *reinterpret_cast<KernelObject*>(self)->kernel;
    const Specialisation* form = formFor(kernel, given);
    if (form == nullptr) {
        return nullptr;
    }
    std::string bytes;
    Failure failure;
    bool made = false;
    bool fromCache = false;
    Py_BEGIN_ALLOW_THREADS made =
        compileCuda(*form->module, kernel.options(), architecture, kind, {}, bytes, fromCache, failure);
    Py_END_ALLOW_THREADS return made ? PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()))
                                     : raise(failure);
}

// _check_images(architectures): compiles all forms there are for all these; how many there are.
PyObject* checkImages(PyObject* self, PyObject* architectures) {
    Kernel& kernel = *reinterpret_cast<KernelObject*>(self)->kernel;
    long count = 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(architectures); i++) {
        int architecture = static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(architectures, i)));
        for (const auto& form : kernel.specialisations()) {
            Failure failure;
            bool made = false;
            Py_BEGIN_ALLOW_THREADS made = compileAllForms(*form->module, kernel.options(), architecture, failure);
            Py_END_ALLOW_THREADS if (!made) {
                return raise(failure);
            }
            count++;
        }
    }
    return PyErr_Occurred() != nullptr ? nullptr : PyLong_FromLong(count);
}

// kernel[configuration]: a launcher that was made before, without a step of Python's, or what the dispatcher makes of it.
PyObject* configured(PyObject* self, PyObject* configuration) {
    PyObject* known = knownLauncher(reinterpret_cast<KernelObject*>(self)->launchers, configuration);
    return known != nullptr || PyErr_Occurred() != nullptr ? known : PyObject_CallMethod(self, "_configured", "(O)", configuration);
}

// Calls what the program wants called before each launch. False with its exception.
bool callBefore(LauncherObject* launcher) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(launcher->callbacks); i++) {
        Ref<> callback = Ref<>::borrow(PyList_GET_ITEM(launcher->callbacks, i));
        Ref<> result = Ref<>::steal(PyObject_CallFunctionObjArgs(callback.get(), launcher->kernel, launcher, nullptr));
        if (!result) {
            return false;
        }
    }
    return true;
}

PyObject* launcherCallbacks(PyObject* self, void*) {
    auto* launcher = reinterpret_cast<LauncherObject*>(self);
    if (launcher->callbacks == nullptr) {
        launcher->callbacks = PyList_New(0);
    }
    return Py_XNewRef(launcher->callbacks);
}

PyObject* launcherGrid(PyObject* self, void*) {
    const int32_t* size = reinterpret_cast<LauncherObject*>(self)->shape.grid;
    return Py_BuildValue("(iii)", size[0], size[1], size[2]);
}

PyObject* launcherBlock(PyObject* self, void*) {
    const int32_t* size = reinterpret_cast<LauncherObject*>(self)->shape.block;
    return Py_BuildValue("(iii)", size[0], size[1], size[2]);
}

PyObject* launcherShared(PyObject* self, void*) {
    return PyLong_FromLongLong(reinterpret_cast<LauncherObject*>(self)->shape.dynamicBytes);
}

PyObject* callLauncher(PyObject* self, PyObject* const* arguments, size_t count, PyObject* names) {
    auto* launcher = reinterpret_cast<LauncherObject*>(self);
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(launcher->kernel->function));
    auto positional = static_cast<size_t>(PyVectorcall_NARGS(count));
    bool hasNames = names != nullptr && PyTuple_GET_SIZE(names) > 0;
    bool hasDefaults = positional < static_cast<size_t>(code->co_argcount) && PyFunction_GET_DEFAULTS(launcher->kernel->function) != nullptr;
    std::vector<PyObject*> all;
    if (hasNames || hasDefaults) {
        all.assign(arguments, arguments + positional);
        if (!completeArguments(launcher->kernel->function, all, arguments + positional, names)) {
            return nullptr;
        }
        arguments = all.data();
        positional = all.size();
    }
    if (launcher->callbacks != nullptr && !callBefore(launcher)) {
        return nullptr;
    }
    if (!launcher->kernel->kernel->launch(arguments, positional, launcher->shape, launcher->stream)) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

// _launcher(grid, block, stream, dynamic_bytes, owner): grid and block are tuples of three ints; the owner keeps the stream.
PyObject* makeLauncher(PyObject* self, PyObject* arguments) {
    LaunchShape shape;
    Py_ssize_t stream = 0;
    Py_ssize_t dynamic = 0;
    PyObject* owner = nullptr;
    if (!PyArg_ParseTuple(arguments, "(iii)(iii)nnO", &shape.grid[0], &shape.grid[1], &shape.grid[2], &shape.block[0],
                          &shape.block[1], &shape.block[2], &stream, &dynamic, &owner)) {
        return nullptr;
    }
    shape.dynamicBytes = dynamic;
    std::string wrong = checkShape(shape);
    if (!wrong.empty()) {
        return raise(
            Failure{"CudaAPIError", "kernel " + reinterpret_cast<KernelObject*>(self)->kernel->name() + ": " + wrong, kInvalidValue});
    }
    auto* launcher = reinterpret_cast<LauncherObject*>(launcherObjectType->tp_alloc(launcherObjectType, 0));
    if (launcher != nullptr) {
        launcher->kernel = reinterpret_cast<KernelObject*>(Py_NewRef(self));
        launcher->call = callLauncher;
        launcher->shape = shape;
        launcher->stream = static_cast<uintptr_t>(stream);
        launcher->owner = Py_NewRef(owner);
    }
    return reinterpret_cast<PyObject*>(launcher);
}

int traverseLauncher(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(reinterpret_cast<PyObject*>(reinterpret_cast<LauncherObject*>(object)->kernel));
    Py_VISIT(reinterpret_cast<LauncherObject*>(object)->owner);
    Py_VISIT(reinterpret_cast<LauncherObject*>(object)->callbacks);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

void freeLauncher(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    Py_XDECREF(reinterpret_cast<PyObject*>(reinterpret_cast<LauncherObject*>(object)->kernel));
    Py_XDECREF(reinterpret_cast<LauncherObject*>(object)->owner);
    Py_XDECREF(reinterpret_cast<LauncherObject*>(object)->callbacks);
    type->tp_free(object);
    Py_DECREF(type);
}

// _best_block(dynamic_bytes, arguments...)
PyObject* bestBlock(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    Py_ssize_t dynamic = count > 0 ? PyLong_AsSsize_t(arguments[0]) : 0;
    int best = PyErr_Occurred() != nullptr
                   ? -1
                   : reinterpret_cast<KernelObject*>(self)->kernel->bestBlock(
                         arguments + 1, static_cast<size_t>(std::max<Py_ssize_t>(count - 1, 0)), dynamic);
    return best >= 0 ? PyLong_FromLong(best) : nullptr;
}

// _attribute(types or None, what) -> the number; with None a dict of description to number, for all forms.
PyObject* attribute(PyObject* self, PyObject* arguments) {
    PyObject* given = nullptr;
    const char* what = nullptr;
    if (!PyArg_ParseTuple(arguments, "Os", &given, &what)) {
        return nullptr;
    }
    Kernel& kernel = *reinterpret_cast<KernelObject*>(self)->kernel;
    if (given != Py_None) {
        Specialisation* form = formFor(kernel, given);
        int64_t value = form != nullptr ? kernel.attribute(*form, what) : -1;
        return value >= 0 ? PyLong_FromLongLong(value) : nullptr;
    }
    Ref<> numbers = Ref<>::steal(PyDict_New());
    for (size_t i = 0; numbers && i < kernel.specialisations().size(); i++) {
        Specialisation& form = *kernel.specialisations()[i];
        int64_t value = kernel.attribute(form, what);
        Ref<> number = value >= 0 ? Ref<>::steal(PyLong_FromLongLong(value)) : Ref<>();
        if (!number || PyDict_SetItemString(numbers.get(), describeTypes(form.types).c_str(), number.get()) != 0) {
            return nullptr;
        }
    }
    return numbers.release();
}

PyMethodDef kernelMethods[] = {
    {"_best_block", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(bestBlock)), METH_FASTCALL,
     "_best_block(dynamic_bytes, arguments...) -> the size of a block with the best occupancy"},
    {"_attribute", attribute, METH_VARARGS,
     "_attribute(types or None, what) -> a number of the machine code, or a dict of all"},
    {"_forms", forms, METH_NOARGS, "_forms() -> a tuple of types for each form"},
    {"_most_cooperative", mostCooperative, METH_VARARGS, "_most_cooperative(types, threads, dynamic_bytes): blocks that run at once"},
    {"_add_signature", addSignature, METH_VARARGS, "_add_signature(types, is_final): a form for these argument types"},
    {"_source", source, METH_VARARGS, "_source(types or None, 'cuda' or 'asm' or 'ir') -> text"},
    {"_recompile", recompile, METH_NOARGS, "_recompile(): builds all forms again"},
    {"_images", images, METH_NOARGS, "_images() -> list of (types, whether from the cache) of all machine code"},
    {"_image", image, METH_VARARGS, "_image(types, architecture, what) -> cubin, PTX or LTO-IR, by NVRTC"},
    {"_check_images", checkImages, METH_O,
     "_check_images(architectures) -> number of cubins made of the forms there are"},
    {"_launcher", makeLauncher, METH_VARARGS,
     "_launcher(grid, block, stream, dynamic_bytes) -> what launches when called"},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef kernelMembers[] = {
    {"py_func", T_OBJECT, offsetof(KernelObject, function), READONLY, nullptr},
    {"_launchers", T_OBJECT, offsetof(KernelObject, launchers), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyType_Slot kernelSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(makeKernel)},
    {Py_tp_dealloc, reinterpret_cast<void*>(freeKernel)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverseKernel)},
    {Py_tp_clear, reinterpret_cast<void*>(clearKernel)},
    {Py_mp_subscript, reinterpret_cast<void*>(configured)},
    {Py_tp_methods, kernelMethods},
    {Py_tp_members, kernelMembers},
    {0, nullptr},
};
PyType_Spec kernelSpec = {"_kiln.Kernel", sizeof(KernelObject), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, kernelSlots};

PyMemberDef launcherMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, call), READONLY, nullptr},
    {"_kernel", T_OBJECT, offsetof(LauncherObject, kernel), READONLY, nullptr},
    {"dispatcher", T_OBJECT, offsetof(LauncherObject, kernel), READONLY, nullptr},
    {"stream", T_OBJECT, offsetof(LauncherObject, owner), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef launcherGetters[] = {
    {"pre_launch_callbacks", launcherCallbacks, nullptr, "called with kernel and launcher before each launch", nullptr},
    {"griddim", launcherGrid, nullptr, nullptr, nullptr},
    {"blockdim", launcherBlock, nullptr, nullptr, nullptr},
    {"sharedmem", launcherShared, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot launcherSlots[] = {
    {Py_tp_getset, launcherGetters},
    {Py_tp_dealloc, reinterpret_cast<void*>(freeLauncher)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverseLauncher)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_members, launcherMembers},
    {0, nullptr},
};
PyType_Spec launcherSpec = {
    "_kiln.Launcher", sizeof(LauncherObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    launcherSlots};

}  // namespace

PyObject* kernelType() {
    if (kernelObjectType == nullptr) {
        launcherObjectType = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&launcherSpec));
        kernelObjectType =
            launcherObjectType != nullptr ? reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&kernelSpec)) : nullptr;
    }
    return Py_XNewRef(reinterpret_cast<PyObject*>(kernelObjectType));
}

}  // namespace kiln::gpu
