#include "jit/engine/codegen_loader.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "interp/config.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/support/executable_path.h"
#include "jit/engine/native_calls.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {
std::string codegenObjectPath() {
    std::string executable = kiln_executable_path();
    return executable.substr(0, executable.rfind('/')) + "/../lib/libkiln_llvm.so";
}

CodegenEnvironment makeCodegenEnvironment() {
    static_assert(sizeof(CodegenEnvironment::fields) == sizeof(KilnLayout));
    CodegenEnvironment environment;
    fillRuntimeFunctions(environment.runtime);
    fillHelpers(environment.helpers);
    environment.runtime[static_cast<int>(RuntimeFunction::k_call_fallback)] = reinterpret_cast<const void*>(callFallback);
    for (int function = 0; function < static_cast<int>(MathFunction::kCount); function++) {
        environment.math[function] = dlsym(RTLD_DEFAULT, kMathNames[function]);
    }
    std::memcpy(environment.fields, kiln_layout(), sizeof environment.fields);
    environment.valuesOffset = KILN_VALUES_WORD;
    environment.evalBreaker = kiln_eval_breaker(PyInterpreterState_Get());
    environment.objectTrue = Py_True;
    environment.objectFalse = Py_False;
    environment.floatClass = &PyFloat_Type;
    environment.listClass = &PyList_Type;
    environment.longClass = &PyLong_Type;
    environment.boolClass = &PyBool_Type;
    environment.signChanges = kSignChanges;
    environment.dumpLlvm = config().dumpLlvm;
    environment.dumpAssembly = config().dumpAsm;
    environment.nativeTools = config().perf;
    environment.codePlaces = config().jitdump;
    environment.stressDeopt = config().stressDeopt;
    environment.stressGc = config().stressGc;
    return environment;
}

void readCodegenAhead() {
    int file = open(codegenObjectPath().c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0) {
        readahead(file, 0, static_cast<size_t>(status.st_size));
    }
    if (file >= 0) {
        close(file);
    }
}

// Under a limit of memory that leaves no room for it nobody has to be told.
static bool hasRoomForCodegen() {
    constexpr size_t kOwnMemory = size_t{16} << 20;  // of its static objects
    struct stat status;
    if (stat(codegenObjectPath().c_str(), &status) != 0) {
        return true;
    }
    auto size = static_cast<size_t>(status.st_size) + kOwnMemory;
    void* room = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, size) == 0;
}

CreateCodegen openCodegen(std::string& error) {
    void* object = dlopen(codegenObjectPath().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr && !hasRoomForCodegen()) {
        error = "out of memory";
        return nullptr;
    }
    if (object == nullptr) {
        error = dlerror();
        std::fprintf(stderr, "kiln: warning: nothing is compiled, for kiln's compiler cannot be opened: %s; kiln -m kiln doctor tells more\n",
                     error.c_str());
        return nullptr;
    }
    auto create = reinterpret_cast<CreateCodegen>(dlsym(object, "kiln_create_codegen"));
    if (create == nullptr) {
        error = dlerror();
    }
    return create;
}

bool closeCodegen() {
    auto loaded = [] { return dlopen(codegenObjectPath().c_str(), RTLD_NOW | RTLD_NOLOAD); };
    if (void* object = loaded()) {
        dlclose(object);  // as it was just opened once more
        dlclose(object);
    }
    void* left = loaded();
    if (left != nullptr) {
        dlclose(left);
    }
    return left == nullptr;
}

}  // namespace kiln
