// Random regions do the same before and after each pass and all of them.
#include <gtest/gtest.h>

#include "jit/passes/hoist_invariants.h"
#include "jit/passes/pass_runner.h"
#include "jit/passes/passes.h"
#include "jit/passes/settle_checks.h"
#include "tests/jit/passes/evaluator.h"
#include "tests/jit/passes/random_region.h"

namespace kiln::passes {
namespace {

constexpr uint64_t kRegions = 400;

struct Tested {
    Pass pass;
    uint64_t fewest = kRegions / 3;  // regions that it has to change
};

constexpr Tested kEach[] = {
    {{"eliminate_dead_code", eliminateDeadCode}},
    {{"eliminate_redundant_guards", eliminateRedundantGuards}},
    {{"elide_reference_counts", elideReferenceCounts}},
    {{"settle_checks", settleChecks}},
    {{"hoist_invariants", hoistInvariants}},
    {{"ask_checks_before", askChecksBefore}, kRegions / 20},
    {{"all", [](ir::Region& region) { return runPasses(region).changed; }}},
};

std::vector<test::Inputs> makeInputs(uint64_t seed) {
    std::vector<test::Inputs> inputs;
    for (uint64_t i = 0; i < 12; ++i) {
        const auto bits = static_cast<int64_t>((seed * 12 + i) * 0x9e3779b97f4a7c15ULL >> 32);
        inputs.push_back({.arguments = {bits % 3, bits / 4 % 2, bits / 16 % 2, bits / 64 % test::kObjectCount,
                                        bits / 256 % test::kObjectCount},
                          .failingPoll = static_cast<int>(bits / 1024 % 8)});
    }
    return inputs;
}

// Up to where the shorter run was cut off: a pass may split blocks.
bool agree(std::string a, std::string b) {
    const size_t cut = std::min(a.find("cut off"), b.find("cut off"));
    return cut == std::string::npos ? a == b : a.substr(0, cut) == b.substr(0, cut);
}

class RandomRegions : public ::testing::TestWithParam<Tested> {};

TEST_P(RandomRegions, DoTheSame) {
    const Pass& pass = GetParam().pass;
    uint64_t changed = 0;
    for (uint64_t seed = 0; seed < kRegions; ++seed) {
        const ir::Region original = test::makeRandomRegion(seed);
        ASSERT_EQ(ir::verify(original), "") << "seed " << seed << "\n" << ir::print(original);
        ir::Region region = original;
        changed += pass.run(region) ? 1 : 0;
        ASSERT_EQ(ir::verify(region), "") << "seed " << seed << "\n"
                                          << ir::print(original) << "to\n"
                                          << ir::print(region);
        for (const test::Inputs& inputs : makeInputs(seed)) {
            ASSERT_PRED2(agree, test::observe(region, inputs), test::observe(original, inputs)) << "seed " << seed << "\n"
                                                                                                << ir::print(original) << "to\n"
                                                                                                << ir::print(region);
        }
    }
    EXPECT_GT(changed, GetParam().fewest) << "the regions hardly exercise the pass";
}

INSTANTIATE_TEST_SUITE_P(Passes, RandomRegions, ::testing::ValuesIn(kEach),
                         [](const ::testing::TestParamInfo<Tested>& test) { return test.param.pass.name; });

TEST(RandomRegionsText, RoundTrip) {
    for (uint64_t seed = 0; seed < kRegions; ++seed) {
        const std::string text = ir::print(test::makeRandomRegion(seed));
        ir::Region region;
        std::string error;
        ASSERT_TRUE(ir::parse(text, region, error)) << error << "\n" << text;
        ASSERT_EQ(ir::print(region), text);
        ASSERT_EQ(ir::verify(region), "");
    }
}

}  // namespace
}  // namespace kiln::passes
