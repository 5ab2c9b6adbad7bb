// Mechanisms of the compiler: LLVM costs nothing until it is opened, stays hidden then, and compiles a loop to native code.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "interp/cpython/cpython_shim.h"
#include "jit/codegen_interface.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

bool isMapped(const char* library) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find(library) != std::string::npos) {
            return true;
        }
    }
    return false;
}

void* openObject() {
    void* object = nullptr;
    std::string error;
    std::thread([&] {
        object = dlopen(KILN_LLVM_OBJECT, RTLD_NOW | RTLD_LOCAL);
        error = object == nullptr ? dlerror() : "";
    }).join();
    EXPECT_NE(object, nullptr) << error;
    return object;
}

// Row: LLVM without a start-up cost: in an object of its own, opened on another thread, invisible to everything else.
TEST(Mechanism, OpensLlvmLateAndHidden) {
    EXPECT_FALSE(isMapped("LLVM"));
    EXPECT_FALSE(isMapped("kiln_llvm"));
    void* object = openObject();
    ASSERT_NE(object, nullptr);
    EXPECT_TRUE(isMapped("kiln_llvm"));
    EXPECT_FALSE(isMapped("libLLVM"));
    EXPECT_NE(dlsym(object, "kiln_create_codegen"), nullptr);
    EXPECT_EQ(dlsym(object, "LLVMContextCreate"), nullptr);
    EXPECT_EQ(dlsym(RTLD_DEFAULT, "LLVMContextCreate"), nullptr);
}

// Adds up i * j * 0.1 for i < v0 and j < v1, leaving through its snapshot when i * j needs more than 64 bits.
constexpr const char* kNestedLoop = R"(region "nested_loop" function(int, int) -> float
code 0 "nested_loop"
block0(v0:int, v1:int):
    v2:int = const_int[0]
    v3:float = const_float[0.0]
    v4:int = const_int[1]
    v5:float = const_float[0.1]
    jump block1(v2, v3)
block1(v6:int, v7:float):
    v8:bool = int_lt v6, v0
    branch v8 ? block2(v2, v7) : block5()
block2(v9:int, v10:float):
    v11:bool = int_lt v9, v1
    branch v11 ? block3() : block4()
block3():
    v12:int = int_mul v6, v9 !0
    v13:float = int_to_float v12
    v14:float = float_mul v13, v5
    v15:float = float_add v10, v14
    v16:int = int_add v9, v4 !0
    jump block2(v16, v15)
block4():
    v17:int = int_add v6, v4 !0
    jump block1(v17, v10)
block5():
    return_value v7
snapshot 0 reason=0: frame 0 @unit 0 [v0, v1]
)";

constexpr const char* kOverflow = R"(region "overflow" function(int, int) -> int
code 0 "overflow"
block0(v0:int, v1:int):
    v2:int = int_mul v0, v1 !0
    return_value v2
snapshot 0 reason=0: frame 0 @unit 0 [v0, v1]
)";

int exits;
NativeResult leave(NativeContext*, void*, void*, int, int64_t*) {
    exits++;
    return {-1, kRaised};
}

CodegenResult compileText(Codegen* codegen, const char* text, ir::Region& region) {
    std::string error;
    EXPECT_TRUE(ir::parse(text, region, error)) << error;
    EXPECT_EQ(ir::verify(region), "");
    static uint8_t valid = 1;
    static uint64_t counters[8];
    CodegenRequest request;
    request.region = &region;
    request.validFlag = &valid;
    request.counters = counters;
    return codegen->compile(request);
}

// Row: compile cost. A nested float loop with overflow checks compiles off the GIL and gives CPython's very bits.
TEST(Mechanism, CompilesANestedLoopOffTheGil) {
    Ref names = runModule(R"(
total = 0.0
for i in range(100):
    for j in range(1000):
        total += i * j * 0.1
)");
    ASSERT_TRUE(names);
    auto create = reinterpret_cast<decltype(&kiln_create_codegen)>(dlsym(openObject(), "kiln_create_codegen"));
    ASSERT_NE(create, nullptr);
    CodegenEnvironment environment;
    static_assert(sizeof environment.fields == sizeof(KilnLayout));
    std::memcpy(environment.fields, kiln_layout(), sizeof environment.fields);
    environment.runtime[static_cast<int>(RuntimeFunction::k_exit_function)] = reinterpret_cast<void*>(leave);
    environment.evalBreaker = kiln_eval_breaker(PyInterpreterState_Get());

    ir::Region loop;
    ir::Region overflow;
    CodegenResult loopCode;
    CodegenResult overflowCode;
    Py_BEGIN_ALLOW_THREADS;
    std::thread([&] {
        Codegen* codegen = create(&environment);
        loopCode = compileText(codegen, kNestedLoop, loop);
        overflowCode = compileText(codegen, kOverflow, overflow);
    }).join();
    Py_END_ALLOW_THREADS;
    ASSERT_TRUE(loopCode.ok) << loopCode.error;
    ASSERT_TRUE(overflowCode.ok) << overflowCode.error;

    using Entry = NativeResult (*)(NativeContext*, void* function, int64_t, int64_t);
    int64_t exitValues[kMostExitValues];
    NativeContext context = {PyThreadState_Get(), exitValues, nullptr};
    exits = 0;
    NativeResult result = reinterpret_cast<Entry>(loopCode.entry)(&context, nullptr, 100, 1000);
    EXPECT_EQ(result.status, kRawResult);
    double expected = PyFloat_AsDouble(lookUp(names, "total"));
    EXPECT_EQ(std::memcmp(&result.value, &expected, sizeof expected), 0);
    EXPECT_EQ(reinterpret_cast<Entry>(overflowCode.entry)(&context, nullptr, 1LL << 31, 1LL << 31).value, 1LL << 62);
    EXPECT_EQ(exits, 0);
    EXPECT_EQ(reinterpret_cast<Entry>(overflowCode.entry)(&context, nullptr, 1LL << 32, 1LL << 31).status, kRaised);
    EXPECT_EQ(exits, 1);
}

}  // namespace
}  // namespace kiln::mechanism
