// Interning of frames, and the tree of stacks.
#include "profiler/stack_tree.h"

namespace kiln {

uint32_t StackTree::addFunction(const StackFunction& function) {
    auto [known, isNew] = functionIds_.emplace(function, static_cast<uint32_t>(functions_.size()));
    if (isNew) {
        functions_.push_back(function);
    }
    return known->second;
}

uint32_t StackTree::addFrame(const StackFrame& frame) {
    auto known = frameIds_.find(frame);
    if (known != frameIds_.end()) {
        return known->second;
    }
    if (frames_.size() == kMostFrames) {
        return kNone;
    }
    frames_.push_back(frame);
    return frameIds_[frame] = static_cast<uint32_t>(frames_.size() - 1);
}

int32_t StackTree::child(int32_t parent, uint32_t frame) {
    if (frame == kNone) {
        return parent;
    }
    uint64_t key = static_cast<uint64_t>(static_cast<uint32_t>(parent)) << 32 | frame;
    auto known = children_.find(key);
    if (known != children_.end()) {
        return known->second;
    }
    if (nodes_.size() == kMostNodes) {
        return parent;
    }
    nodes_.push_back({parent, frame, 0, 0});
    return children_[key] = static_cast<int32_t>(nodes_.size() - 1);
}

void StackTree::add(int32_t node, uint64_t samples, double seconds) {
    if (node >= 0) {
        nodes_[static_cast<size_t>(node)].samples += samples;
        nodes_[static_cast<size_t>(node)].seconds += seconds;
    }
}

void StackTree::merge(const StackTree& other) {
    std::vector<uint32_t> frames;
    for (StackFrame frame : other.frames_) {
        frame.function = addFunction(other.functions_[frame.function]);
        frames.push_back(addFrame(frame));
    }
    std::vector<int32_t> nodes;
    for (const StackNode& node : other.nodes_) {
        int32_t parent = node.parent < 0 ? -1 : nodes[static_cast<size_t>(node.parent)];
        nodes.push_back(child(parent, frames[node.frame]));
        add(nodes.back(), node.samples, node.seconds);
    }
}

}  // namespace kiln
