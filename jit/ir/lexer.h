// Splits one line of region text into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln::ir {

enum class TokenKind {
    kWord,    // letters, digits and _ . + -: names and numbers
    kString,  // text: without quotes, escapes resolved
    kSign,    // one punctuation character, or ->
    kEnd,     // of the line
};

struct Token {
    TokenKind kind = TokenKind::kEnd;
    std::string text;
};

// The tokens of a line up to its comment, the last of kind kEnd. On an unfinished string or a bad escape returns false
// with what is wrong in `error`.
bool splitLine(std::string_view line, std::vector<Token>& tokens, std::string& error);

}  // namespace kiln::ir
