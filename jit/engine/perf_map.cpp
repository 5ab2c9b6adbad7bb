#include "jit/engine/perf_map.h"

#include <Python.h>
#include <pthread.h>
#include <unistd.h>

#include "interp/support/log.h"

namespace kiln {
namespace {

// Held around a fork as well, so that no child inherits a half-written line.
pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

// Never destroyed: code may still be compiled while static objects are.
std::vector<CodeSymbol>& writtenSymbols() {
    static auto* symbols = new std::vector<CodeSymbol>();
    return *symbols;
}

// Through CPython, whose own entries (-X perf) go to the same file.
bool write(const CodeSymbol& symbol) {
    return PyUnstable_WritePerfMapEntry(symbol.address, static_cast<unsigned>(symbol.size), symbol.name.c_str()) == 0;
}

void beforeFork() {
    pthread_mutex_lock(&writing);
}

void afterForkInParent() {
    pthread_mutex_unlock(&writing);
}

void afterForkInChild() {
    PyUnstable_PerfMapState_Fini();  // the parent's
    for (const CodeSymbol& symbol : writtenSymbols()) {
        write(symbol);
    }
    pthread_mutex_unlock(&writing);
}

// One line for each entry: file names may hold anything.
std::string onOneLine(std::string name) {
    for (char& c : name) {
        if (static_cast<unsigned char>(c) < ' ') {
            c = '?';
        }
    }
    return name;
}

}  // namespace

void addToPerfMap(const std::vector<CodeSymbol>& symbols) {
    if (symbols.empty()) {
        return;
    }
    [[maybe_unused]] static const int handlers = pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
    bool complete = true;
    pthread_mutex_lock(&writing);
    for (const CodeSymbol& symbol : symbols) {
        const CodeSymbol& entry = writtenSymbols().emplace_back(onOneLine(symbol.name), symbol.address, symbol.size);
        complete = write(entry) && complete;
    }
    pthread_mutex_unlock(&writing);
    if (!complete) {
        logMessage(LogChannel::kCompile, "/tmp/perf-%d.map can't be written: perf will not know %s",
                   static_cast<int>(getpid()), symbols.front().name.c_str());
    }
}

}  // namespace kiln
