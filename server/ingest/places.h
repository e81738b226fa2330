// Where the text of a stored document is in its file: the pages and parts that its record keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text_range.h"
#include "extract/document.h"
#include "server/json/json.h"

namespace akin::ingest {

/// Where a range of a file's text is.
struct FilePlace {
  std::uint32_t first_page = 0, last_page = 0;  ///< from 1; 0 if that is not known
  std::string part;                             ///< of the range's beginning; empty if there is none

  friend bool operator==(const FilePlace&, const FilePlace&) = default;
};
[[nodiscard]] FilePlace place_of(const extract::Document& file, TextRange range);

/// Adds "a_pages" [first, last] and "a_part" to a passage, or "b_…": as far as they are known of its `side`.
void add_place(json::Json& passage, const std::string& side, const FilePlace& place);

/// Longest DocumentRecord::places, in bytes; of a file that needs more, none are kept.
inline constexpr std::size_t kMaxPlacesBytes = std::size_t{1} << 20;

/// Document::map and Document::parts as bytes, as docs/index-format.md has them. Neighbours of the same kind,
/// page and part are one range. Empty if the map names no page and no part, or needs more than
/// kMaxPlacesBytes.
[[nodiscard]] std::string encode_places(const extract::Document& file);

/// A file of which only `map` and `parts` are known; neither if the bytes are not those that encode_places
/// writes. A range ends where the next begins, the last one with the text.
[[nodiscard]] extract::Document decode_places(std::string_view bytes);

/// {"parts": [names], "ranges": [[begin, kind, page, part]]}: page and part count from 1, 0 is none. Of empty
/// or unreadable bytes null.
[[nodiscard]] json::Json places_object(std::string_view bytes);

/// The bytes of such an object. Errors: invalid_argument, too_large.
[[nodiscard]] Result<std::string> read_places(const json::Json& object);

}  // namespace akin::ingest
