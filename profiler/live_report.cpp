// Both are laps of a measurement, taken where Python looks at the evaluation breaker: no thread of kiln's waits for requests. The
// other process repeats itself until it is served, so that a request may be lost.
#include "profiler/live_report.h"

#include <Python.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "interp/cpython/outside_request.h"
#include "interp/cpython/sampling.h"
#include "profiler/measurement.h"
#include "profiler/report_json.h"
#include "profiler/report_text.h"
#include "profiler/timeline_events.h"

namespace kiln {
namespace {

constexpr double kLapSeconds = 1;
constexpr const char* kClearScreen = "\033[H\033[2J";

// All of it with the GIL held.
struct LiveReports {
    Measurement asked;
    uint32_t asker = 0;
    uint32_t served = 0;
    double leaseEnd = 0;
    std::string answer;
    Measurement printed;
    bool prints = false;
    double lapEnd = 0;
};

LiveReports& live() {
    static LiveReports& instance = *new LiveReports;
    return instance;
}

// The first request of each asker begins; its answer is empty.
void serveRequest(uint32_t number) {
    LiveReports& l = live();
    KilnOutsideRequest& request = kiln_outside_request;
    l.served = number;
    l.leaseEnd = timelineNow() + request.lease_ms / 1000.0;
    l.answer.clear();
    if (l.asked.isUnderWay() && l.asker == request.asker) {
        Report report = l.asked.take(true, false);
        report.stacks = StackTree();  // tables need neither
        report.timeline = Timeline();
        l.answer = reportToJson(report);
    } else {
        l.asked.end();
        l.asked.begin();
        l.asker = request.asker;
    }
    l.asked.leaseUntil(l.leaseEnd);
    request.answer = l.answer.data();
    request.answer_size = l.answer.size();
    std::atomic_ref(request.answered).store(number, std::memory_order_release);
}

void endLease() {
    LiveReports& l = live();
    l.asked.end();
    l.answer = std::string();
    kiln_outside_request.answer_size = 0;
}

void printLap() {
    LiveReports& l = live();
    if (!l.printed.isUnderWay()) {
        l.printed.begin();
    } else {
        std::string text = reportToText(l.printed.take(true, false));
        text.insert(0, ::isatty(STDERR_FILENO) != 0 ? kClearScreen : "\n");
        [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    }
    l.lapEnd = timelineNow() + kLapSeconds;
}

void serve() {
    LiveReports& l = live();
    uint32_t number = std::atomic_ref(kiln_outside_request.asked).load(std::memory_order_acquire);
    if (number != l.served) {
        serveRequest(number);
    } else if (l.asked.isUnderWay() && timelineNow() > l.leaseEnd) {
        endLease();
    }
    if (l.prints && timelineNow() > l.lapEnd) {
        printLap();
    }
}

void stopServing(void*) {
    kiln_serve_outside(nullptr, 0);
}

// Whoever asked the parent did not ask the child.
void forgetRequests() {
    KilnOutsideRequest& request = kiln_outside_request;
    request.asked = request.answered = live().served = 0;
    request.answer_size = 0;
}

}  // namespace

void serveLiveReports() {
    bool installed = pthread_atfork(nullptr, nullptr, forgetRequests) == 0 && kiln_at_interpreter_end(stopServing, nullptr) == 0;
    PyErr_Clear();
    if (installed) {
        kiln_serve_outside(serve, live().prints);
    }
}

void printLiveReports() {
    live().prints = true;
}

void stopPrintingInChild() {
    live().prints = false;
}

}  // namespace kiln
