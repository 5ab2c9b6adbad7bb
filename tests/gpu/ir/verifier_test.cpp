// The verifier finds each kind of broken IR, and the printer shows sound IR.
#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);
const Type* const kFloat = floatType(64);
const Type* const kBool = scalarType(Scalar::kBool);

TEST(KernelVerifier, SoundModule) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", arrayType(kFloat, 1, Layout::kC));
    uint32_t total = kernel.variable("total", kFloat);
    ValueId zero = kernel.constant(kInt, 0);
    ValueId ten = kernel.constant(kInt, 10);
    ValueId one = kernel.constant(kInt, 1);
    uint32_t i = kernel.variable("i", kInt);
    kernel.open(Op::kFor, {zero, ten, one}, i);
    ValueId index = kernel.emit(Op::kGet, kInt, {}, i);
    ValueId element = kernel.emit(Op::kLoad, kFloat, {array, index});
    kernel.put(Op::kSet, {element}, total);
    kernel.close();
    EXPECT_EQ(verify(module), "");
    EXPECT_EQ(print(module),
              "kernel k(a: array(float64, 1d, C)) {\n"
              "  var total: float64\n"
              "  var i: int64\n"
              "  %0: array(float64, 1d, C) = param #0\n"
              "  %1: int64 = const 0\n"
              "  %2: int64 = const 10\n"
              "  %3: int64 = const 1\n"
              "  for i %1 %2 %3 {\n"
              "    %4: int64 = get i\n"
              "    %5: float64 = load %0 %4\n"
              "    set total %5\n"
              "  }\n"
              "}\n");
}

// What verify() says about a kernel whose body `build` makes.
template <typename Build>
std::string verdict(Build&& build) {
    Module module;
    TestFunction kernel(module, "k", true);
    build(kernel);
    return verify(module);
}

TEST(KernelVerifier, Faults) {
    EXPECT_NE(verdict([](TestFunction& k) { k.emit(Op::kAdd, kInt, {7, 8}); }).find("where it is not defined"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) {
                  ValueId one = k.constant(kInt, 1);
                  k.emit(Op::kAdd, kFloat, {one, one});
              }).find("wrong type"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) {
                  ValueId one = k.constant(kInt, 1);
                  ValueId half = k.constant(kFloat, 0);
                  k.emit(Op::kAdd, kInt, {one, half});
              }).find("its operands are int64 and float64"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) { k.put(Op::kBreak, {}); }).find("is in no loop"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) {
                  k.put(Op::kReturn, {});
                  k.put(Op::kBarrier, {});
              }).find("is not the last of its block"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) {
                  ValueId one = k.constant(kInt, 1);
                  k.put(Op::kIf, {one});
              }).find("is no bool"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) {
                  ValueId one = k.constant(kInt, 1);
                  k.put(Op::kSet, {one}, k.variable("x", kFloat));
              }).find("variable x is float64"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) {
                  ValueId array = k.parameter("a", arrayType(kFloat, 2, Layout::kC));
                  ValueId one = k.constant(kInt, 1);
                  k.emit(Op::kLoad, kFloat, {array, one});
              }).find("indices do not fit"), std::string::npos);
    EXPECT_NE(verdict([](TestFunction& k) { k.put(Op::kWhile, {}); }).find("does not end in yield"), std::string::npos);
}

// A value defined in a branch is not known behind it.
TEST(KernelVerifier, Scopes) {
    EXPECT_NE(verdict([](TestFunction& k) {
                  ValueId condition = k.constant(kBool, 1);
                  k.open(Op::kIf, {condition});
                  ValueId inner = k.constant(kInt, 1);
                  k.close();
                  k.emit(Op::kAdd, kInt, {inner, inner});
              }).find("where it is not defined"), std::string::npos);
}

}  // namespace
}  // namespace kiln::gpu
