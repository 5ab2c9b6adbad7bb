#include "jit/engine/coverage.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "interp/config.h"
#include "jit/ir/ir_op.h"

namespace kiln {
namespace {

uint8_t ops[ir::kOpCount];
uint8_t exits[sizeof kExitReasons / sizeof kExitReasons[0]];
uint8_t refusals[sizeof kRefusals / sizeof kRefusals[0]];

}  // namespace

uint8_t* executedOps() {
    return config().coverageText.empty() ? nullptr : ops;
}

void noteExit(ExitReason reason) {
    exits[static_cast<int>(reason)] = 1;
}

void noteRefusal(Refusal refusal) {
    refusals[static_cast<int>(refusal)] = 1;
}

void writeCoverage() {
    if (config().coverageText.empty()) {
        return;
    }
    std::FILE* file = std::fopen(config().coverageText.c_str(), "a");
    if (file == nullptr) {
        std::fprintf(stderr, "kiln: cannot append to KILN_COVERAGE=%s: %s\n", config().coverageText.c_str(),
                     std::strerror(errno));
        return;
    }
    for (int op = 0; op < ir::kOpCount; op++) {
        if (ops[op] != 0) {
            std::fprintf(file, "op %s\n", ir::kOps[op].name);
        }
    }
    for (size_t reason = 0; reason < sizeof exits; reason++) {
        if (exits[reason] != 0) {
            std::fprintf(file, "exit %s\n", kExitReasons[reason].code);
        }
    }
    for (size_t refusal = 1; refusal < sizeof refusals; refusal++) {
        if (refusals[refusal] != 0) {
            std::fprintf(file, "refusal %s\n", kRefusals[refusal].code);
        }
    }
    std::fclose(file);
}

}  // namespace kiln
