// What counts, under valgrind's callgrind: nothing before start() and behind stop().
#include <valgrind/callgrind.h>

extern "C" void start() {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

extern "C" void stop() {
    CALLGRIND_STOP_INSTRUMENTATION;
}
