#include "interp/foreign_code.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

// The linker's: where the executable, which CPython is part of, lies in memory.
extern "C" const char __executable_start;
extern "C" const char _end;

namespace kiln {
namespace {

struct Range {
    uintptr_t begin;
    uintptr_t end;
};

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

int addRange(dl_phdr_info* object, size_t, void* ranges) {
    if (!isOfLibrary(object->dlpi_name)) {
        return 0;
    }
    Range range{UINTPTR_MAX, 0};
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[index];
        if (segment.p_type == PT_LOAD) {
            range.begin = std::min<uintptr_t>(range.begin, object->dlpi_addr + segment.p_vaddr);
            range.end = std::max<uintptr_t>(range.end, object->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
    }
    static_cast<std::vector<Range>*>(ranges)->push_back(range);
    return 0;
}

int countObjects(dl_phdr_info* object, size_t, void* count) {
    *static_cast<uint64_t*>(count) = object->dlpi_adds;
    return 1;  // the first one tells
}

// Where the standard library's extension modules lie, which are never unloaded. Read again when objects were loaded since. Guarded by the GIL.
bool isInLibrary(uintptr_t address) {
    static auto* const ranges = new std::vector<Range>;
    static uint64_t known = 0;
    auto contains = [&](const Range& range) { return address >= range.begin && address < range.end; };
    if (std::ranges::any_of(*ranges, contains)) {
        return true;
    }
    uint64_t loaded = 0;
    dl_iterate_phdr(countObjects, &loaded);
    if (loaded == known) {
        return false;
    }
    known = loaded;
    ranges->clear();
    dl_iterate_phdr(addRange, ranges);
    return std::ranges::any_of(*ranges, contains);
}

template <typename Function>
bool isForeign(Function* function) {
    auto address = reinterpret_cast<uintptr_t>(function);
    const bool isInside = address >= reinterpret_cast<uintptr_t>(&__executable_start) && address < reinterpret_cast<uintptr_t>(&_end);
    return function != nullptr && !isInside && !isInLibrary(address);
}

}  // namespace

bool entersForeignCode(PyObject* callable) {
    if (PyFunction_Check(callable)) {
        return false;
    }
    if (PyMethod_Check(callable)) {
        return entersForeignCode(PyMethod_GET_FUNCTION(callable));
    }
    if (PyCFunction_Check(callable)) {
        return isForeign(PyCFunction_GET_FUNCTION(callable));
    }
    if (Py_IS_TYPE(callable, &PyMethodDescr_Type)) {
        return isForeign(reinterpret_cast<PyMethodDescrObject*>(callable)->d_method->ml_meth);
    }
    if (PyType_Check(callable)) {
        auto* cls = reinterpret_cast<PyTypeObject*>(callable);
        return isForeign(Py_TYPE(cls)->tp_call) || isForeign(cls->tp_new) || isForeign(cls->tp_init);
    }
    return isForeign(Py_TYPE(callable)->tp_call);
}

}  // namespace kiln
