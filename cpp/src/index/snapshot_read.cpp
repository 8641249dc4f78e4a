// Checking a file before anything in it is believed.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "index/snapshot_format.h"
#include "scrubjay/base/error.h"
#include "scrubjay/index/snapshot.h"

namespace scrubjay::index {

using namespace format;

namespace {

std::string hex(std::uint32_t word) {
    std::array<char, 9> text{};
    std::snprintf(text.data(), text.size(), "%08x", word);
    return text.data();
}

bool all_zero(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

void require_checksum(const std::string& where, const std::string& what,
                      std::span<const std::byte> bytes, std::uint32_t expected,
                      const Poll& poll = {}) {
    const std::uint32_t got = checksum_of(bytes, poll);
    if (got != expected) {
        refuse_damage(where, what, "checksum " + hex(got), hex(expected));
    }
}

// What the caller would have to know about the file's writer: another version, another machine.
void require_form(const std::string& where, std::span<const std::byte> bytes) {
    const auto refuse = [&](const std::string& what, const std::string& got,
                            const std::string& expected) {
        throw Error(Errc::format_version, where + ": " + what + ", got " + got + ", expected " +
                                              expected + "; build the index again");
    };
    const std::size_t known = std::min(bytes.size(), kMagic.size());
    if (bytes.empty() || std::memcmp(bytes.data(), kMagic.data(), known) != 0) {
        refuse("the file is no snapshot of an index",
               bytes.empty() ? "no bytes" : "other first bytes", "those of a snapshot");
    }
    if (bytes.size() < kHeaderBytes) {
        refuse_damage(where, "the file", std::to_string(bytes.size()) + " bytes",
                      "at least a header of 64");
    }
    const auto version = get<std::uint32_t>(bytes, kVersionAt);
    if (version < 1 || version > kSnapshotVersion) {
        refuse("the file has another format version", std::to_string(version),
               "1 to " + std::to_string(kSnapshotVersion));
    }
    const auto order = get<std::uint32_t>(bytes, kByteOrderAt);
    const auto word = get<std::uint32_t>(bytes, kWordBytesAt);
    if (order != kByteOrder || word != kWordBytes) {
        refuse("the file is of another kind of machine",
               "byte order mark " + hex(order) + " and words of " + std::to_string(word) + " bytes",
               hex(kByteOrder) + " and " + std::to_string(kWordBytes));
    }
}

SnapshotEntry entry_of(const std::string& where, std::span<const std::byte> at) {
    SnapshotEntry entry;
    const auto* const name = reinterpret_cast<const char*>(at.data());
    entry.name = std::string(name, std::find(name, name + kNameBytes, '\0'));
    entry.kind = get<char>(at, kKindAt);
    entry.element_bytes = get<std::uint32_t>(at, kElementBytesAt);
    entry.elements = get<std::uint64_t>(at, kElementsAt);
    entry.offset = get<std::uint64_t>(at, kOffsetAt);
    entry.checksum = get<std::uint32_t>(at, kChecksumAt);
    const bool good = entry.kind == kScalar
                          ? entry.element_bytes == 8 && entry.elements == 1 && entry.checksum == 0
                          : std::string_view("fiu").find(entry.kind) != std::string_view::npos &&
                                entry.element_bytes >= 1 && entry.element_bytes <= 8;
    if (!good || entry.name.size() >= kNameBytes ||
        !all_zero(at.subspan(entry.name.size(), kNameBytes - entry.name.size())) ||
        !all_zero(at.subspan(kKindZerosAt, kElementBytesAt - kKindZerosAt)) ||
        !all_zero(at.subspan(kEntryZerosAt, kEntryBytes - kEntryZerosAt))) {
        refuse_damage(where, "an entry", "impossible fields", "those of an array or a scalar");
    }
    return entry;
}

}  // namespace

SnapshotReader::SnapshotReader(const std::string& where, const std::string& path, Verify verify,
                               const Poll& poll)
    : SnapshotReader(where, Mapping::of_file(where, path), verify, poll) {}

SnapshotReader::SnapshotReader(const std::string& where, std::shared_ptr<Mapping> mapping,
                               Verify verify, const Poll& poll)
    : where_(where), mapping_(std::move(mapping)), verify_(verify) {
    require_form(where_, mapping_->bytes());
    version_ = get<std::uint32_t>(mapping_->bytes(), kVersionAt);
    read_header();
    read_entries();
    require_sections(poll);
}

void SnapshotReader::read_header() {
    const std::span<const std::byte> bytes = mapping_->bytes();
    const auto header = bytes.first(kHeaderBytes);
    require_checksum(where_, "the header", header.first(kHeaderChecksumAt),
                     get<std::uint32_t>(header, kHeaderChecksumAt));
    const auto file_bytes = get<std::uint64_t>(header, kFileBytesAt);
    if (file_bytes != bytes.size()) {
        refuse_damage(where_, "the length of the file", std::to_string(bytes.size()) + " bytes",
                      std::to_string(file_bytes));
    }
    const auto entries = get<std::uint32_t>(header, kEntriesAt);
    if (entries > kMostEntries || kHeaderBytes + entries * kEntryBytes > bytes.size() ||
        !all_zero(header.subspan(kHeaderZerosAt, kEntriesChecksumAt - kHeaderZerosAt))) {
        refuse_damage(where_, "the header", std::to_string(entries) + " entries",
                      "as many as the file has room for");
    }
    entries_.resize(entries);
}

void SnapshotReader::read_entries() {
    const std::span<const std::byte> bytes = mapping_->bytes();
    const auto table = bytes.subspan(kHeaderBytes, entries_.size() * kEntryBytes);
    require_checksum(where_, "the list of entries", table,
                     get<std::uint32_t>(bytes, kEntriesChecksumAt));
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        entries_[i] = entry_of(where_, table.subspan(i * kEntryBytes, kEntryBytes));
    }
    std::vector<SnapshotEntry> expected = entries_;
    const std::uint64_t end = lay_out(where_, expected);
    if (end != bytes.size()) {
        refuse_damage(where_, "the length of the file", std::to_string(bytes.size()) + " bytes",
                      std::to_string(end) + " by its entries");
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].offset != expected[i].offset) {
            refuse_damage(where_, "the place of " + entries_[i].name,
                          std::to_string(entries_[i].offset), std::to_string(expected[i].offset));
        }
    }
}

