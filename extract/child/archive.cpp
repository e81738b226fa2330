#include "extract/child/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "extract/child/errors.h"

namespace akin::extract {

namespace {

struct FreeArchive {
  void operator()(archive* reader) const noexcept { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, FreeArchive>;

Result<void> unpack(archive* reader, std::string& into, std::uint64_t& unpacked) {
  constexpr std::size_t kChunk = 1U << 16U;
  for (;;) {
    const std::size_t size = into.size();
    into.resize(size + kChunk);
    const la_ssize_t got = archive_read_data(reader, into.data() + size, kChunk);
    if (got < 0) return damaged("a member of its ZIP archive cannot be unpacked");
    into.resize(size + static_cast<std::size_t>(got));
    if (got == 0) return {};
    unpacked += static_cast<std::uint64_t>(got);
    if (unpacked > kMostUnpacked)
      return too_large("unpacks to more than " + std::to_string(kMostUnpacked >> 20U) + " MiB");
  }
}

}  // namespace

Result<Archive> Archive::read(std::string_view bytes, const Wanted& wanted) {
  const Reader reader(archive_read_new());
  if (reader == nullptr) return exhausted_memory();
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    return damaged("its ZIP archive cannot be read");
  Archive made;
  std::uint64_t unpacked = 0;
  for (std::size_t members = 0;; ++members) {
    archive_entry* entry = nullptr;
    const int state = archive_read_next_header(reader.get(), &entry);
    if (state == ARCHIVE_EOF) return made;
    if (state < ARCHIVE_WARN) return damaged("its ZIP archive cannot be read to its end");
    if (members == kMostMembers)
      return too_large("has more than " + std::to_string(kMostMembers) + " members");
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    if (archive_entry_filetype(entry) == AE_IFREG) ++made.files_;
    if (name == nullptr || !wanted(name)) continue;
    if (archive_entry_is_data_encrypted(entry) != 0) return encrypted();
    AKIN_CHECK(unpack(reader.get(), made.members_[name], unpacked));
  }
}

const std::string* Archive::find(const std::string& member) const {
  const auto found = members_.find(member);
  return found == members_.end() ? nullptr : &found->second;
}

Result<std::string_view> Archive::require(const std::string& member) const {
  const std::string* found = find(member);
  if (found == nullptr) return damaged("its ZIP archive has no member " + member);
  return std::string_view(*found);
}

}  // namespace akin::extract
