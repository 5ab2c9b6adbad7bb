// For every row of the op table: a well-formed use is accepted and survives text; each way to break it is caught.
#include <gtest/gtest.h>

#include "jit/ir/names.h"
#include "jit/ir/region.h"
#include "tests/jit/op_case.h"

namespace kiln::ir {
namespace {

class EveryOp : public ::testing::TestWithParam<int> {
protected:
    Op op() const { return static_cast<Op>(GetParam()); }
    const OpInfo& row() const { return info(op()); }
};

TEST_P(EveryOp, WellFormedUseIsAccepted) {
    EXPECT_EQ(verify(OpCase(op()).region), "");
}

TEST_P(EveryOp, TextRoundTrip) {
    OpCase test(op());
    const std::string text = print(test.region);
    Region region;
    std::string error;
    ASSERT_TRUE(parse(text, region, error)) << error << "\n" << text;
    EXPECT_EQ(print(region), text);
    EXPECT_EQ(verify(region), "");
    const Instruction& read = region.blocks[0].instructions[0];
    EXPECT_EQ(read.op, test.instruction().op);
    EXPECT_EQ(read.type, test.instruction().type);
    EXPECT_EQ(read.result, test.instruction().result);
    EXPECT_EQ(read.snapshot, test.instruction().snapshot);
    EXPECT_EQ(read.immediate, test.instruction().immediate);
    EXPECT_EQ(read.operands, test.instruction().operands);
    EXPECT_EQ(region.blocks[0].targets.size(), test.region.blocks[0].targets.size());
}

TEST_P(EveryOp, WrongOperandsAreCaught) {
    const std::string_view letters = row().operands;
    if (letters == "*") {
        return;  // any operands are right
    }
    for (size_t i = 0; i < letters.size(); ++i) {
        for (const Type type : kValueTypes) {
            if (type != typeOfLetter(letters[i])) {
                OpCase test(op());
                test.instruction().operands[i] = test.argument(type, 2);
                EXPECT_NE(verify(test.region).find(std::string("wanted ") + typeName(typeOfLetter(letters[i]))),
                          std::string::npos);
            }
        }
    }
    OpCase more(op());
    more.instruction().operands.push_back(0);
    EXPECT_NE(verify(more.region).find("operands, wanted"), std::string::npos);
    if (!letters.empty()) {
        OpCase fewer(op());
        fewer.instruction().operands.pop_back();
        EXPECT_NE(verify(fewer.region).find("operands, wanted"), std::string::npos);
    }
}

TEST_P(EveryOp, WrongSnapshotIsCaught) {
    OpCase test(op());
    if (namesSnapshot(op())) {
        test.instruction().snapshot = kNoId;
        EXPECT_EQ(verify(test.region).find("has no snapshot") == std::string::npos, isDeferrable(op()));
        test.instruction().snapshot = 1;
        EXPECT_NE(verify(test.region).find("snapshot 1 does not exist"), std::string::npos);
    } else {
        test.instruction().snapshot = 0;
        EXPECT_NE(verify(test.region).find("the op names none"), std::string::npos);
    }
}

TEST_P(EveryOp, WrongResultIsCaught) {
    OpCase test(op());
    Instruction& instruction = test.instruction();
    if (row().result == '-') {
        instruction.type = Type::kInt;
        instruction.result = test.region.newValue(Type::kInt);
        EXPECT_NE(verify(test.region).find("has a result, the op has none"), std::string::npos);
        return;
    }
    if (row().result != '*') {
        const Type other = instruction.type == Type::kInt ? Type::kFloat : Type::kInt;
        instruction.type = other;
        test.region.valueTypes[instruction.result] = other;
        EXPECT_NE(verify(test.region).find("result is"), std::string::npos);
        instruction.type = Type::kNone;
        instruction.result = kNoId;
        EXPECT_NE(verify(test.region).find("has no result"), std::string::npos);
    }
}

TEST_P(EveryOp, ImmediateOutOfRangeIsCaught) {
    const Immediate kind = row().immediate;
    if (kind == Immediate::kInt || kind == Immediate::kFloat) {
        return;  // any bits are right; const_bool has a test of its own
    }
    OpCase test(op());
    test.instruction().immediate = kind == Immediate::kNone ? 1 : -2;
    EXPECT_NE(verify(test.region).find("is out of range"), std::string::npos);
    const bool isTable = kind == Immediate::kObject || kind == Immediate::kVar || namedImmediateCount(kind) > 0;
    if (isTable) {
        test.instruction().immediate = 100000;
        EXPECT_NE(verify(test.region).find("is out of range"), std::string::npos);
    }
}

TEST_P(EveryOp, EndsOnlyBlocksItMayEnd) {
    OpCase test(op());
    if (row().effect == Effect::kEnd) {
        test.region.blocks[0].instructions.push_back({.op = Op::k_return_value});
        EXPECT_NE(verify(test.region).find("before the end of the block"), std::string::npos);
    } else {
        test.region.blocks[0].instructions.pop_back();
        EXPECT_NE(verify(test.region).find(std::string("ends in ") + row().name), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOp, ::testing::Range(0, kOpCount),
                         [](const ::testing::TestParamInfo<int>& test) { return kOps[test.param].name; });

TEST(OpTable, LettersAndTypes) {
    for (const Type type : kValueTypes) {
        EXPECT_EQ(typeOfLetter(letterOfType(type)), type);
    }
    EXPECT_EQ(typeOfLetter('-'), Type::kNone);
    EXPECT_EQ(letterOfType(Type::kNone), '-');
    EXPECT_EQ(typeOfLetter('*'), Type::kNone);
}

TEST(OpTable, ExitingOps) {
    EXPECT_TRUE(namesSnapshot(Op::k_guard_class));
    EXPECT_TRUE(namesSnapshot(Op::k_opaque_object));
    EXPECT_TRUE(namesSnapshot(Op::k_exit));
    EXPECT_FALSE(namesSnapshot(Op::k_list_store));
    EXPECT_FALSE(namesSnapshot(Op::k_const_int));
    EXPECT_FALSE(namesSnapshot(Op::k_return_value));
}

TEST(OpTable, NamesAreUnique) {
    for (int i = 0; i < kOpCount; ++i) {
        Op found{};
        ASSERT_TRUE(findOp(kOps[i].name, found));
        EXPECT_EQ(static_cast<int>(found), i);
    }
    for (const Immediate kind : {Immediate::kHelper, Immediate::kMath, Immediate::kField, Immediate::kElement}) {
        ASSERT_GT(namedImmediateCount(kind), 0);
        for (int i = 0; i < namedImmediateCount(kind); ++i) {
            int found = -1;
            ASSERT_TRUE(findImmediate(kind, immediateName(kind, i), found));
            EXPECT_EQ(found, i);
        }
    }
}

}  // namespace
}  // namespace kiln::ir
