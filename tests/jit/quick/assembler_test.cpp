// Quick code that runs: regions as text, without Python.
#include <gtest/gtest.h>

#include <bit>

#include "jit/quick/quick_code.h"
#include "jit/quick/stencil_set.h"
#include "tests/jit/region_text.h"

namespace kiln {
namespace {

// What an exit found, by the test's own leave_quick.
struct Left {
    int64_t exit = -1;
    std::vector<int64_t> values;
};
Left left;
const ir::Region* leaving = nullptr;
const QuickCode* code = nullptr;

void noteExit(NativeContext*, int64_t* native, void*) {
    left = {.exit = native[kExitWord], .values = {}};
    ir::forEachSnapshotValue(*leaving, leaving->snapshots[static_cast<size_t>(left.exit)], [&](ir::ValueId value) {
        left.values.push_back(native[code->layout.slots[static_cast<size_t>(value)] / 8]);
    });
    native[kResultWord] = -1;
    native[kStatusWord] = kRaised;
}

int64_t spendBudget(void*) {
    return 0;
}

class QuickCodeOf {
   public:
    explicit QuickCodeOf(const std::string& text) : region_(test::regionOf(text)) {
        environment_.runtime[static_cast<int>(RuntimeFunction::k_leave_quick)] = reinterpret_cast<const void*>(noteExit);
        environment_.runtime[static_cast<int>(RuntimeFunction::k_budget_spent)] = reinterpret_cast<const void*>(spendBudget);
        environment_.evalBreaker = &breaker;
        breaker = 0;
        CodegenRequest request{.region = &region_, .counters = counters, .budget = &budget, .entry = &entry_};
        code_ = assembleQuickCode(environment_, request);
        leaving = &region_;
        code = code_.get();
        entry_ = code_ ? code_->entry : nullptr;
        left = Left();
    }
    bool fits() const { return code_ != nullptr; }
    template <typename... Arguments>
    NativeResult call(Arguments... arguments) {
        NativeContext context;
        return reinterpret_cast<NativeResult (*)(NativeContext*, void*, Arguments...)>(entry_)(&context, nullptr, arguments...);
    }

    static inline int32_t breaker = 0;  // below 2 GiB, as the interpreter's
    uint64_t counters[1] = {};
    int64_t budget = 1 << 20;

