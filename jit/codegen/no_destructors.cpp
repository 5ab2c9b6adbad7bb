// LLVM's static objects are never destroyed: at exit a compilation may still be under way on its thread, and nobody waits
// for it. Hidden in the shared object, this is the __cxa_atexit that all of its static initialisers call.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) noexcept {
    return 0;
}
