// The lexer of region text.
#include "jit/ir/lexer.h"

#include <charconv>

namespace kiln::ir {

namespace {

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '+' || c == '-';
}

// Reads what follows a backslash at `position`, and leaves `position` on the escape's last character.
bool readEscape(std::string_view line, size_t& position, std::string& text) {
    if (position + 1 >= line.size()) {
        return false;
    }
    const char c = line[++position];
    if (c != 'x') {
        text += c;
        return c == '"' || c == '\\';
    }
    unsigned code = 0;
    const char* digits = line.data() + position + 1;
    if (position + 2 >= line.size() || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) {
        return false;
    }
    text += static_cast<char>(code);
    position += 2;
    return true;
}

// Reads a string from its opening quote; leaves `position` behind the closing one.
bool readString(std::string_view line, size_t& position, std::string& text, std::string& error) {
    for (++position; position < line.size(); ++position) {
        if (line[position] == '"') {
            ++position;
            return true;
        }
        if (line[position] != '\\') {
            text += line[position];
        } else if (!readEscape(line, position, text)) {
            error = "bad escape in a string";
            return false;
        }
    }
    error = "string without its closing quote";
    return false;
}

}  // namespace

bool splitLine(std::string_view line, std::vector<Token>& tokens, std::string& error) {
    tokens.clear();
    size_t position = 0;
    while (position < line.size() && line[position] != '#') {
        const char c = line[position];
        Token token;
        if (c == ' ' || c == '\t' || c == '\r') {
            ++position;
            continue;
        }
        if (c == '"') {
            token.kind = TokenKind::kString;
            if (!readString(line, position, token.text, error)) {
                return false;
            }
        } else if (line.substr(position, 2) == "->") {
            token = {TokenKind::kSign, "->"};
            position += 2;
        } else if (isWordCharacter(c)) {
            token.kind = TokenKind::kWord;
            while (position < line.size() && isWordCharacter(line[position])) {
                token.text += line[position++];
            }
        } else {
            token = {TokenKind::kSign, std::string(1, c)};
            ++position;
        }
        tokens.push_back(std::move(token));
    }
    tokens.push_back({});
    return true;
}

}  // namespace kiln::ir
