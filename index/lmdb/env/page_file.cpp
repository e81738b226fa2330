#include "index/lmdb/env/page_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <limits>

#include "base/bytes.h"
#include "base/files.h"

namespace akin::lmdb {

namespace {

// Of a meta page, after the page's header.
constexpr std::size_t kMagicAt = Page::kHeaderBytes;
constexpr std::size_t kFreeAt = kMagicAt + 24;
constexpr std::size_t kMainAt = kFreeAt + kTreeRecordBytes;
constexpr std::size_t kLastPageAt = kMainAt + kTreeRecordBytes;
constexpr std::size_t kMetaBytes = kLastPageAt + 16;
constexpr std::uint32_t kMagic = 0xbeefc0de;
constexpr std::size_t kMostPageBytes = std::size_t{1} << 16;

Error not_a_data_file(const std::string& name) {
  return Error{Errc::corrupt, name, "it does not begin with the two meta pages of LMDB",
               "restore a backup, or index the texts again"};
}

}  // namespace

TreeRecord decode_tree_record(const char* bytes) noexcept {
  return {load_u16(bytes + 4),  load_u16(bytes + 6),  load_u64(bytes + 8), load_u64(bytes + 16),
          load_u64(bytes + 24), load_u64(bytes + 32), load_u64(bytes + 40)};
}

PageNumber Page::number() const noexcept { return load_u64(bytes_.data()); }
unsigned Page::flags() const noexcept { return load_u16(bytes_.data() + kFlagsAt); }
unsigned Page::lower() const noexcept { return load_u16(bytes_.data() + kLowerAt); }
unsigned Page::upper() const noexcept { return load_u16(bytes_.data() + 14); }
std::uint32_t Page::overflow_pages() const noexcept { return load_u32(bytes_.data() + 12); }

Result<PageFile> PageFile::open(int file, std::string name) {
  PageFile pages(file, std::move(name));
  AKIN_TRY(const std::string first, pages.read(0, kMetaBytes));
  if (first.size() < kMetaBytes || load_u32(first.data() + kMagicAt) != kMagic) {
    return not_a_data_file(pages.name_);
  }
  pages.page_bytes_ = load_u32(first.data() + kFreeAt);
  if (!std::has_single_bit(pages.page_bytes_) || pages.page_bytes_ < 512 ||
      pages.page_bytes_ > kMostPageBytes) {
    return not_a_data_file(pages.name_);
  }
  return pages;
}

Result<std::uint64_t> PageFile::size() const {
  struct stat file = {};
  if (fstat(file_, &file) != 0) return system_error(errno, name_, "read the size");
  return static_cast<std::uint64_t>(file.st_size);
}

Result<std::optional<MetaPage>> PageFile::meta(std::optional<std::uint64_t> txn) const {
  std::optional<MetaPage> newest;
  for (const std::size_t page : {0, 1}) {
    AKIN_TRY(const std::string bytes, read(page * page_bytes_, kMetaBytes));
    if (bytes.size() < kMetaBytes || load_u32(bytes.data() + kMagicAt) != kMagic) {
      return not_a_data_file(name_);
    }
    const char* const at = bytes.data();
    const MetaPage meta{decode_tree_record(at + kFreeAt), decode_tree_record(at + kMainAt),
                        load_u64(at + kLastPageAt), load_u64(at + kLastPageAt + 8)};
    if (txn && meta.txn != *txn) continue;
    if (!newest || *newest < meta) newest = meta;
  }
  return newest;
}

Result<std::optional<Page>> PageFile::pages(PageNumber first, std::uint64_t count) const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (count == 0 || count > kMost / page_bytes_ || first > kMost / page_bytes_ - count) {
    return std::optional<Page>();
  }
  AKIN_TRY(const std::uint64_t bytes, size());
  if ((first + count) * page_bytes_ > bytes) return std::optional<Page>();
  AKIN_TRY(std::string read_bytes, read(first * page_bytes_, count * page_bytes_));
  if (read_bytes.size() < count * page_bytes_) return std::optional<Page>();
  return std::optional(Page(std::move(read_bytes)));
}

Result<std::string> PageFile::read(std::uint64_t at, std::size_t count) const {
  std::string bytes(count, '\0');
  AKIN_TRY(const std::size_t got, read_at(file_, at, bytes, name_));
  bytes.resize(got);
  return bytes;
}

}  // namespace akin::lmdb
