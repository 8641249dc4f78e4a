// A file in memory, read-only until someone needs to write, and never written back.
//
// Pages come from the file as they are read and are shared with every process that maps it. thaw()
// makes the mapping writable: from then on a page that is written becomes this process's own copy,
// so the file stays as it is. Replacing the file by another (rename) leaves the mapping on the old
// one. Changing or shortening the file in place does not: a process that maps a file which another
// one cuts off is killed when it reads behind the end (SIGBUS). Nobody should write into a snapshot.
//
// ENSURES  bytes() begins on a page. The file is closed again; only the mapping is kept.
// Thread-safety: const calls may run together; thaw() needs the owner's lock.
// Cost: O(1) to map, one page fault per 4 KiB to 64 KiB read; thaw() is O(1).
// Source: POSIX mmap and mprotect.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace scrubjay::index {

class Mapping {
  public:
    // Maps a regular file. Throws Error(storage) if it cannot be opened, is no regular file or
    // cannot be mapped. `where` begins the message.
    static std::shared_ptr<Mapping> of_file(const std::string& where, const std::string& path);

    // A mapping that holds a copy of those bytes and no file. Throws Error(storage).
    static std::shared_ptr<Mapping> of_bytes(const std::string& where,
                                             std::span<const std::byte> bytes);

    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();

    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data_, size_}; }

    // Allows writing into bytes(). Throws Error(storage) if the system refuses; nothing has changed.
    void thaw();

  private:
    Mapping(std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

    std::byte* data_;
    std::size_t size_;
    bool thawed_ = false;
};

}  // namespace scrubjay::index
