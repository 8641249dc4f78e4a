// Mapping files and thawing them.
#include "scrubjay/index/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scrubjay/base/error.h"

namespace scrubjay::index {
namespace {

[[noreturn]] void fail(const std::string& where, const char* what, int error,
                       const char* expected) {
    throw Error(Errc::storage,
                where + ": " + what + ", got '" + std::strerror(error) + "', expected " + expected);
}

// Closes a file when a scope ends.
struct Descriptor {
    int number;
    ~Descriptor() { ::close(number); }
};

// Never waits, so that a pipe in the place of the file is refused like any other stranger.
Descriptor open_for_reading(const std::string& where, const std::string& path) {
    int file = -1;
    do {
        file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (file < 0 && errno == EINTR);
    if (file < 0) {
        fail(where, "the file cannot be opened", errno,
             "a readable snapshot; check the path and its permissions");
    }
    return {file};
}

std::byte* map(const std::string& where, std::size_t size, int protection, int flags, int file) {
    void* const data = ::mmap(nullptr, size, protection, flags, file, 0);
    if (data == MAP_FAILED) {
        fail(where, "the file cannot be mapped", errno, "enough address space");
    }
    return static_cast<std::byte*>(data);
}

}  // namespace

std::shared_ptr<Mapping> Mapping::of_file(const std::string& where, const std::string& path) {
    const Descriptor file = open_for_reading(where, path);
    struct stat status{};
    if (::fstat(file.number, &status) != 0) {
        fail(where, "the file cannot be examined", errno, "a readable snapshot");
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error(Errc::storage, where + ": the path is no regular file, got " +
                                       (S_ISDIR(status.st_mode) ? "a directory" : "a device") +
                                       ", expected a snapshot");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) {
        return std::shared_ptr<Mapping>(new Mapping(nullptr, 0));
    }
    std::byte* const data = map(where, size, PROT_READ, MAP_PRIVATE, file.number);
    return std::shared_ptr<Mapping>(new Mapping(data, size));
}

std::shared_ptr<Mapping> Mapping::of_bytes(const std::string& where,
                                           std::span<const std::byte> bytes) {
    if (bytes.empty()) {
        return std::shared_ptr<Mapping>(new Mapping(nullptr, 0));
    }
    std::byte* const data =
        map(where, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    std::memcpy(data, bytes.data(), bytes.size());
    (void)::mprotect(data, bytes.size(), PROT_READ);
    return std::shared_ptr<Mapping>(new Mapping(data, bytes.size()));
}

Mapping::~Mapping() {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
}

void Mapping::thaw() {
    if (thawed_ || data_ == nullptr) {
        return;
    }
    if (::mprotect(data_, size_, PROT_READ | PROT_WRITE) != 0) {
        fail("Index", "the opened file cannot be made changeable in memory", errno,
             "memory for copies of its pages; free some, or copy the rows into a new index");
    }
    thawed_ = true;
}

}  // namespace scrubjay::index
