// What was sampled: by function and line, by stack, and along time.
#pragma once

#include <Python.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/report_model.h"
#include "profiler/sampled_stack.h"

namespace kiln {

// Not thread-safe. Code objects are borrowed: forget() must be told of each destruction.
class SamplerRecords {
public:
    // Adds `seconds` (of `ticks` samples, beginning `at`) to the top of the stack and once to each of its functions. The stack
    // is not empty. Only reads the code objects: no GIL needed.
    void attribute(const std::vector<SampledFrame>& stack, double at, double seconds, int ticks);
    void forget(PyCodeObject* code);
    // Forgets everything; time begins at `start`.
    void restart(double start);
    void addTo(Report& report) const;

private:
    // Of stacks deeper than this the middle is one frame, so that recursion does not fill the tree.
    static constexpr size_t kMostDepth = 200;

    struct Record {
        ReportFunction function;
        std::map<int, ReportLine> lines;
        uint32_t id = 0;     // of the function in the tree
        uint64_t stamp = 0;  // of the last sample that met it, so that recursion counts once
    };
    struct Interned {
        int line = 0;
        uint32_t frame = StackTree::kNone;
    };
    struct CodeRecord {
        Record* record = nullptr;
        std::unordered_map<uint64_t, Interned> frames;  // by place and tier
    };
    // One frame of the last stack, outermost first.
    struct Step {
        SampledFrame frame;
        Record* record = nullptr;
        Interned is;
        int32_t node = -1;
    };

    CodeRecord& recordOf(PyCodeObject* code);
    void walk(const std::vector<SampledFrame>& stack);
    Step stepTo(const SampledFrame& frame);
    int32_t topNode();
    int32_t foldedBelow(int32_t parent);

    std::unordered_map<PyCodeObject*, CodeRecord> byCode_;
    std::map<StackFunction, std::unique_ptr<Record>> records_;
    std::vector<Step> path_;
    size_t placed_ = 0;  // so many steps of path_, from the outermost on, have their node
    uint32_t folded_ = StackTree::kNone;
    StackTree tree_;
    Timeline timeline_;
    uint64_t stamp_ = 0;
    uint64_t samples_ = 0;
};

}  // namespace kiln
