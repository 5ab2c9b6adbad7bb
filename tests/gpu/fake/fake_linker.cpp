// Stands in for nvJitLink in tests: what it makes is the kernel's "cubin", with how many pieces of code it was linked with.
#include <cstring>
#include <string>

#define ENTRY extern "C" __attribute__((visibility("default"))) int

namespace {

struct Link {
    std::string image;
    int pieces = 0;

    std::string made() const { return image + " linked with " + std::to_string(pieces - 1); }
};

}  // namespace

ENTRY nvJitLinkCreate(void** link, unsigned, const char* const*) {
    return *link = new Link, 0;
}
ENTRY nvJitLinkDestroy(void** link) {
    return delete static_cast<Link*>(*link), 0;
}
ENTRY nvJitLinkAddData(void* link, int, const void* bytes, size_t, const char*) {
    Link& made = *static_cast<Link*>(link);
    made.image = made.pieces++ == 0 ? static_cast<const char*>(bytes) : made.image;
    return 0;
}
ENTRY nvJitLinkComplete(void*) {
    return 0;
}
ENTRY nvJitLinkGetLinkedCubinSize(void* link, size_t* size) {
    return *size = static_cast<Link*>(link)->made().size() + 1, 0;
}
ENTRY nvJitLinkGetLinkedCubin(void* link, void* image) {
    return std::strcpy(static_cast<char*>(image), static_cast<Link*>(link)->made().c_str()), 0;
}
ENTRY nvJitLinkGetLinkedPtxSize(void* link, size_t* size) {
    return nvJitLinkGetLinkedCubinSize(link, size);
}
ENTRY nvJitLinkGetLinkedPtx(void* link, char* text) {
    return nvJitLinkGetLinkedCubin(link, text);
}
ENTRY nvJitLinkGetErrorLogSize(void*, size_t* size) {
    return *size = 0, 0;
}
ENTRY nvJitLinkGetErrorLog(void*, char*) {
    return 0;
}
ENTRY nvJitLinkGetInfoLogSize(void*, size_t* size) {
    return *size = 0, 0;
}
ENTRY nvJitLinkGetInfoLog(void*, char*) {
    return 0;
}