void SnapshotReader::require_sections(const Poll& poll) const {
    const std::span<const std::byte> bytes = mapping_->bytes();
    std::size_t end = kHeaderBytes + entries_.size() * kEntryBytes;
    for (const SnapshotEntry& entry : entries_) {
        if (entry.kind == kScalar) {
            continue;
        }
        const auto begin = static_cast<std::size_t>(entry.offset);
        const auto length = static_cast<std::size_t>(entry.elements * entry.element_bytes);
        if (!all_zero(bytes.subspan(end, begin - end))) {
            refuse_damage(where_, "the gap before " + entry.name, "other bytes", "zeros");
        }
        if (verify_ == Verify::full) {
            require_checksum(where_, entry.name, bytes.subspan(begin, length), entry.checksum,
                             poll);
        }
        end = begin + length;
    }
}

const SnapshotEntry& SnapshotReader::next(std::string_view name, char kind,
                                          std::size_t element_bytes) {
    if (visited_ == entries_.size()) {
        refuse_damage(where_, "the list of entries", "its end", std::string(name));
    }
    const SnapshotEntry& entry = entries_[visited_];
    const auto form = [](char of_kind, std::size_t bytes) {
        return std::string(1, of_kind) + std::to_string(bytes);
    };
    if (entry.name != name || entry.kind != kind || entry.element_bytes != element_bytes) {
        refuse_damage(where_, "the list of entries",
                      entry.name + " of " + form(entry.kind, entry.element_bytes),
                      std::string(name) + " of " + form(kind, element_bytes));
    }
    ++visited_;
    return entry;
}

void SnapshotReader::finish() const {
    if (visited_ != entries_.size()) {
        refuse_damage(where_, "the list of entries", entries_[visited_].name, "its end");
    }
}

}  // namespace scrubjay::index
