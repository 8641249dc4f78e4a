// Layout, checksums and writing.
#include <algorithm>
#include <array>
#include <limits>

#include "index/snapshot_format.h"
#include "scrubjay/index/atomic_file.h"
#include "scrubjay/index/snapshot.h"

namespace scrubjay::index {

using namespace format;

std::uint64_t lay_out(const std::string& where, std::span<SnapshotEntry> entries) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t end = kHeaderBytes + entries.size() * kEntryBytes;
    for (SnapshotEntry& entry : entries) {
        if (entry.kind == kScalar) {
            continue;
        }
        entry.offset = aligned(end);
        // Division, because the product may not fit 64 bits.
        if (entry.offset > kMost - kAlignment ||
            entry.elements > (kMost - kAlignment - entry.offset) / entry.element_bytes) {
            refuse_damage(where, "the length of " + entry.name,
                          std::to_string(entry.elements) + " elements", "a file below 2^63 bytes");
        }
        end = entry.offset + entry.elements * entry.element_bytes;
    }
    return end;
}

void SnapshotWriter::section(std::string_view name, char kind, std::size_t element_bytes,
                             std::size_t elements, const void* data) {
    const auto* const first = static_cast<const std::byte*>(data);
    entries_.push_back(
        {std::string(name), kind, static_cast<std::uint32_t>(element_bytes), elements, 0, 0});
    bytes_.emplace_back(first, elements * element_bytes);
}

void SnapshotWriter::scalar(std::string_view name, std::uint64_t word) {
    entries_.push_back({std::string(name), kScalar, sizeof(word), 1, word, 0});
    bytes_.emplace_back();
}

void SnapshotWriter::write(const std::string& where, const std::string& path, const Poll& poll) {
    AtomicFile file(where, path);
    std::vector<std::byte> front(kHeaderBytes + entries_.size() * kEntryBytes);
    const std::uint64_t file_bytes = lay_out(where, entries_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        SnapshotEntry& entry = entries_[i];
        entry.checksum = checksum_of(bytes_[i], poll);
        const auto at = std::span(front).subspan(kHeaderBytes + i * kEntryBytes, kEntryBytes);
        std::memcpy(at.data(), entry.name.data(), std::min(entry.name.size(), kNameBytes - 1));
        put(at, kKindAt, entry.kind);
        put(at, kElementBytesAt, entry.element_bytes);
        put(at, kElementsAt, entry.elements);
        put(at, kOffsetAt, entry.offset);
        put(at, kChecksumAt, entry.checksum);
    }
    const auto header = std::span(front).first(kHeaderBytes);
    std::memcpy(header.data(), kMagic.data(), kMagic.size());
    put(header, kVersionAt, kSnapshotVersion);
    put(header, kByteOrderAt, kByteOrder);
    put(header, kWordBytesAt, kWordBytes);
    put(header, kEntriesAt, static_cast<std::uint32_t>(entries_.size()));
    put(header, kFileBytesAt, file_bytes);
    put(header, kEntriesChecksumAt, kernels::crc32c(std::span(front).subspan(kHeaderBytes)));
    put(header, kHeaderChecksumAt, kernels::crc32c(header.first(kHeaderChecksumAt)));
    file.write(front);
    std::uint64_t end = front.size();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].kind == kScalar) {
            continue;
        }
        constexpr std::array<std::byte, kAlignment> kGap{};
        file.write(std::span(kGap).first(static_cast<std::size_t>(entries_[i].offset - end)));
        in_pieces(bytes_[i], poll, [&file](auto piece) { file.write(piece); });
        end = entries_[i].offset + bytes_[i].size();
    }
    file.commit();
}

}  // namespace scrubjay::index
