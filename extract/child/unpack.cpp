#include "extract/child/unpack.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "extract/child/archive.h"
#include "extract/child/errors.h"
#include "extract/child/member_names.h"
#include "extract/formats/passed_over.h"

namespace akin::extract {

namespace {

struct FreeReader {
  void operator()(archive* reader) const noexcept { archive_read_free(reader); }
};

bool is_utf8(std::string_view name) { return validate_utf8(name, "").has_value(); }

/// The path without "." and empty parts; nothing if a part is passed over.
std::optional<std::string> seen_path(std::string_view path) {
  std::string plain;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (is_passed_over(part)) return std::nullopt;
    plain += (plain.empty() ? "" : "/") + std::string(part);
  }
  return plain;
}

class Unpacking {
 public:
  explicit Unpacking(std::string_view bytes)
      : reader_(archive_read_new()), plain_(bytes.starts_with("PK") || bytes.starts_with("7z")) {
    if (reader_ == nullptr) throw std::bad_alloc();
    archive* const reader = reader_.get();
    archive_read_support_format_zip(reader);
    archive_read_support_format_tar(reader);
    archive_read_support_format_7zip(reader);
    archive_read_support_filter_gzip(reader);
    archive_read_support_filter_bzip2(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_zstd(reader);
    opened_ = archive_read_open_memory(reader, bytes.data(), bytes.size()) == ARCHIVE_OK;
  }

  Result<Unpacked> run() {
    if (!opened_) return failure();
    for (std::size_t entries = 0;; ++entries) {
      archive_entry* entry = nullptr;
      const int state = archive_read_next_header(reader_.get(), &entry);
      if (state == ARCHIVE_EOF) return named();
      if (state < ARCHIVE_WARN) {
        if (entries == 0) return failure();
        made_.broken = failure();
        return named();
      }
      if (entries == kMostMembers)
        return too_large("is an archive of more than " + std::to_string(kMostMembers) + " members");
      AKIN_CHECK(take(entry));
    }
  }

 private:
  /// What was made, with names in UTF-8.
  Unpacked named() {
    std::vector<std::string_view> foreign;
    for (const Member& member : made_.members) {
      if (!is_utf8(member.name)) foreign.push_back(member.name);
    }
    std::vector<std::string> names = decoded_names(foreign);
    auto next = names.begin();
    for (Member& member : made_.members) {
      if (is_utf8(member.name)) continue;
      member.name = std::move(*next++);
      if (!places_.emplace(member.name, 0).second) member.name += '~';  // that of another member
    }
    return std::move(made_);
  }

  /// Why the archive cannot be read from here on.
  Error failure() const {
    archive* const reader = reader_.get();
    if (archive_errno(reader) == ENOMEM) throw std::bad_alloc();
    const bool recognized = archive_format(reader) != 0;
    if (recognized && archive_read_has_encrypted_entries(reader) > 0) return encrypted();
    const bool unpacks = archive_filter_count(reader) > 1;  // its compressed data break off later, if at all
    if (!recognized && !plain_ && unpacks) {
      return {Errc::type_unsupported, "file", "is compressed, and does not hold a tar archive",
              "decompress it first"};
    }
    const auto read = std::ranges::count_if(made_.members, [](const Member& one) { return !one.error; });
    return {Errc::file_damaged, "file",
            read == 0 ? "is an archive that breaks off or is damaged before its first file ends"
                      : "is an archive that breaks off or is damaged; files read before that: " +
                            std::to_string(read),
            "copy or download it again"};
  }

  Result<void> take(archive_entry* entry) {
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr) return {};
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    if (name == nullptr) return {};
    const std::optional<std::string> path = seen_path(name);
    if (!path) {
      ++made_.hidden;
      return {};
    }
    if (path->empty()) return {};
    AKIN_CHECK(count(path->size()));
    Member member{*path, {}};
    AKIN_CHECK(read(entry, member));
    const auto [place, first] = places_.emplace(*path, made_.members.size());
    if (first) {
      made_.members.push_back(std::move(member));
    } else {
      made_.members[place->second] = std::move(member);
    }
    return {};
  }

  Result<void> read(archive_entry* entry, Member& member) {
    if (archive_entry_is_data_encrypted(entry) != 0) {
      member.error = encrypted();
      return {};
    }
    for (;;) {
      const la_ssize_t got = archive_read_data(reader_.get(), chunk_.data(), chunk_.size());
      if (got < 0) {
        if (archive_errno(reader_.get()) == ENOMEM) throw std::bad_alloc();
        member.bytes.clear();
        member.error = damaged("cannot be unpacked");
      }
      if (got <= 0) {
        member.bytes.shrink_to_fit();
        return {};
      }
      member.bytes.append(chunk_.data(), static_cast<std::size_t>(got));
      AKIN_CHECK(count(static_cast<std::uint64_t>(got)));
    }
  }

  Result<void> count(std::uint64_t bytes) {
    unpacked_ += bytes;
    if (unpacked_ <= kMostUnpacked) return {};
    return too_large("is an archive that unpacks to more than " + std::to_string(kMostUnpacked >> 20U) +
                     " MiB");
  }

  std::unique_ptr<archive, FreeReader> reader_;
  bool plain_;  ///< not compressed as a whole
  bool opened_ = false;
  Unpacked made_;
  std::map<std::string, std::size_t> places_;  ///< of names in the members
  std::uint64_t unpacked_ = 0;
  std::string chunk_ = std::string(std::size_t{1} << 16U, '\0');
};

}  // namespace

Result<Unpacked> unpack(std::string_view bytes) { return Unpacking(bytes).run(); }

}  // namespace akin::extract
