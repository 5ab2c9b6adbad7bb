#include "interp/config.h"

#include <cstdlib>
#include <string_view>
#include <vector>

#include "interp/config_check.h"
#include "interp/support/log.h"

#ifndef KILN_JIT_DISABLED
#define KILN_JIT_DISABLED ""
#endif

namespace kiln {
namespace {

constexpr std::array<Knob, kKnobCount> kKnobs = {{
#define KILN_KNOB(field, variable, kind, defaultText, unit, reason) \
    {#field, variable, KnobKind::k##kind, defaultText, unit, reason, &Config::field##Text},
#include "interp/config.def"
#undef KILN_KNOB
}};

Config current;
std::array<KnobOrigin, kKnobCount> origins;
std::vector<std::string> optionVariables;

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

// A value that is not understood keeps the default; checkEnvironment() speaks about it afterwards.
void readKnob(size_t index, bool ignoreEnvironment) {
    const Knob& knob = kKnobs[index];
    if (ignoreEnvironment && origins[index] != KnobOrigin::kOption) {
        return;
    }
    const char* value = std::getenv(knob.variable);
    if (value == nullptr || *value == '\0' || !isValidValue(knob, value)) {
        origins[index] = KnobOrigin::kDefault;
        return;
    }
    if (origins[index] != KnobOrigin::kOption) {
        origins[index] = KnobOrigin::kEnvironment;
    }
    current.*knob.text = value;
}

void derive(Config& c) {
    c.enabled = c.enabledText != "0";
    c.stressDeopt = listHas(c.stressText, "deopt");
    c.stressGc = listHas(c.stressText, "gc");
    c.stressMalformed = listHas(c.stressText, "malformed");
    c.jitOn = c.enabled && c.jitText != "off" && *jitDisabledBy() == '\0';
    c.quickOnly = c.tierText == "quick";
    c.thoroughOnly = c.tierText == "thorough";
    c.jitAlways = c.jitText == "always" || c.stressDeopt;
    c.dumpRegion = listHas(c.dumpText, "region");
    c.dumpIr = listHas(c.dumpText, "ir");
    c.dumpLlvm = listHas(c.dumpText, "llvm");
    c.dumpAsm = listHas(c.dumpText, "asm");
    c.perf = c.perfText != "0";
    c.jitdump = c.perfText == "jitdump";
    c.reports = c.enabled && c.reportText != "0";
    c.threshold = std::strtol(c.thresholdText.c_str(), nullptr, 10);
    c.seed = std::strtoul(c.seedText.c_str(), nullptr, 10);
}

// "kiln-num-threads" -> "KILN_NUM_THREADS"
std::string variableOfOption(std::string_view name) {
    std::string variable;
    for (char c : name) {
        variable += c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    }
    return variable;
}

}  // namespace

const std::array<Knob, kKnobCount>& knobs() {
    return kKnobs;
}

KnobOrigin knobOrigin(size_t index) {
    return origins[index];
}

const Config& config() {
    return current;
}

const char* jitDisabledBy() {
    return KILN_JIT_DISABLED;
}

void takeOption(const char* option) {
    std::string_view text = option;
    size_t equals = text.find('=');
    std::string_view name = text.substr(0, equals);
    if (name != "kiln" && !name.starts_with("kiln-") && !name.starts_with("kiln_")) {
        return;
    }
    std::string variable = variableOfOption(name);
    std::string value = equals == std::string_view::npos ? "1" : std::string(text.substr(equals + 1));
    setenv(variable.c_str(), value.c_str(), 1);
    optionVariables.push_back(variable);
    for (size_t i = 0; i < kKnobCount; i++) {
        if (variable == kKnobs[i].variable) {
            origins[i] = KnobOrigin::kOption;
        }
    }
}

bool loadConfig(bool ignoreEnvironment) {
    current = Config();
    for (size_t i = 0; i < kKnobCount; i++) {
        readKnob(i, ignoreEnvironment);
    }
    derive(current);
    if (!current.enabled) {
        return true;
    }
    enableLogChannels(current.logText.c_str());
    return checkEnvironment(optionVariables, ignoreEnvironment);
}

}  // namespace kiln
