// NVRTC, opened at the first use: CUDA C++ to machine code. It needs no GPU.
#pragma once

#include <string>
#include <vector>

namespace kiln::gpu {

// Machine code, PTX, or what nvJitLink optimises as it links.
enum class ImageKind { kCubin, kPtx, kLtoIr };

// A loaded library. Functions are thread-safe and need no GIL.
class Nvrtc {
   public:
    // The library for a device: sought in CUDA_HOME and CUDA_PATH, the active environment's packages, /usr/local/cuda and on
    // the loader's path. Of those whose CUDA major version the driver supports (0: any), the newest that knows the device's
    // architecture, else the newest of all, whose PTX the driver compiles. nullptr when there is none; `tried` lists every
    // place and library with what was found there, one a line.
    static const Nvrtc* find(int architecture, int driverMajor, std::string& tried);
    // The library at a path that find() chose once; nullptr when it cannot be opened any more.
    static const Nvrtc* at(const std::string& path);
    // Where libraries of NVIDIA's are looked for; "" is the loader's path.
    static std::vector<std::string> folders();
    // What find() looks at, without opening anything: another text means that it may choose another library.
    static std::string places();

    int major() const { return major_; }
    int minor() const { return minor_; }
    const std::string& path() const { return path_; }
    // The architectures it knows, as 75, 80, ...
    std::vector<int> architectures() const;
    // False with the compiler's log in `log`. The options are those for the kind.
    bool compile(const std::string& source, const std::string& name, const std::vector<std::string>& options, ImageKind kind,
                 std::string& image, std::string& log) const;

   private:
    int take(void* program, ImageKind kind, std::string& image) const;
    static const Nvrtc* open(const std::string& path, std::string& problem);
    bool knows(int architecture) const;
    bool goesBefore(const Nvrtc& other, int architecture) const;

    void* functions_[16] = {};
    int major_ = 0;
    int minor_ = 0;
    std::string path_;
};

// Folders where the environment's packages may have put NVIDIA's libraries, for the search. Set before find().
void setPackageFolders(const std::vector<std::string>& folders);

}  // namespace kiln::gpu
