#include "interp/config_check.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

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
    char self[PATH_MAX];
    std::snprintf(parentLink, sizeof parentLink, "/proc/%d/exe", static_cast<int>(getppid()));
    ssize_t parentLength = readlink(parentLink, parent, sizeof parent);
    ssize_t selfLength = readlink("/proc/self/exe", self, sizeof self);
    return selfLength > 0 && parentLength == selfLength && std::memcmp(parent, self, selfLength) == 0;
}

void warnUnknown(const std::string& variable) {
    if (const Knob* knob = nearestKnob(variable.c_str())) {
        std::fprintf(stderr, "kiln: warning: %s is not a knob of kiln's; did you mean %s?\n", variable.c_str(),
                     knob->variable);
    } else {
        std::fprintf(stderr, "kiln: warning: %s is not a knob of kiln's; `kiln -m kiln config` lists them\n",
                     variable.c_str());
    }
}

void warnValue(const Knob& knob, const char* value) {
    const char* expected = "one of ";
    if (knob.kind == KnobKind::kList) {
        expected = "a comma list of ";
    } else if (knob.kind == KnobKind::kCount) {
        expected = "a number: ";
    }
    std::fprintf(stderr, "kiln: warning: %s=%s is not understood: expected %s%s; using the default %s\n", knob.variable,
                 value, expected, knob.unit, *knob.defaultText != '\0' ? knob.defaultText : "(none)");
}

// Warns about one "NAME=value" entry of the environment, if there is reason to.
void checkVariable(const char* entry, const std::vector<std::string>* only) {
    const char* equals = std::strchr(entry, '=');
    if (equals == nullptr) {
        return;
    }
    std::string name(entry, equals);
    if (only != nullptr && std::find(only->begin(), only->end(), name) == only->end()) {
        return;
    }
    const char* value = equals + 1;
    for (const Knob& knob : knobs()) {
        if (name == knob.variable) {
            if (*value != '\0' && !isValidValue(knob, value) && !parentIsKiln()) {
                warnValue(knob, value);
            }
            return;
        }
    }
    if (!parentIsKiln()) {
        warnUnknown(name);
    }
}

}  // namespace

bool isValidValue(const Knob& knob, const char* value) {
    switch (knob.kind) {
    case KnobKind::kSwitch:
    case KnobKind::kChoice: return unitHas(knob.unit, '|', value);
    case KnobKind::kCount: return isCount(value);
    case KnobKind::kList: return isList(knob.unit, value);
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

void checkEnvironment(const std::vector<std::string>* only) {
    for (char** entry = environ; *entry != nullptr; entry++) {
        if (std::strncmp(*entry, "KILN_", 5) == 0 || std::strncmp(*entry, "KILN=", 5) == 0) {
            checkVariable(*entry, only);
        }
    }
}

}  // namespace kiln
