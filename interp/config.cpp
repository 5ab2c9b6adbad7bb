#include "interp/config.h"

#include <cstdlib>
#include <string_view>

#include "interp/support/log.h"

namespace kiln {
namespace {

Config current;

bool listHas(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        size_t comma = list.find(',');
        if (list.substr(0, comma) == name) {
            return true;
        }
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return false;
}

void readVariable(const char* variable, std::string& text) {
    if (const char* value = std::getenv(variable)) {
        text = value;
    }
}

void derive(Config& c) {
    c.enabled = c.enabledText != "0";
    c.stressDeopt = listHas(c.stressText, "deopt");
    c.stressGc = listHas(c.stressText, "gc");
    c.jitOn = c.enabled && c.jitText != "off";
    c.jitAlways = c.jitText == "always" || c.stressDeopt;
    c.dumpRegion = listHas(c.dumpText, "region");
    c.dumpIr = listHas(c.dumpText, "ir");
    c.dumpLlvm = listHas(c.dumpText, "llvm");
    c.dumpAsm = listHas(c.dumpText, "asm");
    c.perf = c.perfText == "1";
    c.threshold = std::strtol(c.thresholdText.c_str(), nullptr, 10);
    c.seed = std::strtoul(c.seedText.c_str(), nullptr, 10);
}

}  // namespace

const Config& config() {
    return current;
}

void loadConfig(bool ignoreEnvironment) {
    current = Config();
    if (!ignoreEnvironment) {
#define KILN_KNOB(field, variable, kind, defaultText, unit, reason) readVariable(variable, current.field##Text);
#include "interp/config.def"
#undef KILN_KNOB
    }
    derive(current);
    enableLogChannels(current.logText.c_str());
}

}  // namespace kiln
