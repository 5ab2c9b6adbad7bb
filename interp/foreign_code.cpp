#include "interp/foreign_code.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

// The linker's: where the executable, which CPython is part of, lies in memory.
extern "C" const char __executable_start;
extern "C" const char _end;

namespace kiln {
namespace {

// An extension module of the standard library, but for those that test CPython's inside, and _ctypes, which calls whatever code it is told.
bool isOfLibrary(std::string_view path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return false;
    }
    const std::string_view folder = path.substr(0, slash);
    const std::string_view name = path.substr(slash + 1);
    const bool isTest = name.starts_with("_test") || name.starts_with("_xx") || name.starts_with("xx");
    return folder.ends_with("/lib-dynload") && !isTest && !name.starts_with("_ctypes");
}

// Asked once for each address. A library that is loaded where another one was counts as that: the standard library's are never unloaded.
bool isInLibrary(uintptr_t address) {
    static auto* const answers = new std::unordered_map<uintptr_t, bool>;  // guarded by the GIL
    const auto [answer, isNew] = answers->try_emplace(address, false);
    Dl_info found{};
    if (isNew && dladdr(reinterpret_cast<void*>(address), &found) != 0 && found.dli_fname != nullptr) {
        answer->second = isOfLibrary(found.dli_fname);
    }
    return answer->second;
}

// The same for those asked for last: programs call few.
bool isInLibraryAgain(uintptr_t address) {
    constexpr int kBits = 8;
    struct Answer {
        uintptr_t address = 0;
        bool isInLibrary = false;
    };
    static Answer answers[size_t{1} << kBits];  // guarded by the GIL
    Answer& answer = answers[address * 0x9E3779B97F4A7C15u >> (64 - kBits)];
    if (answer.address != address) {
        answer = {address, isInLibrary(address)};
    }
    return answer.isInLibrary;
}

// Most functions are of the executable.
template <typename Function>
inline bool isForeign(Function* function) {
    auto address = reinterpret_cast<uintptr_t>(function);
    const auto start = reinterpret_cast<uintptr_t>(&__executable_start);
    const bool isInside = address - start < reinterpret_cast<uintptr_t>(&_end) - start;
    return !isInside && function != nullptr && !isInLibraryAgain(address);
}

// CPython's own that read frames where they lie: faulthandler's, as in a signal handler, and the classes that ask what module they were
// called in (TypeVar and the like).
bool readsMemoryOfFrames(PyObject* callable) {
    auto begins = [](const char* name, std::string_view sought) { return std::strncmp(name, sought.data(), sought.size()) == 0; };
    return PyType_Check(callable) ? begins(reinterpret_cast<PyTypeObject*>(callable)->tp_name, "typing.")
                                  : begins(reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name, "dump_traceback");
}

}  // namespace

bool entersForeignCode(PyObject* callable) {
    if (PyFunction_Check(callable)) {
        return false;
    }
    if (PyMethod_Check(callable)) {
        return entersForeignCode(PyMethod_GET_FUNCTION(callable));
    }
    if (Py_IS_TYPE(callable, &PyMethodDescr_Type)) {
        return isForeign(reinterpret_cast<PyMethodDescrObject*>(callable)->d_method->ml_meth);
    }
    if (PyCFunction_Check(callable)) {
        return isForeign(PyCFunction_GET_FUNCTION(callable)) || readsMemoryOfFrames(callable);
    }
    if (PyType_Check(callable)) {
        auto* cls = reinterpret_cast<PyTypeObject*>(callable);
        return isForeign(Py_TYPE(cls)->tp_call) || isForeign(cls->tp_new) || isForeign(cls->tp_init) || readsMemoryOfFrames(callable);
    }
    return isForeign(Py_TYPE(callable)->tp_call);
}

}  // namespace kiln