   private:
    ir::Region region_;
    CodegenEnvironment environment_;
    std::unique_ptr<QuickCode> code_;
    void* entry_ = nullptr;
};

constexpr const char* kFibonacci = R"(region "fibonacci" function(int) -> int
code 0 "f"
block0(v0:int):
    v1:int = const_int[0]
    v2:int = const_int[1]
    jump block1(v0, v1, v2)
block1(v3:int, v4:int, v5:int):
    v6:int = const_int[0]
    v7:bool = int_gt v3, v6
    branch v7 ? block2() : block3()
block2():
    poll !1
    v8:int = int_add v4, v5 !0
    v9:int = const_int[1]
    v10:int = int_sub v3, v9 !0
    jump block1(v10, v5, v8)
block3():
    return_value v4
snapshot 0 reason=1: frame 0 @unit 4 [v4, v5]
snapshot 1 reason=1: frame 0 @unit 4 [v3]
)";

TEST(Assembler, LoopsAndReturns) {
    QuickCodeOf quick(kFibonacci);
    ASSERT_TRUE(quick.fits());
    NativeResult result = quick.call(int64_t{50});
    EXPECT_EQ(result.status, kRawResult);
    EXPECT_EQ(result.value, 12586269025);
}

TEST(Assembler, LeavesWithTheValuesOfItsSnapshot) {
    QuickCodeOf quick(kFibonacci);
    ASSERT_TRUE(quick.fits());
    EXPECT_EQ(quick.call(int64_t{200}).status, kRaised);
    EXPECT_EQ(left.exit, 0);
    EXPECT_EQ(left.values, (std::vector<int64_t>{4660046610375530309, 7540113804746346429}));
}

TEST(Assembler, PollsTheEvaluationBreaker) {
    QuickCodeOf quick(kFibonacci);
    ASSERT_TRUE(quick.fits());
    quick.breaker = 1;
    EXPECT_EQ(quick.call(int64_t{7}).status, kRaised);
    EXPECT_EQ(left.exit, 1);
    EXPECT_EQ(left.values, std::vector<int64_t>{7});
}

TEST(Assembler, CountsPollsAndCalls) {
    QuickCodeOf quick(kFibonacci);
    ASSERT_TRUE(quick.fits());
    quick.call(int64_t{50});
    EXPECT_EQ(quick.budget, (1 << 20) - 51);
}

// The slots of the loop's parameters change places, one by one and in a circle.
TEST(Assembler, MovesInCircles) {
    QuickCodeOf quick(R"(region "circle" function(int, int, int, int) -> int
code 0 "f"
block0(v0:int, v1:int, v2:int, v3:int):
    jump block1(v0, v1, v2, v3)
block1(v4:int, v5:int, v6:int, v7:int):
    v8:int = const_int[0]
    v9:bool = int_gt v4, v8
    branch v9 ? block2() : block3()
block2():
    poll !0
    v10:int = const_int[1]
    v11:int = int_sub v4, v10 !0
    jump block1(v11, v6, v7, v5)
block3():
    v12:int = const_int[100]
    v13:int = int_mul v5, v12 !0
    v14:int = const_int[10]
    v15:int = int_mul v6, v14 !0
    v16:int = int_add v13, v15 !0
    v17:int = int_add v16, v7 !0
    return_value v17
snapshot 0 reason=1: frame 0 @unit 4 []
)");
    ASSERT_TRUE(quick.fits());
    EXPECT_EQ(quick.call(int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3}).value, 123);
    EXPECT_EQ(quick.call(int64_t{1}, int64_t{1}, int64_t{2}, int64_t{3}).value, 231);
    EXPECT_EQ(quick.call(int64_t{2}, int64_t{1}, int64_t{2}, int64_t{3}).value, 312);
    EXPECT_EQ(quick.call(int64_t{3}, int64_t{1}, int64_t{2}, int64_t{3}).value, 123);
}

TEST(Assembler, TakesArgumentsByTheirKinds) {
    QuickCodeOf quick(R"(region "mixed" function(float, int, bool, float) -> float
block0(v0:float, v1:int, v2:bool, v3:float):
    v4:float = int_to_float v1
    v5:float = float_add v0, v4
    v6:float = float_select v2, v5, v3
    v7:float = float_abs v6
    return_value v7
)");
    ASSERT_TRUE(quick.fits());
    auto asFloat = [](NativeResult result) { return std::bit_cast<double>(result.value); };
    EXPECT_EQ(asFloat(quick.call(0.5, int64_t{-3}, int64_t{0x7f01}, 8.25)), 2.5);  // a bool is its lowest bit
    EXPECT_EQ(asFloat(quick.call(0.5, int64_t{-3}, int64_t{0x7f00}, -8.25)), 8.25);
}

TEST(Assembler, TakesManyArguments) {
    QuickCodeOf quick(R"(region "many" function(int, int, int, int, int, int, int, int, int) -> int
block0(v0:int, v1:int, v2:int, v3:int, v4:int, v5:int, v6:int, v7:int, v8:int):
    v9:int = int_xor v0, v8
    v10:int = int_xor v9, v7
    return_value v10
)");
    ASSERT_TRUE(quick.fits());
    int64_t zero = 0;
    EXPECT_EQ(quick.call(int64_t{1}, zero, zero, zero, zero, zero, zero, int64_t{2}, int64_t{4}).value, 7);
}

TEST(Assembler, RefusesManyArgumentsWithFloats) {
    EXPECT_FALSE(QuickCodeOf(R"(region "many" function(int, int, int, int, int, int, float) -> int
block0(v0:int, v1:int, v2:int, v3:int, v4:int, v5:int, v6:float):
    return_value v5
)")
                     .fits());
}

TEST(StencilSet, SignaturesAndVariants) {
    for (int variant = 0; variant < kSignatures; variant++) {
        EXPECT_EQ(signatureVariant(signatureOfVariant(variant)), variant);
    }
    EXPECT_EQ(signatureVariant({.count = kMostArguments + 1}), -1);
    EXPECT_EQ(signatureVariant({.count = -1}), -1);
}

}  // namespace
}  // namespace kiln
