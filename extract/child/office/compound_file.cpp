#include "extract/child/office/compound_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/bytes.h"
#include "extract/child/errors.h"

namespace akin::extract {

namespace {

constexpr std::size_t kContainerHeader = 512, kFolderEntry = 128;
constexpr std::size_t kTablesInHeader = 109;
/// Numbers from here on mean something else than a sector.
constexpr std::uint32_t kNoSector = 0xFFFFFFFA;
/// Streams of less are in sectors of 64 bytes.
constexpr std::uint64_t kLeastLarge = 4096;
constexpr unsigned kSmallShift = 6;

Error damaged_container(const std::string& reason) {
  return damaged("is a document of an old Office program (DOC, XLS, PPT) whose container is wrong: " +
                 reason);
}

void append_numbers(std::vector<std::uint32_t>& table, std::string_view bytes) {
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) table.push_back(load_u32(bytes.data() + at));
}

}  // namespace

Result<CompoundFile> CompoundFile::read(std::string_view bytes) {
  CompoundFile file(bytes);
  AKIN_CHECK(file.read_tables());
  AKIN_CHECK(file.read_entries());
  return file;
}

std::string_view CompoundFile::sector(std::uint32_t number) const noexcept {
  const std::size_t size = std::size_t{1} << sector_shift_;
  const std::size_t begin = (std::size_t{number} + 1) << sector_shift_;
  return begin < bytes_.size() ? bytes_.substr(begin, size) : std::string_view();
}

Result<std::string> CompoundFile::chain(std::uint32_t first) const {
  std::string whole;
  std::size_t sectors = 0;
  for (std::uint32_t number = first; number < kNoSector; number = next_[number]) {
    if (number >= next_.size() || sector(number).empty()) return damaged_container("it was cut off");
    if (++sectors > next_.size()) return damaged_container("its sectors form a loop");
    whole += sector(number);
  }
  return whole;
}

Result<CompoundFile::Table> CompoundFile::table_of(std::uint32_t first) const {
  AKIN_TRY(const std::string bytes, chain(first));
  Table table;
  append_numbers(table, bytes);
  return table;
}

Result<void> CompoundFile::read_tables() {
  if (bytes_.size() < kContainerHeader) return damaged_container("it was cut off");
  constexpr std::size_t kSectorShift = 30, kFirstTables = 76, kMoreTables = 68;
  sector_shift_ = load_u16(bytes_.data() + kSectorShift);
  if (sector_shift_ != 9 && sector_shift_ != 12)
    return damaged_container("its sectors have neither 512 nor 4096 bytes");
  Table parts;
  append_numbers(parts, bytes_.substr(kFirstTables, kTablesInHeader * 4));
  std::uint32_t more = load_u32(bytes_.data() + kMoreTables);
  const std::size_t all = bytes_.size() >> sector_shift_;
  for (std::size_t count = 0; more < kNoSector; ++count) {
    const std::string_view list = sector(more);
    if (list.size() < std::size_t{1} << sector_shift_ || count > all)
      return damaged_container("its list of tables is wrong");
    append_numbers(parts, list.substr(0, list.size() - 4));
    more = load_u32(list.data() + list.size() - 4);
  }
  for (const std::uint32_t part : parts) {
    if (part >= kNoSector) continue;
    if (next_.size() > bytes_.size()) return damaged_container("its tables are longer than it is");
    if (sector(part).size() < std::size_t{1} << sector_shift_) return damaged_container("it was cut off");
    append_numbers(next_, sector(part));
  }
  return {};
}

/// The entries of a folder are a binary tree; the root's is walked.
Result<void> CompoundFile::read_entries() {
  constexpr std::size_t kFirstEntries = 48, kFirstSmall = 60;
  constexpr std::size_t kNameSize = 64, kType = 66, kLeft = 68, kRight = 72, kChild = 76, kFirst = 116,
                        kSize = 120;
  constexpr char kStream = 2, kRoot = 5;
  AKIN_TRY(const std::string entries, chain(load_u32(bytes_.data() + kFirstEntries)));
  if (entries.size() < kFolderEntry || entries[kType] != kRoot) return damaged_container("it has no root");
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> open = {load_u32(entries.data() + kChild)};
  while (!open.empty()) {
    const std::size_t number = open.back();
    open.pop_back();
    if (number >= entries.size() / kFolderEntry || !seen.insert(static_cast<std::uint32_t>(number)).second)
      continue;
    const char* entry = entries.data() + number * kFolderEntry;
    open.push_back(load_u32(entry + kLeft));
    open.push_back(load_u32(entry + kRight));
    if (entry[kType] != kStream) continue;
    std::string name;
    const std::size_t size = std::min<std::size_t>(load_u16(entry + kNameSize), kNameSize);
    for (std::size_t at = 0; at + 2 < size; at += 2) name += entry[at + 1] == 0 ? entry[at] : '?';
    streams_[ascii_lower(name)] = {load_u32(entry + kFirst), load_u32(entry + kSize)};
  }
  AKIN_TRY(small_, chain(load_u32(entries.data() + kFirst)));
  AKIN_TRY(small_next_, table_of(load_u32(bytes_.data() + kFirstSmall)));
  return {};
}

Result<std::string> CompoundFile::small_stream(const Stream& stream) const {
  std::string whole;
  std::size_t sectors = 0;
  for (std::uint32_t number = stream.first; number < kNoSector; number = small_next_[number]) {
    const std::size_t begin = std::size_t{number} << kSmallShift;
    if (number >= small_next_.size() || begin >= small_.size()) return damaged_container("it was cut off");
    if (++sectors > small_next_.size()) return damaged_container("its sectors form a loop");
    whole += std::string_view(small_).substr(begin, std::size_t{1} << kSmallShift);
  }
  return whole;
}

Result<std::string> CompoundFile::stream(const std::string& name) const {
  const auto found = streams_.find(ascii_lower(name));
  if (found == streams_.end()) return damaged_container("it has no stream " + name);
  const Stream& stream = found->second;
  AKIN_TRY(std::string whole, stream.size < kLeastLarge ? small_stream(stream) : chain(stream.first));
  if (whole.size() < stream.size) return damaged_container("its stream " + name + " was cut off");
  whole.resize(static_cast<std::size_t>(stream.size));
  return whole;
}

}  // namespace akin::extract
