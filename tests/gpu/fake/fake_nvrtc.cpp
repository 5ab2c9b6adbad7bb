// Stands in for NVRTC in tests: the "cubin" is the version and the options. FAKE_NVRTC_VERSION and FAKE_NVRTC_ARCHS are of the
// build: two libraries are made, an old one that knows fewer architectures, and a new one.
//
// FAKE_NVRTC_MICROSECONDS: what a compilation takes.
#include <unistd.h>

#include <iterator>
#include <mutex>
#include <string>

#include "tests/gpu/fake/fake_log.h"

#define ENTRY extern "C" __attribute__((visibility("default"))) int

namespace {

constexpr int kArchitectures[] = {FAKE_NVRTC_ARCHS};

struct Program {
    std::string image;
};

}  // namespace

ENTRY nvrtcVersion(int* major, int* minor) { return *major = FAKE_NVRTC_VERSION / 10, *minor = FAKE_NVRTC_VERSION % 10, 0; }
ENTRY nvrtcGetNumSupportedArchs(int* count) { return *count = static_cast<int>(std::size(kArchitectures)), 0; }
ENTRY nvrtcGetSupportedArchs(int* archs) { return std::memcpy(archs, kArchitectures, sizeof kArchitectures), 0; }
ENTRY nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*, const char* const*) {
    return *program = new Program, 0;
}
ENTRY nvrtcDestroyProgram(void** program) { return delete static_cast<Program*>(*program), 0; }
ENTRY nvrtcCompileProgram(void* program, int count, const char* const* options) {
    static std::mutex mutex;  // as NVRTC's own, which a fork leaves taken
    std::lock_guard<std::mutex> lock(mutex);
    usleep(static_cast<unsigned>(setting("FAKE_NVRTC_MICROSECONDS", 0)));
    std::string& image = static_cast<Program*>(program)->image;
    image = "made by " + std::to_string(FAKE_NVRTC_VERSION) + " " + (count > 0 ? options[0] : "");
    note("%s", image.c_str());
    return 0;
}
ENTRY nvrtcGetProgramLogSize(void*, size_t* size) { return *size = 0, 0; }
ENTRY nvrtcGetProgramLog(void*, char*) { return 0; }
ENTRY nvrtcGetCUBINSize(void* program, size_t* size) { return *size = static_cast<Program*>(program)->image.size() + 1, 0; }
ENTRY nvrtcGetCUBIN(void* program, char* image) { return std::strcpy(image, static_cast<Program*>(program)->image.c_str()), 0; }
ENTRY nvrtcGetPTXSize(void* program, size_t* size) { return nvrtcGetCUBINSize(program, size); }
ENTRY nvrtcGetLTOIRSize(void* program, size_t* size) { return nvrtcGetCUBINSize(program, size); }
ENTRY nvrtcGetLTOIR(void* program, char* image) { return nvrtcGetCUBIN(program, image); }
ENTRY nvrtcGetPTX(void* program, char* image) { return nvrtcGetCUBIN(program, image); }
