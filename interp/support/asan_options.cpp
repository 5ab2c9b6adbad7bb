// What AddressSanitizer does in every executable that is built with it, where ASAN_OPTIONS says nothing else.

// Local names would hide it: the run-time library asks for it by name.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {  // NOLINT
    return "detect_leaks=0"                    // CPython leaves much to the end of the process
           ":detect_stack_use_after_return=0"  // frames would leave the stack, whose room is measured
           ":allocator_may_return_null=1"      // that is a MemoryError
           ":handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"  // as python ends, so ends kiln
           ":use_sigaltstack=0"
           ":quarantine_size_mb=64"
           ":exitcode=99";
}
