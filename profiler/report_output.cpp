// Files, the private directory, and what a child must know.
#include "profiler/report_output.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "profiler/report_json.h"
#include "profiler/report_page.h"
#include "profiler/report_text.h"

namespace kiln {
namespace {

constexpr const char* kSuffix = ".json";
constexpr const char* kPageSuffix = ".html";
constexpr int kPageMode = 0600;  // it has the program's source
constexpr const char* kDirectoryPrefix = "kiln-report-";

std::string absolutePath(const std::string& path) {
    if (path[0] == '/') {
        return path;
    }
    char* directory = ::getcwd(nullptr, 0);
    std::string result = directory != nullptr ? std::string(directory) + "/" + path : path;
    std::free(directory);
    return result;
}

std::string baseName(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string withPid(const std::string& path) {
    return path.substr(0, path.size() - std::strlen(kSuffix)) + "." + std::to_string(::getpid()) + kSuffix;
}

bool writeAll(int file, const std::string& text) {
    size_t done = 0;
    while (done < text.size()) {
        ssize_t count = ::write(file, text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        done += count > 0 ? static_cast<size_t>(count) : 0;
    }
    return true;
}

// What errno says of a file that cannot be written.
std::string whyNot(const std::string& path) {
    std::string reason = std::strerror(errno);
    std::string folder = path.substr(0, path.rfind('/'));
    struct stat status;
    bool isGone = errno == ENOENT && !folder.empty() && ::stat(folder.c_str(), &status) != 0;
    return isGone ? "there is no folder " + folder : reason;
}

void complain(const std::string& path) {
    writeAll(STDERR_FILENO, "kiln: cannot write the report " + path + ": " + whyNot(path) + "\n");
}

std::string partOf(const std::string& path) {
    return path + "." + std::to_string(::getpid()) + ".part";
}

int openPart(const std::string& part, int mode) {
    ::unlink(part.c_str());  // another one may have another mode
    return ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

// Whether replaceFile() would succeed now, tried out as far as that leaves no trace; errno says why not.
bool canReplaceFile(const std::string& path) {
    struct stat status;
    if (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    std::string part = partOf(path);
    int file = openPart(part, kPageMode);
    return file >= 0 && ::close(file) == 0 && ::unlink(part.c_str()) == 0;
}

// Readers see the old file or the whole new one.
bool replaceFile(const std::string& path, const std::string& text, int mode = 0666) {
    std::string part = partOf(path);
    int file = openPart(part, mode);
    if (file < 0) {
        return false;
    }
    bool ok = writeAll(file, text);
    ok = ::close(file) == 0 && ok;
    if (ok && ::rename(part.c_str(), path.c_str()) == 0) {
        return true;
    }
    int reason = errno;
    ::unlink(part.c_str());
    errno = reason;
    return false;
}

bool readFile(const std::string& path, std::string& text) {
    int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    char buffer[16384];
    ssize_t count;
    while ((count = ::read(file, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<size_t>(count));
    }
    ::close(file);
    return count == 0;
}

}  // namespace

const char* ReportOutput::variableName() {
    return "_KILN_REPORT";
}

// PID KIND DIRECTORY, and a line with the file.
std::string ReportOutput::variableValue() const {
    const char* kind = kind_ == Kind::kTable ? " table " : kind_ == Kind::kFile ? " file " : " page ";
    return std::to_string(rootPid_) + kind + directory_ + "\n" + path_;
}

bool ReportOutput::open(const std::string& text, bool withSource, std::string& error) {
    rootPid_ = ::getpid();
    withSource_ = withSource;
    isLive_ = text == "live";
    kind_ = text == "1" || isLive_ ? Kind::kTable : text.ends_with(kPageSuffix) ? Kind::kPage : Kind::kFile;
    if (joinParent(text)) {
        return true;
    }
    return (kind_ == Kind::kTable || openFile(text, error)) && (kind_ == Kind::kFile || openDirectory(error));
}

// True when a kiln process that reports in the same way started this one. A process that exec()s kiln stays the root.
bool ReportOutput::joinParent(const std::string& text) {
    const char* variable = std::getenv(variableName());
    if (variable == nullptr) {
        return false;
    }
    std::string value = variable;
    int pid = static_cast<int>(std::strtol(variable, nullptr, 10));
    size_t space = value.find(' ', value.find(' ') + 1);
    size_t newline = value.find('\n');
    if (pid <= 0 || space == std::string::npos || newline == std::string::npos || newline < space) {
        return false;
    }
    ReportOutput parent = *this;
    parent.rootPid_ = pid;
    parent.directory_ = value.substr(space + 1, newline - space - 1);
    parent.path_ = value.substr(newline + 1);
    if (parent.variableValue() != value) {
        return false;  // of another kind
    }
    // A relative name means the root's file, whatever directory this process was started in.
    bool sameFile = text[0] == '/' ? text == parent.path_ : baseName(text) == baseName(parent.path_);
    if (kind_ != Kind::kTable && (!sameFile || parent.path_[0] != '/')) {
        return false;
    }
    struct stat status;
    bool isSelf = pid == ::getpid();
    if (kind_ != Kind::kFile &&
        (parent.directory_[0] != '/' || !baseName(parent.directory_).starts_with(kDirectoryPrefix) ||
         (isSelf && ::lstat(parent.directory_.c_str(), &status) != 0))) {
        return false;
    }
    *this = parent;
    isChild_ = !isSelf;
    return true;
}

bool ReportOutput::openFile(const std::string& text, std::string& error) {
    path_ = absolutePath(text);
    if (!canReplaceFile(path_)) {
        error = "the report cannot be written there: " + whyNot(path_);
        return false;
    }
    return true;
}

// In the first folder for temporary files that will have it, as Python's tempfile chooses.
bool ReportOutput::openDirectory(std::string& error) {
    const char* wish = std::getenv("TMPDIR");
    for (const char* folder : {wish != nullptr && wish[0] == '/' ? wish : "/tmp", "/tmp", "/var/tmp"}) {
        directory_ = std::string(folder) + "/" + kDirectoryPrefix + "XXXXXX";
        if (::mkdtemp(directory_.data()) != nullptr) {
            return true;
        }
    }
    error = "no folder for temporary files can be written: " + std::string(std::strerror(errno));
    return false;
}

void ReportOutput::takeChildren(Report& report) const {
    DIR* directory = ::opendir(directory_.c_str());
    if (directory == nullptr) {
        return;
    }
    while (const dirent* entry = ::readdir(directory)) {
        std::string name = entry->d_name;
        std::string text;
        std::string error;
        Report child;
        if (name[0] < '0' || name[0] > '9') {
            continue;
        }
        if (name.ends_with(kSuffix) && readFile(directory_ + "/" + name, text) && reportFromJson(text, child, error)) {
            mergeReport(report, child);
        }
        ::unlink((directory_ + "/" + name).c_str());
    }
    ::closedir(directory);
    ::rmdir(directory_.c_str());
}

bool ReportOutput::writeRoot(Report& report) const {
    switch (kind_) {
    case Kind::kFile: return replaceFile(path_, reportToJson(report));
    case Kind::kPage: takeChildren(report); return replaceFile(path_, reportToPage(report, withSource_), kPageMode);
    case Kind::kTable: takeChildren(report); return writeAll(STDERR_FILENO, reportToText(report));
    }
    return false;
}

void ReportOutput::write(Report& report) const {
    if (isChild_ && kind_ != Kind::kFile) {
        // No message: the root may have ended and taken the directory with it.
        replaceFile(directory_ + "/" + std::to_string(::getpid()) + kSuffix, reportToJson(report));
        return;
    }
    std::string path = isChild_ ? withPid(path_) : path_;
    bool ok = isChild_ ? replaceFile(path, reportToJson(report)) : writeRoot(report);
    if (!ok && kind_ != Kind::kTable) {
        complain(path);
    }
}

}  // namespace kiln
