// Reads files as they are now, and cuts out what belongs to a function.
#include "profiler/report_source.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace kiln {
namespace {

constexpr double kLeastPart = 0.01;
constexpr int kMostLines = 400;  // of a function that is shown whole
constexpr int kAround = 6;       // lines around those that are known, in longer ones
constexpr size_t kMostColumns = 400;
constexpr size_t kMostBytes = 2 << 20;  // of all text
constexpr size_t kMostFileBytes = 8 << 20;

// The length of the UTF-8 sequence at `at`; 0 for none.
size_t sequenceLength(const std::string& text, size_t at) {
    auto lead = static_cast<unsigned char>(text[at]);
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++) {
        if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

// Files may be in any encoding, or be no text; JSON is UTF-8.
std::string asUtf8(const std::string& line) {
    std::string text;
    for (size_t at = 0; at < line.size() && text.size() < kMostColumns;) {
        size_t length = sequenceLength(line, at);
        text += length == 0 ? "?" : line.substr(at, length);
        at += std::max<size_t>(length, 1);
    }
    return text;
}

using Lines = std::vector<std::string>;

Lines linesIn(std::istream& text) {
    Lines lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    return lines;
}

// A report has "\\udcff" for a byte of a file's name that is no UTF-8: the name with its bytes again.
std::string nameOnDisk(const std::string& path) {
    static constexpr std::string_view kEscape = "\\udc";
    std::string name;
    for (size_t i = 0; i < path.size(); i++) {
        unsigned byte = 0;
        const char* digits = path.data() + i + kEscape.size();
        if (path.compare(i, kEscape.size(), kEscape) == 0 && i + kEscape.size() + 2 <= path.size() &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            name += static_cast<char>(byte);
            i += kEscape.size() + 1;
        } else {
            name += path[i];
        }
    }
    return name;
}

Lines linesOf(const std::string& path, const SourceTexts& texts) {
    if (auto known = texts.find(path); known != texts.end()) {
        std::istringstream text(known->second);
        return linesIn(text);
    }
    std::ifstream file(nameOnDisk(path), std::ios::binary | std::ios::ate);
    // Pipes and devices have no size.
    if (!file || file.tellg() <= 0 || file.tellg() > static_cast<std::streamoff>(kMostFileBytes)) {
        return {};
    }
    file.seekg(0);
    return linesIn(file);
}

std::set<int> knownLines(const ReportFunction& function) {
    std::set<int> known;
    for (const ReportLine& line : function.lines) {
        known.insert(line.line);
    }
    for (const RootStatistics& root : function.code.roots) {
        known.insert({root.line, root.refusalLine});
        for (const ExitStatistics& exit : root.exits) {
            known.insert(exit.line);
        }
        for (const OpaqueStatistics& operation : root.opaque) {
            known.insert(operation.line);
        }
    }
    return known;
}

size_t indentOf(const std::string& line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

// The line with the `def` of a definition that begins at `first`, which may be a decorator's.
int headerLine(const Lines& lines, int first) {
    constexpr int kMostDecorators = 30;
    for (int line = first; line < std::min(first + kMostDecorators, static_cast<int>(lines.size())); line++) {
        std::string_view text = lines[static_cast<size_t>(line - 1)];
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        if (text.starts_with("def ") || text.starts_with("async ") || text.starts_with("class ")) {
            return line;
        }
    }
    return first;
}

// The last line of the block that begins at `first`, at least `known`: the next line that is not further in ends it.
int lastLine(const Lines& lines, int first, int known) {
    auto text = [&](int line) -> const std::string& { return lines[static_cast<size_t>(line - 1)]; };
    size_t indent = indentOf(text(first));
    int last = std::max(known, headerLine(lines, first));
    for (int line = last + 1; line <= static_cast<int>(lines.size()); line++) {
        size_t own = indentOf(text(line));
        bool isBlank = own == text(line).size();
        if (!isBlank && own <= indent && std::string(")]}#").find(text(line)[own]) == std::string::npos) {
            break;
        }
        last = isBlank ? last : line;
    }
    return last;
}

JsonValue listing(const ReportFunction& function, const Lines& lines, size_t& bytes) {
    std::set<int> known = knownLines(function);
    int size = static_cast<int>(lines.size());
    int first = std::clamp(function.code.firstLine, 1, size);
    std::erase_if(known, [&](int line) { return line < first || line > size; });
    const std::string& name = function.code.qualifiedName;
    bool isExpression = name.ends_with(">");  // <lambda>, <genexpr>, …
    int last = known.empty() ? first : *known.rbegin();
    last = name == "<module>" ? size : isExpression ? last : lastLine(lines, first, last);
    bool isWhole = last - first < kMostLines;
    JsonValue rows = JsonValue::array();
    for (int line = first; line <= last; line++) {
        auto near = known.lower_bound(line - kAround);
        bool isNear = near != known.end() && *near <= line + kAround;
        if ((isWhole || isNear || line == first) && bytes < kMostBytes) {
            std::string text = asUtf8(lines[static_cast<size_t>(line - 1)]);
            bytes += text.size() + 16;
            rows.append(JsonValue::array().append(JsonValue::integer(line)).append(JsonValue::text(text)));
        }
    }
    return rows;
}

}  // namespace

JsonValue sourcesOf(const Report& report, const SourceTexts& texts) {
    JsonValue sources = JsonValue::array();
    std::map<std::string, Lines> files;
    double total = selfOf(report).total();
    size_t bytes = 0;
    for (size_t i = 0; i < report.functions.size(); i++) {
        const ReportFunction& function = report.functions[i];
        const std::string& name = function.code.file;
        bool isFile = !name.empty() && name[0] != '<';
        if (function.self.total() < kLeastPart * total || !(isFile || texts.contains(name))) {
            continue;
        }
        auto [file, isNew] = files.try_emplace(name);
        if (isNew) {
            file->second = linesOf(name, texts);
        }
        if (!file->second.empty()) {
            sources.append(JsonValue::object()
                               .set("function", JsonValue::integer(static_cast<int64_t>(i)))
                               .set("lines", listing(function, file->second, bytes)));
        }
    }
    return sources;
}

}  // namespace kiln
