// The entries of KILN_EXCLUDE, read when the first root is hot.
#include "jit/engine/excluded_code.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "interp/config.h"
#include "interp/python_text.h"

namespace kiln {
namespace {

struct Entries {
    std::unordered_set<std::string> functions;  // qualified names, and FILE:LINE
    std::vector<std::string> folders;           // each with the slash at its end
};

Entries readEntries(const std::string& text) {
    Entries entries;
    auto add = [&](std::istream& from, char separator) {
        for (std::string entry; std::getline(from, entry, separator);) {
            if (entry.ends_with('/')) {
                entries.folders.push_back(entry);
            } else {
                entries.functions.insert(entry);
            }
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
    static const auto& entries = *new Entries(readEntries(config().excludeText));
    const std::string file = textOf(code->co_filename);
    return entries.functions.contains(textOf(code->co_qualname)) ||
           entries.functions.contains(file + ":" + std::to_string(code->co_firstlineno)) ||
           std::ranges::any_of(entries.folders, [&](const std::string& folder) { return file.starts_with(folder); });
}

}  // namespace kiln
