// Compiled code is watched by AddressSanitizer where kiln is built with it: a region reads an object that has been freed.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "jit/codegen_interface.h"
#include "jit/ir/region.h"

namespace kiln {
namespace {

constexpr const char* kReader = R"(region "reader" function(object) -> int
code 0 "reader"
block0(v0:object):
    v1:int = load_field[ob_size] v0
    return_value v1
)";

TEST(SanitizedCode, ReportsAFreedObject) {
    void* object = dlopen(KILN_LLVM_OBJECT, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(object, nullptr) << dlerror();
    auto create = reinterpret_cast<decltype(&kiln_create_codegen)>(dlsym(object, "kiln_create_codegen"));
    CodegenEnvironment environment;
    Codegen* codegen = create(&environment);
    ir::Region region;
    std::string error;
    ASSERT_TRUE(ir::parse(kReader, region, error)) << error;
    static uint8_t valid = 1;
    static uint64_t counters[8];
    CodegenResult code = codegen->compile({.region = &region, .validFlag = &valid, .counters = counters});
    ASSERT_TRUE(code.ok) << code.error;

    using Entry = NativeResult (*)(NativeContext*, void* function, void* argument);
    int64_t exitValues[kMostExitValues];
    NativeContext context = {nullptr, exitValues, nullptr};
    int64_t* volatile words = static_cast<int64_t*>(std::calloc(8, sizeof(int64_t)));
    words[0] = 7;
    EXPECT_EQ(reinterpret_cast<Entry>(code.entry)(&context, nullptr, words).value, 7);
    std::free(words);
    EXPECT_EXIT(reinterpret_cast<Entry>(code.entry)(&context, nullptr, words), ::testing::ExitedWithCode(99), "use-after-free");
}

}  // namespace
}  // namespace kiln
