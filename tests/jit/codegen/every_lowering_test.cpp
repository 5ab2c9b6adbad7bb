// Every op of the table has a lowering that LLVM accepts, and a region without one is refused: the one object that has LLVM in it
// compiles a region around each op.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "jit/codegen_interface.h"
#include "tests/jit/op_case.h"

namespace kiln {
namespace {

Codegen* openCodegen() {
    void* object = dlopen(KILN_LLVM_OBJECT, RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(object, nullptr) << dlerror();
    auto create = reinterpret_cast<decltype(&kiln_create_codegen)>(dlsym(object, "kiln_create_codegen"));
    CodegenEnvironment environment;  // nothing that is compiled here runs
    return create(&environment);
}

// Ops that mean something only behind another one, which the region here lacks: it is refused.
bool followsAnother(ir::Op op) {
    return op == ir::Op::k_native_boxed || op == ir::Op::k_native_result || op == ir::Op::k_native_number || op == ir::Op::k_native_box;
}

class EveryLowering : public ::testing::TestWithParam<int> {};

TEST_P(EveryLowering, CompilesOrRefuses) {
    static Codegen* codegen = openCodegen();
    static uint8_t valid = 1;
    static uint64_t counters[1];
    static NativeFunction callee;
    ir::OpCase test(static_cast<ir::Op>(GetParam()));
    test.region.objects[0] = &callee;
    const CallSite site;
    CodegenRequest request{.region = &test.region, .validFlag = &valid, .counters = counters,
                           .activationWords = 16, .callSites = &site};
    CodegenResult result = codegen->compile(request);
    if (followsAnother(static_cast<ir::Op>(GetParam()))) {
        EXPECT_EQ(result.error, std::string("no lowering for ") + ir::kOps[GetParam()].name);
        EXPECT_TRUE(result.unfit);
        return;
    }
    ASSERT_TRUE(result.ok) << result.error;
    EXPECT_FALSE(result.unfit);
    codegen->release(result.handle);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryLowering, ::testing::Range(0, ir::kOpCount),
                         [](const ::testing::TestParamInfo<int>& test) { return ir::kOps[test.param].name; });

}  // namespace
}  // namespace kiln
