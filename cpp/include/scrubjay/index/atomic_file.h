// Replacing a file as a whole: whoever opens the path finds the old bytes or the new, never a mix.
//
// The new bytes go into a file without a name in the same directory (O_TMPFILE), or, where the file
// system has no such files, into one named ".<name>.<process>.<number>.tmp". They are synced, given
// their name by rename, and the directory is synced. Whoever dies before the rename leaves the old
// file; a kill leaves at most one file with such a temporary name, and none where files without a
// name exist, save for the instant between naming and renaming.
//
// A symbolic link at the path is replaced, not followed. The mode of the new file is 0666 less the
// umask.
//
// REQUIRES a path whose directory exists.
// Throws   Error(storage), saying which step failed and why; the old file is then untouched, except
//          if the very last step (the sync of the directory) failed, which the message says.
// Thread-safety: writers of one path, in any thread or process, do not disturb each other; the last
//          rename wins.
// Cost: the writing itself plus two syncs.
// Source: POSIX rename and fsync; Pillai et al., All file systems are not created equal, OSDI 2014.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace scrubjay::index {

class AtomicFile {
  public:
    // Opens the file that will be named `path`. `where` begins every message.
    AtomicFile(std::string where, const std::string& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    // Forgets what was written unless commit() has returned.
    ~AtomicFile();

    void write(std::span<const std::byte> bytes);

    // Makes the bytes written so far the file at the path.
    void commit();

  private:
    [[noreturn]] void fail(const char* step, int error) const;
    void close_and_forget() noexcept;
    void open_temporary();
    void name_temporary();

    std::string where_;
    std::string path_;
    std::string directory_;
    std::string temporary_;  // Empty while the file has no name.
    int file_ = -1;
};

}  // namespace scrubjay::index
