// print → parse → print is the identity, and parse gives back what was printed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "jit/ir/names.h"
#include "jit/ir/region.h"
#include "tests/jit/region_text.h"

namespace kiln::ir {
namespace {

Region reread(const Region& region) {
    const std::string text = print(region);
    Region result;
    std::string error;
    EXPECT_TRUE(parse(text, result, error)) << error << "\n" << text;
    EXPECT_EQ(print(result), text);
    return result;
}

Region withInstruction(Instruction instruction) {
    Region region;
    region.name = "r";
    if (instruction.type != Type::kNone) {
        instruction.result = region.newValue(instruction.type);
    }
    region.blocks.emplace_back().instructions.push_back(std::move(instruction));
    return region;
}

TEST(RoundTrip, Floats) {
    using Limits = std::numeric_limits<double>;
    const double values[] = {0.0,
                             -0.0,
                             1.0,
                             -1.5,
                             0.1,
                             1e300,
                             5e-324,
                             Limits::min(),
                             Limits::max(),
                             Limits::epsilon(),
                             M_PI,
                             1.0 / 3,
                             9007199254740993.0,
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             -Limits::quiet_NaN(),
                             std::bit_cast<double>(0x7ff800000000beefULL),
                             std::bit_cast<double>(0xfff4000000000001ULL)};
    for (const double value : values) {
        const auto bits = std::bit_cast<int64_t>(value);
        const Region region =
            reread(withInstruction({.op = Op::k_const_float, .type = Type::kFloat, .immediate = bits}));
        EXPECT_EQ(region.blocks[0].instructions[0].immediate, bits) << value;
    }
}

TEST(RoundTrip, Integers) {
    using Limits = std::numeric_limits<int64_t>;
    for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{1} << 53, Limits::min(), Limits::max()}) {
        const Region region = reread(withInstruction({.op = Op::k_const_int, .type = Type::kInt, .immediate = value}));
        EXPECT_EQ(region.blocks[0].instructions[0].immediate, value);
    }
}

TEST(RoundTrip, NamedImmediates) {
    for (const Op op : {Op::k_opaque_object, Op::k_math_unary, Op::k_load_field}) {
        for (int i = 0; i < namedImmediateCount(info(op).immediate); ++i) {
            const Region written = withInstruction({.op = op, .type = typeOfLetter(info(op).result), .immediate = i});
            EXPECT_NE(print(written).find(std::string("[") + immediateName(info(op).immediate, i) + "]"),
                      std::string::npos);
            EXPECT_EQ(reread(written).blocks[0].instructions[0].immediate, i);
        }
    }
}

TEST(RoundTrip, NumbersSeen) {
    for (const int64_t seen : {0, 5}) {
        const Region region = reread(withInstruction({.op = Op::k_int_lt, .type = Type::kBool, .immediate = seen}));
        EXPECT_EQ(region.blocks[0].instructions[0].immediate, seen);
    }
}

TEST(RoundTrip, Names) {
    Region region;
    region.name = "py::f\"x\\y:a file\n\t\x01.py \xc3\xa9 # no comment";
    region.objects = {nullptr, nullptr};
    region.objectNames = {"", "<class 'int'>"};
    region.codes = {nullptr};
    region.codeNames = {"f.<locals>.g"};
    region.names = {"total"};
    region.nameDicts = region.nameKeys = {nullptr};
    const Region read = reread(region);
    EXPECT_EQ(read.name, region.name);
    EXPECT_EQ(read.objectNames, region.objectNames);
    EXPECT_EQ(read.codeNames, region.codeNames);
    EXPECT_EQ(read.names, region.names);
    EXPECT_EQ(read.objects.size(), 2u);
    EXPECT_EQ(read.codes.size(), 1u);
    EXPECT_EQ(read.nameDicts.size(), 1u);
    EXPECT_EQ(read.nameKeys.size(), 1u);
}

TEST(RoundTrip, ConstantsAreNamedInComments) {
    Region region = withInstruction({.op = Op::k_guard_class, .immediate = 0, .operands = {0}});
    region.objects = {nullptr};
    region.objectNames = {"two\nlines"};
    EXPECT_NE(print(region).find("guard_class[0] v0  # two lines\n"), std::string::npos);
    reread(region);
}

TEST(RoundTrip, Headers) {
    for (const bool isFunction : {false, true}) {
        for (const Type type : {Type::kNone, Type::kInt, Type::kFloat, Type::kBool, Type::kObject}) {
            Region region;
            region.name = "r";
            region.isFunction = isFunction;
            region.returnType = type;
            if (type != Type::kNone) {
                region.argumentTypes = {type, Type::kObject};
            }
            const Region read = reread(region);
            EXPECT_EQ(read.isFunction, isFunction);
            EXPECT_EQ(read.returnType, type);
            EXPECT_EQ(read.argumentTypes, region.argumentTypes);
        }
    }
}

SlotSource source(SlotKind kind, std::vector<SlotSource> parts = {}) {
    SlotSource result{.kind = kind, .parts = std::move(parts)};
    result.value = kind == SlotKind::kValue ? 7 : kNoId;
    result.constant = kind == SlotKind::kConstant || kind == SlotKind::kScalar ? 3 : kNoId;
    return result;
}

void expectEqual(const SlotSource& a, const SlotSource& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.owned, b.owned);
    EXPECT_EQ(a.home, b.home);
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.constant, b.constant);
    EXPECT_EQ(a.identity, b.identity);
    EXPECT_EQ(a.unit, b.unit);
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (size_t i = 0; i < a.parts.size(); ++i) {
        expectEqual(a.parts[i], b.parts[i]);
    }
}

