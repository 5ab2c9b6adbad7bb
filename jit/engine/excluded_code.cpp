// The entries of KILN_EXCLUDE as a set, made when the first root is hot.
#include "jit/engine/excluded_code.h"

#include <fstream>
#include <sstream>
#include <string>
#include <unordered_set>

#include "interp/config.h"
#include "interp/python_text.h"

namespace kiln {
namespace {

std::unordered_set<std::string> readEntries(const std::string& text) {
    std::unordered_set<std::string> entries;
    auto add = [&](std::istream& from, char separator) {
        for (std::string entry; std::getline(from, entry, separator);) {
            entries.insert(entry);
        }
    };
    if (text.starts_with("@")) {
        std::ifstream file(text.substr(1));
        add(file, '\n');
    } else {
        std::istringstream list(text);
        add(list, ',');
    }
    return entries;
}

}  // namespace

bool isExcluded(PyCodeObject* code) {
    if (config().excludeText.empty()) {
        return false;
    }
    static const auto& entries = *new std::unordered_set<std::string>(readEntries(config().excludeText));
    return entries.contains(textOf(code->co_qualname)) ||
           entries.contains(textOf(code->co_filename) + ":" + std::to_string(code->co_firstlineno));
}

}  // namespace kiln
