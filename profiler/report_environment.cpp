// Versions, machine and knobs.
#include "profiler/report_environment.h"

#include <Python.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include "interp/config.h"

namespace kiln {
namespace {

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown";
}

std::string systemName() {
    utsname names = {};
    return ::uname(&names) == 0 ? std::string(names.sysname) + " " + names.release + " " + names.machine : "unknown";
}

std::string timeText() {
    time_t now = std::time(nullptr);
    tm parts = {};
    char text[64];
    ::localtime_r(&now, &parts);
    size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &parts);
    return {text, size};
}

std::string knobsText() {
    std::string text;
    for (size_t i = 0; i < kKnobCount; i++) {
        if (knobOrigin(i) != KnobOrigin::kDefault) {
            text += (text.empty() ? "" : " ") + std::string(knobs()[i].variable) + "=" + config().*(knobs()[i].text);
        }
    }
    return text.empty() ? "none" : text;
}

}  // namespace

JsonValue describeEnvironment() {
    std::string python = Py_GetVersion();
    const char* compiler = config().jitOn ? "on" : *jitDisabledBy() != '\0' ? jitDisabledBy() : "off";
    return JsonValue::object()
        .set("started", JsonValue::text(timeText()))
        .set("python", JsonValue::text(python.substr(0, python.find(' '))))
        .set("compiler", JsonValue::text(compiler))
        .set("knobs", JsonValue::text(knobsText()))
        .set("processor", JsonValue::text(processorName()))
        .set("processors", JsonValue::integer(std::thread::hardware_concurrency()))
        .set("system", JsonValue::text(systemName()));
}

}  // namespace kiln