constexpr SlotKind kSlotKinds[] = {
    SlotKind::kHome,  SlotKind::kNull,          SlotKind::kValue,        SlotKind::kConstant,  SlotKind::kTuple,
    SlotKind::kRange, SlotKind::kRangeIterator, SlotKind::kListIterator, SlotKind::kEnumerate, SlotKind::kZip,
    SlotKind::kScalar, SlotKind::kView, SlotKind::kComplex, SlotKind::kGenerator};

bool isComposite(SlotKind kind) {
    return kind >= SlotKind::kScalar;
}

TEST(RoundTrip, SlotSources) {
    FrameSnapshot frame;
    for (const SlotKind kind : kSlotKinds) {
        for (const bool owned : {false, true}) {
            SlotSource plain = source(kind);
            plain.owned = owned;
            frame.slots.push_back(plain);
            if (!isComposite(kind)) {
                continue;
            }
            SlotSource full = source(kind, {source(SlotKind::kValue), source(SlotKind::kConstant), source(kind)});
            full.owned = owned;
            frame.slots.push_back(full);
            full.value = 9;
            frame.slots.push_back(full);
            full.home = true;
            frame.slots.push_back(full);
            full.unit = 5;
            frame.slots.push_back(full);
            full.unit = 0;
            full.value = kNoId;
            frame.slots.push_back(full);
            plain.identity = full.identity = 4;
            frame.slots.push_back(plain);
            frame.slots.push_back(full);
        }
    }
    Region region;
    region.snapshots.push_back({.frames = {region.newFrame(frame)}});
    const Region read = reread(region);
    ASSERT_EQ(read.snapshots[0].frames.size(), 1u);
    ASSERT_EQ(read.frames[0].slots.size(), frame.slots.size());
    for (size_t i = 0; i < frame.slots.size(); ++i) {
        expectEqual(read.frames[0].slots[i], frame.slots[i]);
    }
}

TEST(RoundTrip, Snapshots) {
    Region region;
    region.snapshots.push_back({.reason = 5, .place = 12, .raises = true});
    region.snapshots.push_back(
        {.reason = 0,
         .frames = {region.newFrame({.code = 1, .unit = 24}), region.newFrame({.code = 0, .function = {.kind = SlotKind::kConstant, .constant = 2}, .unit = 0})}});
    region.snapshots.push_back({.names = {{0, source(SlotKind::kValue)}, {2, source(SlotKind::kConstant)}}});
    const Region read = reread(region);
    ASSERT_EQ(read.snapshots.size(), 3u);
    EXPECT_EQ(read.snapshots[0].reason, 5);
    EXPECT_EQ(read.snapshots[0].place, 12);
    EXPECT_TRUE(read.snapshots[0].raises);
    EXPECT_FALSE(read.snapshots[1].raises);
    ASSERT_EQ(read.snapshots[1].frames.size(), 2u);
    const auto frames = read.framesOf(read.snapshots[1]);
    EXPECT_EQ(frames[0].code, 1);
    EXPECT_EQ(frames[0].function.kind, SlotKind::kHome);
    EXPECT_EQ(frames[0].unit, 24);
    EXPECT_EQ(frames[1].function.constant, 2);
    ASSERT_EQ(read.snapshots[2].names.size(), 2u);
    EXPECT_EQ(read.snapshots[2].names[1].name, 2);
    expectEqual(read.snapshots[2].names[1].source, source(SlotKind::kConstant));
}

// A whole region, exactly as print() writes it.
constexpr const char* kWhole = R"(region "py::f:a.py" function(int, object) -> float
object 0 "<class 'list'>"
code 0 "f"
name 0 "total"
block0(v0:int, v1:object):
    guard_class[0] v1 !0  # <class 'list'>
    v2:int = load_field[ob_size] v1
    v3:bool = int_below v0, v2
    branch v3 ? block1(v0) : block2()
block1(v4:int) cold:
    v5:object = list_item v1, v4
    v6:float = unbox_float v5
    v7:float = math_binary[atan2] v6, v6 !1
    return_value v7
block2():
    exit !1
snapshot 0 reason=5 raises: frame 0 @unit 24 [home, v0, own v1, null]
snapshot 1 reason=1 passes: frame 0 @unit 3 [list_iterator(v1, v0 of home)] frame 0 function v0 @unit 4 [] names {0: v0}
snapshot 2 reason=1 discards 0: frame 0 @unit 3 [method(v1, v1 as 4), instance(v0, null, own v1 as 5 class 0), instance(class 0)] frame 0 function v1 use comparison detail 2 @unit 4 [v1]
)";

TEST(RoundTrip, WholeRegion) {
    EXPECT_EQ(print(test::regionOf(kWhole)), kWhole);
}

TEST(RoundTrip, ColdBlocksAndTargets) {
    const Region region = test::regionOf(kWhole);
    EXPECT_FALSE(region.blocks[0].cold);
    EXPECT_TRUE(region.blocks[1].cold);
    ASSERT_EQ(region.blocks[0].targets.size(), 2u);
    EXPECT_EQ(region.blocks[0].targets[0].arguments, std::vector<ValueId>{0});
    EXPECT_EQ(region.valueTypes[7], Type::kFloat);
}

}  // namespace
}  // namespace kiln::ir
