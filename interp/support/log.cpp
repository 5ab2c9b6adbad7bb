#include "interp/support/log.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace kiln {
namespace {

struct ChannelName {
    const char* name;
    LogChannel channel;
};

constexpr ChannelName kChannels[] = {
    {"compile", LogChannel::kCompile},       {"deopt", LogChannel::kDeopt},     {"record", LogChannel::kRecord},
    {"invalidate", LogChannel::kInvalidate}, {"offload", LogChannel::kOffload},
};

uint32_t enabledChannels = 0;

bool enableOne(const char* name, size_t length) {
    if ((length == 1 && *name == '1') || (length == 3 && std::strncmp(name, "all", 3) == 0)) {
        enabledChannels = ~0u;
        return true;
    }
    for (const ChannelName& row : kChannels) {
        if (std::strlen(row.name) == length && std::strncmp(row.name, name, length) == 0) {
            enabledChannels |= static_cast<uint32_t>(row.channel);
            return true;
        }
    }
    return length == 0;
}

const char* channelName(LogChannel channel) {
    for (const ChannelName& row : kChannels) {
        if (row.channel == channel) {
            return row.name;
        }
    }
    return "?";
}

}  // namespace

const char* enableLogChannels(const char* list) {
    const char* name = list;
    while (true) {
        const char* end = std::strchr(name, ',');
        size_t length = end != nullptr ? static_cast<size_t>(end - name) : std::strlen(name);
        if (!enableOne(name, length)) {
            return name;
        }
        if (end == nullptr) {
            return nullptr;
        }
        name = end + 1;
    }
}

bool logEnabled(LogChannel channel) {
    return (enabledChannels & static_cast<uint32_t>(channel)) != 0;
}

void logMessage(LogChannel channel, const char* format, ...) {
    if (!logEnabled(channel)) {
        return;
    }
    std::fprintf(stderr, "kiln: %s: ", channelName(channel));
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputc('\n', stderr);
}

}  // namespace kiln
