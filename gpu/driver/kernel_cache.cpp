// Compiled kernels on disk.
#include "gpu/driver/kernel_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "interp/config.h"

namespace kiln::gpu {
namespace {

constexpr char kMagic[8] = {'k', 'i', 'l', 'n', 'k', 'r', 'n', '1'};
constexpr int64_t kMostBytes = 256 << 20;
constexpr size_t kMostFiles = 8192;
constexpr unsigned kWritesBetweenTrims = 64;  // the first of a process trims, too

struct Header {
    char magic[8];
    uint64_t keyBytes;
    uint64_t imageBytes;
    uint64_t checksum;  // of key and image
};

uint64_t hashOf(const std::string& text, uint64_t seed) {
    uint64_t hash = 14695981039346656037ull ^ seed;
    for (unsigned char c : text) {
        hash = (hash ^ c) * 1099511628211ull;
    }
    return hash ^ (hash >> 32);
}

uint64_t checksumOf(const std::string& key, const std::string& image) {
    return hashOf(key, 1) * 31 + hashOf(image, 2);
}

bool isPrivate(const std::string& folder, std::string& reason) {
    struct stat status;
    if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        reason = folder + " is no folder";
    } else if (status.st_uid != geteuid()) {
        reason = folder + " belongs to another user";
    } else if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        reason = folder + " can be written by other users";
    } else {
        return true;
    }
    return false;
}

std::string pathOf(const std::string& folder, const std::string& key, const char* suffix) {
    char name[40];
    std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hashOf(key, 0)),
                  static_cast<unsigned long long>(hashOf(key, 0x9e3779b97f4a7c15ull)));
    return folder + "/" + name + suffix;
}

void makeFolders(const std::string& path) {
    for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        mkdir(path.substr(0, slash).c_str(), 0700);
    }
    mkdir(path.c_str(), 0700);
}

constexpr const char* kUnfinished = ".part";  // then six letters

// What was left by a process that was killed while it wrote: nobody writes for so long.
bool isLeft(const std::string& path, const struct stat& status) {
    constexpr time_t kSeconds = 3600;
    size_t end = path.size() - std::min<size_t>(path.size(), 6 + std::strlen(kUnfinished));
    return path.compare(end, std::strlen(kUnfinished), kUnfinished) == 0 && std::time(nullptr) - status.st_mtime > kSeconds;
}

void trim(const std::string& folder) {
    struct File {
        int64_t time;
        int64_t bytes;
        std::string path;
    };
    std::vector<File> files;
    int64_t total = 0;
    DIR* directory = opendir(folder.c_str());
    while (dirent* entry = directory != nullptr ? readdir(directory) : nullptr) {
        struct stat status;
        std::string path = folder + "/" + entry->d_name;
        if (stat(path.c_str(), &status) != 0) {
            continue;
        }
        if (isLeft(path, status)) {
            unlink(path.c_str());
        } else if (path.ends_with(kKernelSuffix)) {
            files.push_back({status.st_mtime, status.st_size, path});
            total += status.st_size;
        }
    }
    if (directory != nullptr) {
        closedir(directory);
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.time < b.time; });
    for (size_t i = 0; i < files.size() && (total > kMostBytes || files.size() - i > kMostFiles); i++) {
        total -= unlink(files[i].path.c_str()) == 0 ? files[i].bytes : 0;
    }
}

}  // namespace

std::string kernelCacheFolder(std::string& reason) {
    std::string folder = config().cacheDirText;
    const char* home = std::getenv("HOME");
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (folder.empty() && cache != nullptr && *cache == '/') {
        folder = std::string(cache) + "/kiln/kernels";
    } else if (folder.empty() && home != nullptr && *home == '/') {
        folder = std::string(home) + "/.cache/kiln/kernels";
    }
    if (folder.empty()) {
        reason = "there is no home folder";
        return "";
    }
    makeFolders(folder);
    return isPrivate(folder, reason) ? folder : "";
}

bool readCachedKernel(const std::string& key, std::string& image, const char* suffix) {
    std::string reason;
    std::string folder = kernelCacheFolder(reason);
    std::FILE* file = folder.empty() ? nullptr : std::fopen(pathOf(folder, key, suffix).c_str(), "rbe");
    if (file == nullptr) {
        return false;
    }
    Header header;
    std::string stored;
    struct stat status;
    bool sound = fstat(fileno(file), &status) == 0 && std::fread(&header, sizeof header, 1, file) == 1 &&
                 std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.keyBytes == key.size() &&
                 header.imageBytes == static_cast<uint64_t>(status.st_size) - sizeof header - header.keyBytes;
    if (sound) {
        stored.resize(header.keyBytes);
        image.resize(header.imageBytes);
        sound = std::fread(stored.data(), 1, stored.size(), file) == stored.size() &&
                std::fread(image.data(), 1, image.size(), file) == image.size() && stored == key &&
                checksumOf(stored, image) == header.checksum;
    }
    std::fclose(file);
    return sound;
}

void writeCachedKernel(const std::string& key, const std::string& image, const char* suffix) {
    std::string reason;
    std::string folder = kernelCacheFolder(reason);
    if (folder.empty()) {
        return;
    }
    std::string path = pathOf(folder, key, suffix);
    std::string temporary = path + kUnfinished + "XXXXXX";
    int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    std::FILE* file = descriptor >= 0 ? fdopen(descriptor, "wb") : nullptr;
    if (file == nullptr) {
        return;
    }
    Header header = {{}, key.size(), image.size(), checksumOf(key, image)};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    bool written = std::fwrite(&header, sizeof header, 1, file) == 1 && std::fwrite(key.data(), 1, key.size(), file) == key.size() &&
                   std::fwrite(image.data(), 1, image.size(), file) == image.size();
    written = std::fclose(file) == 0 && written;
    if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) {
        unlink(temporary.c_str());
    }
    static std::atomic<unsigned> writes = 0;
    if (writes++ % kWritesBetweenTrims == 0) {
        trim(folder);
    }
}

}  // namespace kiln::gpu
