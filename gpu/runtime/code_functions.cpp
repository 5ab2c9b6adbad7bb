// _kiln's functions about code that programs compile, link and load themselves.
#include "gpu/driver/cuda_compiler.h"
#include "gpu/driver/library_scope.h"
#include "gpu/driver/linker.h"
#include "gpu/frontend/linked_code.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/device_functions.h"
#include "gpu/runtime/errors.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

PyObject* bytesOf(const std::string& image) {
    return PyBytes_FromStringAndSize(image.data(), static_cast<Py_ssize_t>(image.size()));
}

// Does `work` with NVRTC for an architecture, without the GIL.
template <typename Work>
Failure withCompiler(int sm, const Work& work) {
    Failure failure;
    auto run = [&] {
        LibraryScope scope;
        const Nvrtc* nvrtc = openCompiler(sm, failure);
        if (nvrtc != nullptr) {
            work(*nvrtc, failure);
        }
    };
    Py_BEGIN_ALLOW_THREADS
    run();
    Py_END_ALLOW_THREADS
    return failure;
}

// False with an exception.
bool readTexts(PyObject* tuple, std::vector<std::string>& texts) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        const char* text = PyUnicode_AsUTF8(PyTuple_GET_ITEM(tuple, i));
        if (text == nullptr) {
            return false;
        }
        texts.emplace_back(text);
    }
    return true;
}

// compile_text(text, name, capability, kind, options) -> image
PyObject* compile(PyObject*, PyObject* arguments) {
    PyObject* text = nullptr;  // bytes
    const char* name = nullptr;
    int sm = 0;
    const char* kind = nullptr;
    PyObject* options = nullptr;
    std::vector<std::string> more;
    if (!PyArg_ParseTuple(arguments, "SsisO!", &text, &name, &sm, &kind, &PyTuple_Type, &options) || !readTexts(options, more)) {
        return nullptr;
    }
    std::string wanted = kind;
    ImageKind form = wanted == "ltoir" ? ImageKind::kLtoIr : wanted == "ptx" ? ImageKind::kPtx : ImageKind::kCubin;
    LinkedCode code = {"cu", name, {PyBytes_AS_STRING(text), static_cast<size_t>(PyBytes_GET_SIZE(text))}};
    std::string image;
    Failure failure =
        withCompiler(sm, [&](const Nvrtc& nvrtc, Failure& why) { compileText(nvrtc, sm, code, form, more, image, why); });
    return failure ? raise(failure) : bytesOf(image);
}

// link(pieces, capability, options, as_ptx) -> (image, log)
PyObject* link(PyObject*, PyObject* arguments) {
    PyObject* list = nullptr;
    PyObject* texts = nullptr;
    int sm = 0;
    int asPtx = 0;
    LinkWishes wishes = {"the code", {}, false};
    std::vector<LinkedCode> pieces;
    std::vector<Ref<>> watchers;
    if (!PyArg_ParseTuple(arguments, "O!iO!p", &PyTuple_Type, &list, &sm, &PyTuple_Type, &texts, &asPtx) ||
        !readLinkedCode(list, pieces, watchers) || !readTexts(texts, wishes.options)) {
        return nullptr;
    }
    wishes.asPtx = asPtx != 0;
    std::string image;
    std::string log;
    Failure failure =
        withCompiler(sm, [&](const Nvrtc& nvrtc, Failure& why) { linkPieces(nvrtc, sm, pieces, wishes, image, why, &log); });
    return failure ? raise(failure)
                   : Py_BuildValue("NN", bytesOf(image), PyUnicode_DecodeUTF8(log.data(), static_cast<Py_ssize_t>(log.size()), "replace"));
}

PyObject* load(PyObject*, PyObject* image) {
    Backend* where = PyBytes_Check(image) ? required() : nullptr;
    if (where == nullptr) {
        return PyErr_Occurred() != nullptr ? nullptr : PyErr_Format(PyExc_TypeError, "an image is bytes");
    }
    uintptr_t library = 0;
    Failure failure = where->loadImage({PyBytes_AS_STRING(image), static_cast<size_t>(PyBytes_GET_SIZE(image))}, library);
    return failure ? raise(failure) : PyLong_FromUnsignedLongLong(library);
}

PyObject* unload(PyObject*, PyObject* number) {
    auto library = static_cast<uintptr_t>(PyLong_AsUnsignedLongLong(number));
    Backend* where = PyErr_Occurred() == nullptr ? chosenBackend() : nullptr;
    if (where != nullptr) {
        where->unloadImage(library);
    }
    return PyErr_Occurred() != nullptr ? nullptr : Py_NewRef(Py_None);
}

// What a library that was loaded has by a name.
struct NamedInImage {
    Backend* where = nullptr;
    unsigned long long library = 0;
    const char* name = nullptr;
};

// False with an exception.
bool readNamed(PyObject* arguments, NamedInImage& asked) {
    asked.where = PyArg_ParseTuple(arguments, "Ks", &asked.library, &asked.name) ? required() : nullptr;
    return asked.where != nullptr;
}

