// Temporary files, syncs and the one rename.
#include "scrubjay/index/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "scrubjay/base/error.h"

namespace scrubjay::index {
namespace {

constexpr mode_t kMode = 0666;  // Less the umask.
constexpr const char* kOwnFiles = "/proc/self/fd/";

// Repeats a call that a signal interrupted.
template <class Call>
auto repeat(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) {
        result = call();
    }
    return result;
}

// Distinct names inside this process; the process id makes them distinct between processes.
std::string fresh_name(const std::string& directory, const std::string& path) {
    static std::atomic<std::uint32_t> number{0};
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return directory + "/." + name + "." + std::to_string(::getpid()) + "." +
           std::to_string(number.fetch_add(1)) + ".tmp";
}

}  // namespace

AtomicFile::AtomicFile(std::string where, const std::string& path)
    : where_(std::move(where)), path_(path) {
    const std::size_t slash = path.find_last_of('/');
    directory_ = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    struct stat status{};
    // Found out before the work, not at the rename after it.
    if (slash + 1 == path.size() ||
        (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))) {
        fail("the path", EISDIR);
    }
    open_temporary();
}

AtomicFile::~AtomicFile() { close_and_forget(); }

void AtomicFile::close_and_forget() noexcept {
    if (file_ >= 0) {
        ::close(file_);
        file_ = -1;
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
        temporary_.clear();
    }
}

void AtomicFile::fail(const char* step, int error) const {
    std::string message = where_;
    message += std::string(": ") + step + " failed, got '" + std::strerror(error) + "', expected ";
    message += error == ENOSPC || error == EDQUOT ? "room for the file; free some space"
               : error == EFBIG                   ? "a file within the size limit; raise the limit"
               : error == EISDIR
                   ? "the path of a file; choose another than that of a directory"
                   : "a writable directory; check that it exists, and its permissions";
    throw Error(Errc::storage, message);
}

void AtomicFile::open_temporary() {
#if defined(O_TMPFILE)
    // Such a file gets its name through /proc.
    if (::access(kOwnFiles, X_OK) == 0) {
        file_ = repeat(
            [&] { return ::open(directory_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode); });
    }
    if (file_ >= 0) {
        return;
    }
#endif
    // Not every file system has files without a name; each says so in its own way. A name that is
    // taken belongs to a process that was killed.
    do {
        temporary_ = fresh_name(directory_, path_);
        file_ = repeat([&] {
            return ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
        });
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) {
        const int error = errno;
        temporary_.clear();
        fail("creating the new file", error);
    }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;  // Linux stops short of 2 GiB.
    while (!bytes.empty()) {
        const std::size_t wanted = std::min(bytes.size(), kMostAtOnce);
        const auto written = repeat([&] { return ::write(file_, bytes.data(), wanted); });
        if (written <= 0) {
            fail("writing", written == 0 ? ENOSPC : errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::name_temporary() {
    if (!temporary_.empty()) {
        return;
    }
    const std::string nameless = kOwnFiles + std::to_string(file_);
    std::string name;
    do {
        name = fresh_name(directory_, path_);
        if (::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            temporary_ = name;
            return;
        }
    } while (errno == EEXIST);
    fail("naming the new file", errno);
}

void AtomicFile::commit() {
    if (repeat([&] { return ::fsync(file_); }) != 0) {
        fail("syncing the new file", errno);
    }
    name_temporary();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        fail("renaming the new file", errno);
    }
    temporary_.clear();
    const int directory = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = directory >= 0 && repeat([&] { return ::fsync(directory); }) == 0;
    const int error = errno;
    if (directory >= 0) {
        ::close(directory);
    }
    // Some file systems cannot sync a directory and say EINVAL; there is nothing to wait for then.
    if (!synced && error != EINVAL) {
        fail("the new file is in place, but syncing its directory", error);
    }
}

}  // namespace scrubjay::index
