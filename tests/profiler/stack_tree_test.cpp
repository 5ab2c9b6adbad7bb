// The tree of stacks: interned, merged, bounded.
#include "profiler/stack_tree.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

int32_t addStack(StackTree& tree, const std::vector<std::string>& names, double seconds) {
    int32_t node = -1;
    for (const std::string& name : names) {
        node = tree.child(node, tree.addFrame({tree.addFunction({"f.py", 1, name}), 1, ReportTier::kInterpreted}));
    }
    tree.add(node, 1, seconds);
    return node;
}

double total(const StackTree& tree) {
    double seconds = 0;
    for (const StackNode& node : tree.nodes()) {
        seconds += node.seconds;
    }
    return seconds;
}

TEST(StackTree, SharesFramesAndPrefixes) {
    StackTree tree;
    addStack(tree, {"a", "b", "c"}, 1);
    addStack(tree, {"a", "b", "d"}, 2);
    addStack(tree, {"a", "b", "c"}, 3);
    EXPECT_EQ(tree.frames().size(), 4u);
    ASSERT_EQ(tree.nodes().size(), 4u);
    EXPECT_EQ(tree.nodes()[2].seconds, 4);
    EXPECT_EQ(tree.nodes()[2].samples, 2u);
}

TEST(StackTree, TierAndLineMakeFramesDifferent) {
    StackTree tree;
    uint32_t f = tree.addFunction({"f.py", 1, "f"});
    uint32_t frame = tree.addFrame({f, 2, ReportTier::kQuick});
    EXPECT_EQ(tree.addFrame({f, 2, ReportTier::kQuick}), frame);
    EXPECT_NE(tree.addFrame({f, 3, ReportTier::kQuick}), frame);
    EXPECT_NE(tree.addFrame({f, 2, ReportTier::kThorough}), frame);
}

TEST(StackTree, MergesByName) {
    StackTree tree;
    StackTree other;
    addStack(tree, {"a", "b"}, 1);
    addStack(other, {"x", "b"}, 2);
    addStack(other, {"a", "b"}, 4);
    tree.merge(other);
    EXPECT_EQ(tree.nodes().size(), 4u);
    EXPECT_EQ(tree.nodes()[1].seconds, 5);
    EXPECT_EQ(total(tree), 7);
}

TEST(StackTree, IsBoundedAndLosesNoTime) {
    StackTree tree;
    for (int i = 0; i < 200; i++) {
        for (int j = 0; j < 200; j++) {
            addStack(tree, {"main", "a" + std::to_string(i), "b" + std::to_string(j)}, 1);
        }
    }
    EXPECT_EQ(tree.nodes().size(), StackTree::kMostNodes);
    EXPECT_EQ(total(tree), 40000);
    for (int i = 0; i < 20000; i++) {
        addStack(tree, {"main", "z" + std::to_string(i)}, 1);
    }
    EXPECT_EQ(tree.frames().size(), StackTree::kMostFrames);
    EXPECT_EQ(total(tree), 60000);
}

}  // namespace
}  // namespace kiln
