#include "interp/launcher/help.h"

#include <cstdio>
#include <cstring>

namespace kiln {
namespace {

constexpr const char* kHelp = R"(
kiln runs what python runs and compiles what is hot; all options above are its own, too. Beside them:
-X kiln-NAME=VALUE : sets a knob, as the variable KILN_NAME=VALUE does; most used are
  kiln-report=1         prints at exit what was hot, where it ran and why
  kiln-report=FILE.html writes that as a page for a browser; FILE.json: as data
  kiln-jit=off          compiles nothing
  kiln=0                turns everything off: plain CPython
kiln -m kiln --help     lists kiln's commands: report, explain, doctor, config ...
kiln -m kiln config     lists every knob with its value; man kiln has both
)";

// Options with one letter that take an argument: the rest of their word, or the next one.
bool takesArgument(char letter) {
    return letter != '\0' && std::strchr("WX", letter) != nullptr;
}

// Behind these come the program and its arguments.
bool endsOptions(char letter) {
    return letter == 'c' || letter == 'm';
}

}  // namespace

bool asksForHelp(int argc, char** argv) {
    for (int i = 1; i < argc; i++) {
        const char* word = argv[i];
        if (word[0] != '-' || word[1] == '\0' || std::strcmp(word, "--") == 0) {
            return false;
        }
        if (word[1] == '-') {
            if (std::strcmp(word, "--help") == 0) {
                return true;
            }
            i += std::strcmp(word, "--check-hash-based-pycs") == 0 ? 1 : 0;
            continue;
        }
        for (const char* letter = word + 1; *letter != '\0'; letter++) {
            if (*letter == 'h' || *letter == '?') {
                return true;
            }
            if (endsOptions(*letter)) {
                return false;
            }
            if (takesArgument(*letter)) {
                i += letter[1] == '\0' ? 1 : 0;
                break;
            }
        }
    }
    return false;
}

void printHelp() {
    std::fputs(kHelp, stdout);
}

}  // namespace kiln
