// One file that holds an index: arrays as they lie in memory, each with its checksum.
//
//     header     64 bytes
//     entries    64 bytes each: one per array and scalar, in the order of visit_state
//     sections   the arrays, in the same order, each at the next multiple of 64
//
//     header     0 magic (8) | 8 version u32 | 12 byte order mark u32 | 16 bytes of a word u32
//                20 entries u32 | 24 bytes of the file u64 | 32 zero (24)
//                56 crc32c of the entries u32 | 60 crc32c of the 60 bytes before u32
//     entry      0 name (32, zero padded) | 32 kind (1: f, i, u; s a scalar) | 33 zero (3)
//                36 bytes of an element u32 | 40 elements u64
//                48 offset in the file, or the scalar's value u64 | 56 crc32c u32 | 60 zero (4)
//
// Numbers are little-endian. Gaps are zero. Offsets follow from the counts, so a reader recomputes
// them and takes no other: every byte of the file is either checked or determined.
//
// The checksums find damage, they do not prove who wrote the file. Yet a file crafted by hand can at
// worst hold wrong answers: all that indexes or orders anything is checked by the `restore` of the
// class it belongs to (see archive.h), whatever the checksums say.
//
// Same operations, same bytes: nothing of the machine, the time or the threads enters the file.
//
// Verify::header leaves out the checksums of sections and the range of vectors, which are most of the
// bytes, and reads them from the disk only when they are needed; links of a graph are looked at in either
// mode. It is for files that this very
// machine wrote and nobody could change.
//
// Thread-safety: a writer or reader belongs to one thread.
// Cost: writing reads the memory twice (checksums come first); opening reads the file once with
//       Verify::full.
// Source: docs/formats/index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scrubjay/base/interrupt.h"
#include "scrubjay/index/aligned.h"
#include "scrubjay/index/archive.h"
#include "scrubjay/index/mapping.h"

namespace scrubjay::index {

// The version written; every version from 1 on is read.
inline constexpr std::uint32_t kSnapshotVersion = 2;

enum class Verify { full, header };

// One entry of the file. The bytes of a scalar are its value.
struct SnapshotEntry {
    std::string name;
    char kind = 0;
    std::uint32_t element_bytes = 0;
    std::uint64_t elements = 0;
    std::uint64_t offset = 0;
    std::uint32_t checksum = 0;
};

// What a caller stores beside an index: up to which change of its source the index has followed
// (watermark), and in which life of that source (epoch, at most kMostEpochBytes).
inline constexpr std::size_t kMostEpochBytes = 256;
struct SnapshotNote {
    std::uint64_t watermark = 0;
    AlignedArray<std::uint8_t> epoch;

    template <class Self, class Visit>
    static void state(Self& self, Visit& visit) {
        visit("note.watermark", self.watermark);
        visit("note.epoch", self.epoch);
    }
};

// Where each array of `entries` begins and how long the file is. Throws Error(corruption) if that
// exceeds 2^63 - 1 bytes; `where` begins the message.
std::uint64_t lay_out(const std::string& where, std::span<SnapshotEntry> entries);

// A visitor that remembers where the arrays lie and writes them all at the end.
class SnapshotWriter {
  public:
    template <class T>
    void operator()(std::string_view name, const AlignedArray<T>& array) {
        section(name, kind_of<T>(), sizeof(T), array.size(), array.data());
    }
    template <ArchiveScalar T>
    void operator()(std::string_view name, const T& value) {
        scalar(name, word_of(value));
    }

    // Replaces the file at the path as a whole, see atomic_file.h. REQUIRES the arrays unchanged
    // since they were visited. Throws Error(storage), or what `poll` throws; the old file is then
    // untouched.
    void write(const std::string& where, const std::string& path, const Poll& poll = {});

  private:
    void section(std::string_view name, char kind, std::size_t element_bytes, std::size_t elements,
                 const void* data);
    void scalar(std::string_view name, std::uint64_t word);

    std::vector<SnapshotEntry> entries_;
    std::vector<std::span<const std::byte>> bytes_;
};

// A visitor that puts arrays on the mapped file.
class SnapshotReader {
  public:
    // Maps and checks the file. Throws Error(storage | format_version | corruption), naming what is
    // damaged; nothing is left open. `where` begins every message.
    SnapshotReader(const std::string& where, const std::string& path, Verify verify,
                   const Poll& poll = {});
    SnapshotReader(const std::string& where, std::shared_ptr<Mapping> mapping, Verify verify,
                   const Poll& poll = {});

    [[nodiscard]] std::span<const SnapshotEntry> entries() const noexcept { return entries_; }
    [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
    [[nodiscard]] Verify verify() const noexcept { return verify_; }
    [[nodiscard]] const std::string& where() const noexcept { return where_; }

    // What the arrays lie in; its owner thaws it before the first change.
    [[nodiscard]] const std::shared_ptr<Mapping>& mapping() const noexcept { return mapping_; }

    // Throw Error(corruption) unless the next entry has that name and type.
    template <class T>
    void operator()(std::string_view name, AlignedArray<T>& array) {
        const SnapshotEntry& entry = next(name, kind_of<T>(), sizeof(T));
        array.borrow(reinterpret_cast<T*>(mapping_->bytes().data() + entry.offset),
                     static_cast<std::size_t>(entry.elements), mapping_);
    }
    template <ArchiveScalar T>
    void operator()(std::string_view name, T& value) {
        const std::uint64_t word = next(name, 's', sizeof(word)).offset;
        value = scalar_of<T>(word);
        if (word_of(value) != word) {
            refuse_damage(where_, std::string(name), std::to_string(word), "a smaller number");
        }
    }

    // Refuses a file with entries that nobody visited.
    void finish() const;

  private:
    const SnapshotEntry& next(std::string_view name, char kind, std::size_t element_bytes);
    void read_header();
    void read_entries();
    void require_sections(const Poll& poll) const;

    std::string where_;
    std::shared_ptr<Mapping> mapping_;
    Verify verify_;
    std::uint32_t version_ = 0;
    std::vector<SnapshotEntry> entries_;
    std::size_t visited_ = 0;
};

}  // namespace scrubjay::index
