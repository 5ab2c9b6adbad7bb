// The CUDA text of small kernels: values used once stand where they are used, but never behind a write that changes them.
#include <gtest/gtest.h>

#include "gpu/cuda/cuda_source.h"
#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);
const Type* const kFloat = floatType(32);
const Type* const kArray = arrayType(kFloat, 1, Layout::kC);

std::string kernelText(const Module& module) {
    CudaTextOptions options;
    options.lineDirectives = false;
    std::string text = writeCuda(module, options);
    return text.substr(text.find("extern \"C\" __global__"));
}

TEST(CudaText, OneExpression) {
    Module module;
    TestFunction kernel(module, "add", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId b = kernel.parameter("b", kArray);
    ValueId i = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {})});
    uint32_t variable = kernel.variable("i", kInt);
    kernel.put(Op::kSet, {i}, variable);
    ValueId at = kernel.emit(Op::kGet, kInt, {}, variable);
    ValueId from = kernel.emit(Op::kGet, kInt, {}, variable);
    ValueId half = kernel.constant(kFloat, bitsOf(0.5, kFloat));
    kernel.put(Op::kStore, {a, at, kernel.emit(Op::kMultiply, kFloat, {kernel.emit(Op::kLoad, kFloat, {b, from}), half})});
    EXPECT_EQ(kernelText(module),
              "extern \"C\" __global__ void add(CArray<float, 1> a, CArray<float, 1> b) {\n"
              "    int64 i = (int64)threadIdx.x;\n"
              "    a(i) = b(i) * 0.5f;\n"
              "}\n");
}

// What is compiled with a kernel is what it uses, and what that uses.
TEST(CudaText, PreludeOfWhatIsUsed) {
    auto has = [](const std::string& prelude, const char* text) { return prelude.find(text) != std::string::npos; };
    std::string nothing = cudaPrelude("extern \"C\" __global__ void empty() {}");
    EXPECT_TRUE(has(nothing, "typedef long long int64;"));
    EXPECT_FALSE(has(nothing, "struct"));
    EXPECT_FALSE(has(nothing, "template"));
    std::string greatest = cudaPrelude("atomic_max(&a(0), 2.0);");
    EXPECT_TRUE(has(greatest, "KILN double atomic_max("));
    EXPECT_TRUE(has(greatest, "struct Greater "));
    EXPECT_TRUE(has(greatest, "KILN T update("));
    EXPECT_FALSE(has(greatest, "atomic_add"));
    EXPECT_FALSE(has(greatest, "CArray"));
    EXPECT_TRUE(has(cudaPrelude("same_bits<uint32>(x)"), "struct float16"));
    EXPECT_FALSE(has(cudaPrelude("int64 wrapped = 0; x.unwrap();"), "int64 wrap("));
}

