#include "extract/child/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "base/hex.h"
#include "extract/child/errors.h"

namespace akin::extract {

namespace {

struct FreeArchive {
  void operator()(archive* reader) const noexcept { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, FreeArchive>;

/// Unpacks a member by pieces of the size of `chunk`.
Result<void> unpack(archive* reader, std::string& chunk, std::string& into, std::uint64_t& unpacked) {
  for (;;) {
    const la_ssize_t got = archive_read_data(reader, chunk.data(), chunk.size());
    if (got < 0) return damaged("a member of its ZIP archive cannot be unpacked");
    if (got == 0) break;
    into.append(chunk.data(), static_cast<std::size_t>(got));
    unpacked += static_cast<std::uint64_t>(got);
    if (unpacked > kMostUnpacked)
      return too_large("unpacks to more than " + std::to_string(kMostUnpacked >> 20U) + " MiB");
  }
  into.shrink_to_fit();
  return {};
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
  std::string chunk(std::size_t{1} << 16U, '\0');
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
    AKIN_CHECK(unpack(reader.get(), chunk, made.members_[name], unpacked));
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

std::string folder_of(const std::string& member) { return member.substr(0, member.rfind('/') + 1); }

std::string member_of(const std::string& folder, std::string_view reference) {
  const bool absolute = reference.starts_with('/');
  std::string path = absolute ? std::string() : folder;
  if (absolute) reference.remove_prefix(1);
  path += percent_decoded(reference);
  if (path.starts_with("./")) path.erase(0, 2);
  for (std::size_t here = path.find("/./"); here != std::string::npos; here = path.find("/./"))
    path.erase(here, 2);
  for (std::size_t up = path.find("/../"); up != std::string::npos; up = path.find("/../")) {
    const std::size_t before = up == 0 ? std::string::npos : path.rfind('/', up - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    path.erase(begin, up + 4 - begin);
  }
  return path;
}

}  // namespace akin::extract
