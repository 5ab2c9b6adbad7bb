// What was sampled, by function and line.
#pragma once

#include <Python.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "profiler/report_model.h"

namespace kiln {

// Not thread-safe. Code objects are borrowed: forget() must be told of each destruction.
class SamplerRecords {
public:
    // Adds `seconds` (of `ticks` samples) to the first code object of `chain` at `line`, and once to each one in the
    // chain. The chain is the top of the stack first and not empty. Only reads the code objects: no GIL needed.
    void attribute(const std::vector<PyCodeObject*>& chain, int line, double seconds, int ticks, ReportTier tier);
    void forget(PyCodeObject* code) { byCode_.erase(code); }
    void clear();
    void addTo(Report& report) const;

private:
    struct Record {
        ReportFunction function;
        std::map<int, ReportLine> lines;
        uint64_t stamp = 0;  // of the last sample that met it, so that recursion counts once
    };
    using Key = std::tuple<std::string, int, std::string>;

    Record& recordOf(PyCodeObject* code);

    std::unordered_map<PyCodeObject*, Record*> byCode_;
    std::map<Key, std::unique_ptr<Record>> records_;
    uint64_t stamp_ = 0;
    uint64_t samples_ = 0;
};

}  // namespace kiln
