#include "gpu/frontend/definition_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "gpu/frontend/imported_names.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

constexpr std::string_view kBlanks = " \t\f";

std::string_view lineAt(std::string_view text, size_t begin) {
    return text.substr(begin, text.find('\n', begin) - begin);
}

std::string_view indentationOf(std::string_view line) {
    return line.substr(0, std::min(line.find_first_not_of(kBlanks), line.size()));
}

// Where a line begins, from 1 on; the text's size where there is none.
size_t beginOf(std::string_view text, int line) {
    size_t begin = 0;
    for (int i = 1; i < line && begin < text.size(); i++) {
        begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    }
    return begin;
}

// Whether a line has something of a statement, and is not the end of brackets that were opened above.
bool beginsStatement(std::string_view line) {
    size_t first = line.find_first_not_of(" \t\f\r");
    return first != line.npos && std::string_view("#)]}").find(line[first]) == std::string_view::npos;
}

// Decorators come first; the definition ends where a later statement is not further to the right.
size_t endOf(std::string_view text, size_t begin) {
    std::string_view indentation = indentationOf(lineAt(text, begin));
    bool isInside = false;
    for (size_t at = begin; at < text.size(); at += lineAt(text, at).size() + 1) {
        std::string_view line = lineAt(text, at);
        bool isOutside = beginsStatement(line) && indentationOf(line).size() <= indentation.size();
        if (isOutside && isInside) {
            return at;
        }
        std::string_view rest = line.substr(std::min(indentation.size(), line.size()));
        isInside = isInside || (isOutside && (rest.starts_with("def ") || rest.starts_with("async def ")));
    }
    return text.size();
}

// The names, for an import statement or parameters.
std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

// What opens the block of an inner definition: a function that has what the code captures, or, for one in a class or under a
// condition, anything.
std::string opening(PyCodeObject* code, bool isIndented) {
    if ((code->co_flags & CO_NESTED) == 0) {
        return isIndented ? "if 1:" : "";
    }
    Ref<> captured = Ref<>::steal(PyCode_GetFreevars(code));
    std::vector<std::string> names;
    for (Py_ssize_t i = 0; captured && i < PyTuple_GET_SIZE(captured.get()); i++) {
        names.push_back(textOrEmpty(PyTuple_GET_ITEM(captured.get(), i)));
    }
    PyErr_Clear();
    return "def _(" + joined(names) + "):";
}

}  // namespace

std::string definitionText(const std::string& text, PyCodeObject* code) {
    int line = code->co_firstlineno;
    size_t begin = beginOf(text, line);
    if (line < 1 || begin >= text.size()) {
        return "";
    }
    std::string definition = text.substr(begin, endOf(text, begin) - begin);
    std::string imports = joined(importedNames(text));
    imports = imports.empty() ? "" : "import " + imports;
    std::string opener = opening(code, !indentationOf(lineAt(text, begin)).empty());
    int above = (imports.empty() ? 0 : 1) + (opener.empty() ? 0 : 1);
    if (line - 1 < above) {
        return "";
    }
    std::string blank(static_cast<size_t>(line - 1 - above), '\n');
    return imports + (imports.empty() ? "" : "\n") + blank + opener + (opener.empty() ? "" : "\n") + definition;
}

}  // namespace kiln::gpu
