// What a file holds: a document, or the members of an archive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "extract/document.h"

namespace akin::extract {

/// Bytes that all members together may unpack to: a bomb is refused where it passes them.
inline constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 28U;
inline constexpr std::size_t kMostMembers = 1U << 16U;

/// A file in an archive.
struct Member {
  std::string name;                 ///< with its folders, without "./" before them; as decoded_names gives it
  std::string bytes;                ///< empty if there is an error
  std::optional<Error> error = {};  ///< why it cannot be unpacked; its subject is without meaning
};

/// The files in an archive: no folders, links and devices, nor what lies under a name that begins with a dot.
struct Unpacked {
  std::vector<Member> members;       ///< in their order in the archive; of several with one name, the last
  std::uint64_t hidden = 0;          ///< files left out because of a dot
  std::optional<Error> broken = {};  ///< set: the archive breaks off after these members
};

using Content = std::variant<Document, Unpacked>;

}  // namespace akin::extract
