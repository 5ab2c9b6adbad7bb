#include "gpu/frontend/imported_names.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace kiln::gpu {
namespace {

constexpr std::string_view kBlanks = " \t\f\r\n\\()";

std::string_view trimmed(std::string_view text) {
    size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Whether the line begins with one of the words, each with the blank behind it.
bool beginsWith(std::string_view line, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return line.starts_with(word); });
}

bool isName(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 128; });
}

// "a.b as c" binds c, "a.b" binds a; a star binds what nobody here knows.
void addClause(std::string_view clause, std::vector<std::string>& names) {
    size_t as = clause.find(" as ");
    std::string_view name = trimmed(as != clause.npos ? clause.substr(as + 4) : clause.substr(0, clause.find('.')));
    if (isName(name)) {
        names.emplace_back(name);
    }
}

// Of "import a.b as c, d" or "from a import (b, c)", without comments.
void addStatement(std::string_view statement, std::vector<std::string>& names) {
    size_t keyword = statement.starts_with("import ") ? 0 : statement.find(" import");
    if (keyword == statement.npos) {
        return;
    }
    std::string_view clauses = statement.substr(statement.find("import", keyword) + 6);
    clauses = clauses.substr(0, clauses.find(';'));
    while (!clauses.empty()) {
        std::string_view clause = clauses.substr(0, clauses.find(','));
        clauses.remove_prefix(std::min(clauses.size(), clause.size() + 1));
        addClause(clause, names);
    }
}

class ImportReader {
public:
    void read(std::string_view line) {
        bool isOuter = !line.empty() && std::string_view(" \t\f\r#)]}").find(line[0]) == std::string_view::npos;
        if (isOuter) {
            isInDefinition_ = beginsWith(line, {"def ", "class ", "async def ", "@"});
        }
        std::string_view code = line.substr(0, line.find('#'));
        if (statement_.empty()) {
            code.remove_prefix(std::min(code.find_first_not_of(" \t\f"), code.size()));
            if (isInDefinition_ || !beginsWith(code, {"import ", "from "})) {
                return;
            }
        }
        statement_ += std::string(code) + " ";
        bool goesOn =
            trimmed(code).empty() ? isOpen() : isOpen() || code.find_last_of('\\') == code.find_last_not_of(" \t\r");
        if (!goesOn) {
            addStatement(statement_, names_);
            statement_.clear();
        }
    }
    std::vector<std::string> names() && { return std::move(names_); }

private:
    bool isOpen() const {
        return std::count(statement_.begin(), statement_.end(), '(') >
               std::count(statement_.begin(), statement_.end(), ')');
    }

    std::string statement_;  // what there is of one that goes on
    bool isInDefinition_ = false;
    std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> importedNames(std::string_view text) {
    ImportReader reader;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        reader.read(line);
    }
    return std::move(reader).names();
}

}  // namespace kiln::gpu