// `if a and x[i] > 0` and `x if c else y` are expressions; a variable that others read, too, is none.
std::string choiceText(bool readTwice) {
    Module module;
    TestFunction kernel(module, "choose", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId flag = kernel.parameter("flag", scalarType(Scalar::kBool));
    uint32_t chosen = kernel.variable("chosen", scalarType(Scalar::kBool));
    ValueId zero = kernel.constant(kInt, 0);
    kernel.open(Op::kIf, {flag});
    ValueId first = kernel.emit(Op::kLoad, kFloat, {a, zero});
    ValueId isMore = kernel.emit(Op::kGreater, scalarType(Scalar::kBool), {first, kernel.constant(kFloat, 0)});
    kernel.put(Op::kSet, {isMore}, chosen);
    kernel.next();
    kernel.put(Op::kSet, {kernel.constant(scalarType(Scalar::kBool), 0)}, chosen);
    kernel.close();
    ValueId both = kernel.emit(Op::kGet, scalarType(Scalar::kBool), {}, chosen);
    kernel.open(Op::kIf, {both});
    ValueId again = readTwice ? kernel.emit(Op::kGet, scalarType(Scalar::kBool), {}, chosen) : both;
    kernel.put(Op::kStore, {a, zero, kernel.emit(Op::kConvert, kFloat, {readTwice ? again : flag})});
    kernel.next();
    kernel.close();
    EXPECT_EQ(verify(module), "");
    return kernelText(module);
}

TEST(CudaText, Choices) {
    EXPECT_EQ(choiceText(false),
              "extern \"C\" __global__ void choose(CArray<float, 1> a, bool flag) {\n"
              "    if (flag && (a(0ll) > 0.0f)) {\n"
              "        a(0ll) = (float)flag;\n"
              "    }\n"
              "}\n");
    EXPECT_NE(choiceText(true).find("chosen = a(0ll) > 0.0f;"), std::string::npos);
}

// c[i] = a[i] + 1 with both blocks' loads before the first store; a thread for which only one is in range does that one.
TEST(CudaText, Pairs) {
    Module module;
    TestFunction kernel(module, "add", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId n = kernel.parameter("n", kInt);
    uint32_t variable = kernel.variable("i", kInt);
    ValueId block = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kBlockIndex, int32Type(), {})});
    kernel.put(Op::kSet, {block}, variable);
    kernel.open(Op::kIf, {kernel.emit(Op::kLess, scalarType(Scalar::kBool), {kernel.emit(Op::kGet, kInt, {}, variable), n})});
    ValueId at = kernel.emit(Op::kGet, kInt, {}, variable);
    ValueId more = kernel.emit(Op::kAdd, kFloat, {kernel.emit(Op::kLoad, kFloat, {a, at}), kernel.constant(kFloat, bitsOf(1, kFloat))});
    kernel.put(Op::kStore, {a, at, more});
    kernel.next();
    kernel.close();
    EXPECT_EQ(kernelText(module).find("_pairs"), std::string::npos);
    CudaTextOptions options;
    options.lineDirectives = false;
    options.inPairs = true;
    std::string text = writeCuda(module, options);
    EXPECT_EQ(text.substr(text.find("extern \"C\" __global__ void add_pairs")),
              "extern \"C\" __global__ void add_pairs(CArray<float, 1> a, int64 n) {\n"
              "    int64 i = (int64)((int32)blockIdx.x * 2);\n"
              "    int64 i_2 = (int64)(((int32)blockIdx.x * 2) + 1);\n"
              "    const bool v16 = i < n;\n"
              "    const bool v17 = i_2 < n;\n"
              "    if (v16 && v17) {\n"
              "        const float v34 = a(i_2) + 1.0f;\n"
              "        a(i) = a(i) + 1.0f;\n"
              "        a(i_2) = v34;\n"
              "    } else {\n"
              "        if (v16) {\n"
              "            a(i) = a(i) + 1.0f;\n"
              "        }\n"
              "        if (v17) {\n"
              "            a(i_2) = a(i_2) + 1.0f;\n"
              "        }\n"
              "    }\n"
              "}\n");
}

// Of a wide value the cast takes bits away, whatever it is widened to behind.
TEST(CudaText, NarrowingStays) {
    Module module;
    TestFunction kernel(module, "narrow", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId x = kernel.parameter("x", kInt);
    ValueId narrow = kernel.emit(Op::kConvert, intType(32, true), {x});
    kernel.put(Op::kStore, {a, kernel.emit(Op::kConvert, kInt, {narrow}), kernel.emit(Op::kConvert, kFloat, {narrow})});
    std::string text = kernelText(module);
    EXPECT_NE(text.find("const int32 v2 = (int32)x;"), std::string::npos) << text;
    Module single;
    TestFunction once(single, "once", true);
    ValueId to = once.parameter("a", kArray);
    ValueId from = once.parameter("x", kInt);
    ValueId cut = once.emit(Op::kConvert, intType(32, true), {from});
    once.put(Op::kStore, {to, once.constant(kInt, 0), once.emit(Op::kConvert, kFloat, {cut})});
    EXPECT_NE(kernelText(single).find("a(0ll) = (float)(int32)x;"), std::string::npos) << kernelText(single);
}

// a[0], a[1] = a[1], a[0]: the second load must not be written behind the first store.
TEST(CudaText, LoadsAreNotMovedOverStores) {
    Module module;
    TestFunction kernel(module, "swap", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId zero = kernel.constant(kInt, 0);
    ValueId one = kernel.constant(kInt, 1);
    ValueId first = kernel.emit(Op::kLoad, kFloat, {a, one});
    ValueId second = kernel.emit(Op::kLoad, kFloat, {a, zero});
    kernel.put(Op::kStore, {a, zero, first});
    kernel.put(Op::kStore, {a, one, second});
    EXPECT_EQ(kernelText(module),
              "extern \"C\" __global__ void swap(CArray<float, 1> a) {\n"
              "    const float v4 = a(0ll);\n"
              "    a(0ll) = a(1ll);\n"
              "    a(1ll) = v4;\n"
              "}\n");
}

TEST(CudaText, NamesThatCudaHas) {
    Module module;
    TestFunction kernel(module, "max", true);
    ValueId a = kernel.parameter("float", kArray);
    kernel.put(Op::kStore, {a, kernel.constant(kInt, 0), kernel.constant(kFloat, 0)});
    EXPECT_EQ(kernelText(module),
              "extern \"C\" __global__ void py_max(CArray<float, 1> py_float) {\n"
              "    py_float(0ll) = 0.0f;\n"
              "}\n");
    EXPECT_EQ(cudaName(module), "py_max");
}

}  // namespace
}  // namespace kiln::gpu
