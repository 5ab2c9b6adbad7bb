// What the code of a module depends on, and nothing else, is in its key.
#include "gpu/ir/module_key.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kFloat = floatType(32);

struct Options {
    const char* name = "kernel";
    const char* parameter = "a";
    int line = 1;
    double factor = 0.5;
    const Type* array = arrayType(kFloat, 1, Layout::kC);
    Op op = Op::kMultiply;
    int64_t sharedSize = 8;
    bool isPlain = false;
    bool reorders = false;
    bool areApart = false;
    std::vector<Field> fields = {{"x", kFloat, {}, 0}, {"y", kFloat, {}, 4}};
};

std::string keyWith(const Options& options) {
    Module module;
    module.reorders = options.reorders;
    module.areApart = options.areApart;
    TestFunction kernel(module, options.name, true);
    kernel.function().line = options.line;
    kernel.function().file = std::string(options.name) + ".py";
    ValueId a = kernel.parameter(options.parameter, options.array);
    kernel.parameter("records", arrayType(recordType(options.fields, 8, false), 1, Layout::kC));
    kernel.function().arrays.push_back({arrayType(kFloat, 1, Layout::kC, Space::kShared), {options.sharedSize}, 0, ""});
    ValueId i = kernel.constant(intType(64, true), 0);
    ValueId factor = kernel.constant(kFloat, bitsOf(options.factor, kFloat));
    ValueId value = kernel.emit(options.op, kFloat, {kernel.emit(Op::kLoad, kFloat, {a, i}), factor});
    kernel.function().body.code.back().isPlain = options.isPlain;
    kernel.function().body.code.back().line = options.line;
    kernel.put(Op::kStore, {a, i, value});
    return keyOf(module);
}

TEST(ModuleKey, WithoutNamesAndPlaces) {
    Options other;
    other.name = "another";
    other.parameter = "b";
    other.line = 20;
    other.fields[0].name = "z";
    EXPECT_EQ(keyWith({}), keyWith(other));
}

TEST(ModuleKey, WithAllElse) {
    std::string key = keyWith({});
    Options other;
    other.factor = 0.25;
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.array = arrayType(kFloat, 1, Layout::kA);
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.array = arrayType(kFloat, 1, Layout::kC, Space::kGlobal, true);
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.op = Op::kAdd;
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.sharedSize = 9;
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.isPlain = true;
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.reorders = true;
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.areApart = true;
    EXPECT_NE(key, keyWith(other));
    other = {};
    other.fields[0].type = intType(32, true);
    EXPECT_NE(key, keyWith(other));
}

}  // namespace
}  // namespace kiln::gpu
