// The records of a jitdump: a head, and for each function its lines and then its code.
//
// The format: tools/perf/Documentation/jitdump-specification.txt of the Linux kernel. perf finds the file by an executable
// mapping of it, which the process makes; times are of CLOCK_MONOTONIC, so perf must record with -k 1.
#include "jit/engine/jitdump.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "interp/support/log.h"

namespace kiln {
namespace {

struct Head {
    uint32_t magic = 0x4A695444;
    uint32_t version = 1;
    uint32_t size = sizeof(Head);
    uint32_t machine = EM_X86_64;
    uint32_t padding = 0;
    uint32_t pid = 0;
    uint64_t time = 0;
    uint64_t flags = 0;
};

enum class RecordKind : uint32_t { kCode = 0, kLines = 2 };

struct RecordHead {
    RecordKind kind;
    uint32_t size;  // of all of the record
    uint64_t time;
};

struct CodeRecord {
    uint32_t pid;
    uint32_t thread;
    uint64_t virtualAddress;
    uint64_t address;
    uint64_t size;
    uint64_t index;
};

struct LineRecord {
    uint64_t address;
    uint32_t line;
    uint32_t discriminator;
};

uint64_t nanosecondsNow() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

template <typename T>
void append(std::string& out, const T& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void appendText(std::string& out, const std::string& text) {
    out.append(text.c_str(), text.size() + 1);
}

std::string recordOf(RecordKind kind, const std::string& content) {
    std::string record;
    append(record, RecordHead{kind, static_cast<uint32_t>(sizeof(RecordHead) + content.size()), nanosecondsNow()});
    return record + content;
}

std::string linesOf(const JitdumpFunction& function) {
    auto start = reinterpret_cast<uint64_t>(function.address);
    std::string content;
    append(content, start);
    append(content, static_cast<uint64_t>(function.lines.size()));
    for (const JitdumpLine& line : function.lines) {
        append(content, LineRecord{start + line.offset, static_cast<uint32_t>(line.line), 0});
        appendText(content, line.file);
    }
    return recordOf(RecordKind::kLines, content);
}

class Jitdump {
public:
    bool add(const JitdumpFunction& function) {
        functions_.push_back(function);
        return open() && write(function);
    }
    void beginAgain() {
        file_ = -1;  // the parent's goes on under its own descriptor, which stays open here
        isTried_ = false;
        index_ = 0;
        for (size_t i = 0; i < functions_.size() && open(); i++) {
            write(functions_[i]);
        }
    }

private:
    bool open() {
        if (isTried_) {
            return file_ >= 0;
        }
        isTried_ = true;
        std::string path = "/tmp/jit-" + std::to_string(::getpid()) + ".dump";
        ::unlink(path.c_str());  // of an earlier process; a link that somebody planted is not followed
        file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file_ < 0) {
            return false;
        }
        Head head;
        head.pid = static_cast<uint32_t>(::getpid());
        head.time = nanosecondsNow();
        std::string text;
        append(text, head);
        void* mark =
            ::mmap(nullptr, static_cast<size_t>(::sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC, MAP_PRIVATE, file_, 0);
        if (mark == MAP_FAILED || !writeAll(text)) {
            ::close(file_);
            file_ = -1;
        }
        return file_ >= 0;
    }

    bool write(const JitdumpFunction& function) {
        std::string text = function.lines.empty() ? "" : linesOf(function);
        auto address = reinterpret_cast<uint64_t>(function.address);
        std::string content;
        append(content, CodeRecord{static_cast<uint32_t>(::getpid()), static_cast<uint32_t>(::syscall(SYS_gettid)),
                                   address, address, function.size, index_++});
        appendText(content, function.name);
        content.append(static_cast<const char*>(function.address), function.size);
        return writeAll(text + recordOf(RecordKind::kCode, content));
    }

    bool writeAll(const std::string& text) {
        size_t done = 0;
        while (done < text.size()) {
            ssize_t count = ::write(file_, text.data() + done, text.size() - done);
            if (count <= 0 && errno != EINTR) {
                return false;
            }
            done += count > 0 ? static_cast<size_t>(count) : 0;
        }
        return true;
    }

    int file_ = -1;
    bool isTried_ = false;
    uint64_t index_ = 0;
    std::vector<JitdumpFunction> functions_;  // for forked children
};

// Held around a fork as well, so that no child inherits a half-written record.
pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

Jitdump& jitdump() {
    // Never destroyed: code may still be compiled while static objects are.
    static Jitdump& instance = *new Jitdump;
    return instance;
}

void beforeFork() {
    pthread_mutex_lock(&writing);
}

void afterForkInParent() {
    pthread_mutex_unlock(&writing);
}

void afterForkInChild() {
    jitdump().beginAgain();
    pthread_mutex_unlock(&writing);
}

}  // namespace

bool addToJitdump(const JitdumpFunction& function) {
    [[maybe_unused]] static const int handlers = pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
    pthread_mutex_lock(&writing);
    bool isWritten = jitdump().add(function);
    pthread_mutex_unlock(&writing);
    if (!isWritten) {
        logMessage(LogChannel::kCompile, "/tmp/jit-%d.dump can't be written: perf will not know %s",
                   static_cast<int>(::getpid()), function.name.c_str());
    }
    return isWritten;
}

}  // namespace kiln