// image_function(library, name) -> number
PyObject* function(PyObject*, PyObject* arguments) {
    NamedInImage asked;
    if (!readNamed(arguments, asked)) {
        return nullptr;
    }
    uintptr_t found = 0;
    Failure failure = asked.where->imageFunction(asked.library, asked.name, found);
    return failure ? raise(failure) : PyLong_FromUnsignedLongLong(found);
}

// image_variable(library, name) -> (address, bytes)
PyObject* variable(PyObject*, PyObject* arguments) {
    NamedInImage asked;
    if (!readNamed(arguments, asked)) {
        return nullptr;
    }
    uintptr_t address = 0;
    int64_t bytes = 0;
    Failure failure = asked.where->imageVariable(asked.library, asked.name, address, bytes);
    return failure ? raise(failure) : Py_BuildValue("(KL)", static_cast<unsigned long long>(address), static_cast<long long>(bytes));
}

// function_attribute(function, number) -> value; with a value as well, sets it
PyObject* attribute(PyObject*, PyObject* arguments) {
    unsigned long long function = 0;
    int number = 0;
    int value = 0;
    Backend* where = PyArg_ParseTuple(arguments, "Ki|i", &function, &number, &value) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    bool sets = PyTuple_GET_SIZE(arguments) == 3;
    Failure failure = sets ? where->setFunctionAttribute(function, number, value) : where->functionAttribute(function, number, value);
    return failure ? raise(failure) : PyLong_FromLong(value);
}

// function_blocks(function, threads, dynamic bytes) -> how many run on a multiprocessor at the same time
PyObject* blocks(PyObject*, PyObject* arguments) {
    unsigned long long function = 0;
    int threads = 0;
    Py_ssize_t dynamicBytes = 0;
    int found = 0;
    Backend* where = PyArg_ParseTuple(arguments, "Kin", &function, &threads, &dynamicBytes) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    Failure failure = where->functionBlocks(function, threads, dynamicBytes, found);
    return failure ? raise(failure) : PyLong_FromLong(found);
}

PyObject* context(PyObject*, PyObject* number) {
    int device = static_cast<int>(PyLong_AsLong(number));
    Backend* where = PyErr_Occurred() == nullptr ? required() : nullptr;
    return where != nullptr ? PyLong_FromUnsignedLongLong(where->contextHandle(device)) : nullptr;
}

PyObject* hasStarted(PyObject*, PyObject*) {
    return PyBool_FromLong(chosenBackend() != nullptr);
}

PyObject* canAccessPeer(PyObject*, PyObject* arguments) {
    int device = 0;
    int peer = 0;
    Backend* where = PyArg_ParseTuple(arguments, "ii", &device, &peer) ? required() : nullptr;
    return where != nullptr ? PyBool_FromLong(where->canAccessPeer(device, peer)) : nullptr;
}

PyObject* enablePeer(PyObject*, PyObject* number) {
    auto peer = static_cast<uintptr_t>(PyLong_AsUnsignedLongLong(number));
    Backend* where = PyErr_Occurred() == nullptr ? required() : nullptr;
    Failure failure = where != nullptr ? where->enablePeerAccess(peer) : Failure();
    return where == nullptr ? nullptr : failure ? raise(failure) : Py_NewRef(Py_None);
}

PyMethodDef methods[] = {
    {"kernel_compile_text", compile, METH_VARARGS, "kernel_compile_text(text, name, capability, 'cubin', 'ptx' or 'ltoir', options) -> image"},
    {"kernel_link", link, METH_VARARGS, "kernel_link((kind, name, bytes, None) of each piece, capability, options, as_ptx) -> (image, log)"},
    {"kernel_load_image", load, METH_O, "kernel_load_image(image) -> library, on the device in use"},
    {"kernel_unload_image", unload, METH_O, "kernel_unload_image(library)"},
    {"kernel_image_function", function, METH_VARARGS, "kernel_image_function(library, name) -> function"},
    {"kernel_image_variable", variable, METH_VARARGS, "kernel_image_variable(library, name) -> (address, bytes)"},
    {"kernel_function_attribute", attribute, METH_VARARGS, "kernel_function_attribute(function, number) -> value, or (function, number, value)"},
    {"kernel_function_blocks", blocks, METH_VARARGS, "kernel_function_blocks(function, threads, dynamic bytes) -> blocks on a multiprocessor"},
    {"kernel_has_started", hasStarted, METH_NOARGS, "kernel_has_started() -> whether it is chosen where kernels run"},
    {"kernel_context", context, METH_O, "kernel_context(device) -> the driver's number of its context; 0 on the CPU"},
    {"kernel_can_access_peer", canAccessPeer, METH_VARARGS, "kernel_can_access_peer(device, peer) -> whether it may use the peer's memory"},
    {"kernel_enable_peer", enablePeer, METH_O, "kernel_enable_peer(context): the device in use may use that one's memory"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* codeFunctions() {
    return methods;
}

}  // namespace kiln::gpu
