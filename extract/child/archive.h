// The members of a ZIP file that are needed for its text. Read by libarchive.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "extract/content.h"

namespace akin::extract {

class Archive {
 public:
  using Wanted = std::function<bool(std::string_view member)>;

  /// Of these members, by their names.
  explicit Archive(std::map<std::string, std::string> members)
      : members_(std::move(members)), files_(members_.size()) {}

  /// Unpacks the members that `wanted` names. Errors: file_damaged, file_encrypted, file_too_large.
  [[nodiscard]] static Result<Archive> read(std::string_view bytes, const Wanted& wanted);

  /// Null if the archive does not have it, or it was not wanted.
  [[nodiscard]] const std::string* find(const std::string& member) const;
  /// As find; error: file_damaged, which names the member.
  [[nodiscard]] Result<std::string_view> require(const std::string& member) const;
  [[nodiscard]] const std::map<std::string, std::string>& members() const noexcept { return members_; }
  /// All files in it, wanted or not.
  [[nodiscard]] std::size_t files() const noexcept { return files_; }

 private:
  Archive() = default;

  std::map<std::string, std::string> members_;
  std::size_t files_ = 0;
};

/// The folder of a member with its "/" at the end; empty of one at the top.
[[nodiscard]] std::string folder_of(const std::string& member);

/// The member that a reference of a file in `folder` names: absolute from "/" on, %XX decoded, "." and ".."
/// resolved.
[[nodiscard]] std::string member_of(const std::string& folder, std::string_view reference);

}  // namespace akin::extract
