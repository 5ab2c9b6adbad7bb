#include "interp/config_check.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "interp/support/executable_path.h"

namespace kiln {
namespace {

// The separators of the unit column: values of a Choice and names of a List.
bool unitHas(std::string_view unit, char separator, std::string_view value) {
    while (true) {
        size_t end = unit.find(separator);
        if (unit.substr(0, end) == value) {
            return true;
        }
        if (end == std::string_view::npos) {
            return false;
        }
        unit.remove_prefix(end + 1);
    }
}

bool isCount(std::string_view value) {
    bool digits = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !value.empty() && value.size() <= 18;
}

// "out.json" for FILE.json, but not ".json".
bool isOutput(std::string_view unit, std::string_view value) {
    constexpr std::string_view kFile = "FILE";
    std::string_view name = value.substr(value.rfind('/') + 1);
    while (true) {
        std::string_view form = unit.substr(0, unit.find('|'));
        std::string_view suffix = form.substr(std::min(kFile.size(), form.size()));
        bool isFile = form.starts_with(kFile);
        if (isFile ? name.ends_with(suffix) && name != suffix : value == form) {
            return true;
        }
        if (form.size() == unit.size()) {
            return false;
        }
        unit.remove_prefix(form.size() + 1);
    }
}

bool isList(std::string_view unit, std::string_view value) {
    while (true) {
        size_t comma = value.find(',');
        std::string_view name = value.substr(0, comma);
        if (!name.empty() && !unitHas(unit, ',', name)) {
            return false;
        }
        if (comma == std::string_view::npos) {
            return true;
        }
        value.remove_prefix(comma + 1);
    }
}

int editDistance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++) {
        row[j] = static_cast<int>(j);
    }
    for (size_t i = 1; i <= a.size(); i++) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (size_t j = 1; j <= b.size(); j++) {
            int above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

// A pool of workers would repeat each warning of the process that started them.
bool parentIsKiln() {
    char parentLink[64];
    char parent[PATH_MAX];
    std::snprintf(parentLink, sizeof parentLink, "/proc/%d/exe", static_cast<int>(getppid()));
    ssize_t parentLength = readlink(parentLink, parent, sizeof parent);
    return parentLength > 0 && std::string_view(parent, static_cast<size_t>(parentLength)) == kiln_executable_path();
}

// As the user wrote it: KILN_NUM_THREADS, or -X kiln-num-threads.
std::string spelled(const std::string& variable, bool isOption) {
    std::string text = isOption ? "-X " : "";
    for (char c : variable) {
        text += !isOption ? c : c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

void warnUnknown(const std::string& variable, bool isOption) {
    std::string name = spelled(variable, isOption);
    if (const Knob* knob = nearestKnob(variable.c_str())) {
        std::fprintf(stderr, "kiln: warning: %s is not a knob of kiln's; did you mean %s?\n", name.c_str(),
                     spelled(knob->variable, isOption).c_str());
    } else {
        std::fprintf(stderr, "kiln: warning: %s is not a knob of kiln's; `kiln -m kiln config` lists them\n", name.c_str());
    }
}

std::string expectedValues(const Knob& knob) {
    switch (knob.kind) {
    case KnobKind::kList: return std::string("a comma list of ") + knob.unit;
    case KnobKind::kCount: return std::string("a whole number, 0 or more (") + knob.unit + ")";
    default: return std::string("one of ") + knob.unit;
    }
}

void complainOfValue(const Knob& knob, const char* value, bool isOption) {
    bool isError = knob.kind == KnobKind::kOutput;
    std::string default_ = *knob.defaultText != '\0' ? knob.defaultText : "(none)";
    std::fprintf(stderr, "kiln: %s: %s=%s is not understood: expected %s; %s\n", isError ? "error" : "warning",
                 spelled(knob.variable, isOption).c_str(), value, expectedValues(knob).c_str(),
                 isError ? "nothing was run" : ("using the default " + default_).c_str());
}

// One "NAME=value" entry of the environment, about which there may be something to say. False for an error.
bool checkVariable(const char* entry, const std::vector<std::string>& options, bool onlyOptions) {
    const char* equals = std::strchr(entry, '=');
    if (equals == nullptr) {
        return true;
    }
    std::string name(entry, equals);
    bool isOption = std::find(options.begin(), options.end(), name) != options.end();
    if (onlyOptions && !isOption) {
        return true;
    }
    const char* value = equals + 1;
    auto knob = std::find_if(knobs().begin(), knobs().end(), [&](const Knob& k) { return name == k.variable; });
    if (knob == knobs().end()) {
        if (!parentIsKiln()) {
            warnUnknown(name, isOption);
        }
        return true;
    }
    if (*value == '\0' || isValidValue(*knob, value)) {
        return true;
    }
    bool isError = knob->kind == KnobKind::kOutput;
    if (isError || !parentIsKiln()) {
        complainOfValue(*knob, value, isOption);
    }
    return !isError;
}

}  // namespace

bool isValidValue(const Knob& knob, const char* value) {
    switch (knob.kind) {
    case KnobKind::kSwitch:
    case KnobKind::kChoice: return unitHas(knob.unit, '|', value);
    case KnobKind::kCount: return isCount(value);
    case KnobKind::kList: return isList(knob.unit, value);
    case KnobKind::kOutput: return isOutput(knob.unit, value);
    case KnobKind::kText: return true;
    }
    return true;
}

const Knob* nearestKnob(const char* variable) {
    const Knob* nearest = nullptr;
    int best = 4;  // more typing errors than three: something else was meant
    for (const Knob& knob : knobs()) {
        int distance = editDistance(variable, knob.variable);
        if (distance < best) {
            best = distance;
            nearest = &knob;
        }
    }
    return nearest;
}

bool checkEnvironment(const std::vector<std::string>& options, bool onlyOptions) {
    bool mayRun = true;
    for (char** entry = environ; *entry != nullptr; entry++) {
        if (std::strncmp(*entry, "KILN_", 5) == 0 || std::strncmp(*entry, "KILN=", 5) == 0) {
            mayRun = checkVariable(*entry, options, onlyOptions) && mayRun;
        }
    }
    return mayRun;
}

}  // namespace kiln
