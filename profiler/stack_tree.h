// The call stacks that were sampled, as one tree: a node is a frame below its caller's node, frames are interned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "profiler/sample_tier.h"

namespace kiln {

// File, first line and name: what makes code objects the same function in a report.
struct StackFunction {
    std::string file;
    int firstLine = 0;
    std::string name;
    auto operator<=>(const StackFunction&) const = default;
};

struct StackFrame {
    uint32_t function = 0;  // of StackTree::functions()
    int line = 0;
    ReportTier tier = ReportTier::kInterpreted;
    auto operator<=>(const StackFrame&) const = default;
};

struct StackNode {
    int32_t parent = -1;  // -1: the outermost frame of a stack
    uint32_t frame = 0;
    uint64_t samples = 0;  // that ended here
    double seconds = 0;
};

// Not thread-safe. Bounded: what does not fit counts for the deepest caller that does.
class StackTree {
public:
    static constexpr size_t kMostNodes = 20000;
    static constexpr size_t kMostFrames = 8000;
    static constexpr uint32_t kNone = UINT32_MAX;

    uint32_t addFunction(const StackFunction& function);
    // kNone when there is no room.
    uint32_t addFrame(const StackFrame& frame);
    // The node of `frame` called by `parent` (-1: by nobody). `parent` itself when `frame` is kNone, or there is no room.
    int32_t child(int32_t parent, uint32_t frame);
    // Time that ended in a node; -1 is where nothing fitted any more, and is dropped.
    void add(int32_t node, uint64_t samples, double seconds);
    void merge(const StackTree& other);
    void clear() { *this = StackTree(); }

    const std::vector<StackFunction>& functions() const { return functions_; }
    const std::vector<StackFrame>& frames() const { return frames_; }
    const std::vector<StackNode>& nodes() const { return nodes_; }  // parents first

private:
    std::vector<StackFunction> functions_;
    std::vector<StackFrame> frames_;
    std::vector<StackNode> nodes_;
    std::map<StackFunction, uint32_t> functionIds_;
    std::map<StackFrame, uint32_t> frameIds_;
    std::unordered_map<uint64_t, int32_t> children_;
};

}  // namespace kiln
