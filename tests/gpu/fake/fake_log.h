// What the stand-ins for NVIDIA's libraries share: settings from the environment, and a log of calls.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

// One line of the file FAKE_CUDA_LOG, if it is set.
template <typename... Arguments>
void note(const char* format, Arguments... arguments) {
    const char* path = std::getenv("FAKE_CUDA_LOG");
    std::FILE* file = path != nullptr ? std::fopen(path, "ae") : nullptr;
    if (file != nullptr) {
        std::fprintf(file, format, arguments...);
        std::fputc('\n', file);
        std::fclose(file);
    }
}

inline int setting(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr && *text != '\0' ? std::atoi(text) : otherwise;
}
