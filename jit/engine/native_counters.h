// Counters that compiled code adds to: rounds and calls for the report, and entries.
#pragma once

#include <Python.h>

#include <cstdint>
#include <map>
#include <vector>

namespace kiln {

class NativeCounters {
   public:
    NativeCounters();
    // Of a place in the code; the same each time. -1 when there are none left.
    int indexOf(PyCodeObject* code, int unit);
    // 0 for -1.
    uint64_t at(int index) const { return index < 0 ? 0 : counters_[static_cast<size_t>(index)]; }
    // They never move.
    uint64_t* data() { return counters_.data(); }
    // Its counters are given to others.
    void codeDestroyed(PyCodeObject* code);

   private:
    std::vector<uint64_t> counters_;
    std::vector<int> free_;
    std::map<std::pair<PyCodeObject*, int>, int> indices_;
};

}  // namespace kiln
