// Which instructions enter which Python functions, and with which classes of arguments: seen in windows, for the report.
//
// More than the calls that a bytecode CALL shows: properties, operators, __init__ of a class that is called.
#pragma once

#include <Python.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "profiler/frame_window.h"
#include "profiler/report_section.h"

namespace kiln {

// One per process; needs the GIL.
class CallEdges final : public FrameObserver {
   public:
    static CallEdges& instance();
    // The instruction at `unit` of this thread's current frame is about to run: the frame that it starts, if any, is noted.
    void watch(PyThreadState* thread, int unit);
    bool frameStarted(KilnFrame* frame, PyObject** result) override;
    void clear() { edges_.clear(); }
    JsonValue toJson() const;

   private:
    // Caller, its file and line, callee, its file and first line.
    using Key = std::tuple<std::string, std::string, int, std::string, std::string, int>;
    struct Edge {
        std::vector<std::vector<std::string>> classes;  // of each parameter
    };

    std::map<Key, Edge> edges_;
    KilnFrame* caller_ = nullptr;
    int unit_ = 0;
};

// The members "edges" and "windows" of the report. To be added before the program starts.
const ReportSection& edgeSection();
const ReportSection& windowSection();

}  // namespace kiln
