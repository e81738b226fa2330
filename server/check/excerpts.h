// The text of a source around its passages, which a check keeps: it can be shown after the document was
// changed or removed.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/sliced_text.h"
#include "base/text_range.h"
#include "index/codec/stored_text.h"
#include "server/json/json.h"

namespace akin::check {

/// Code points that are kept before and after each passage.
inline constexpr std::uint32_t kKeptAround = 300;
/// Bytes of excerpts that one check keeps; of the sources after that it keeps none.
inline constexpr std::size_t kMostExcerptBytes = std::size_t{64} << 20U;

/// A part of a text, and the code point at which it begins.
struct Excerpt {
  std::uint32_t at = 0;
  std::string text;
};

/// A stretch of a text in code points, and the same in bytes.
struct TextPlace {
  TextRange characters, bytes;
};

/// Where these ranges are in a text's bytes.
[[nodiscard]] std::vector<TextPlace> places_of(std::string_view text, const std::vector<TextRange>& ranges);

/// The places with kKeptAround on both sides, in their order in the text; those that meet become one. Errors:
/// as akin::StoredText::read.
[[nodiscard]] Result<std::vector<Excerpt>> cut_excerpts(akin::StoredText& text,
                                                        std::vector<TextPlace> places);

/// [{"at", "text"}]
[[nodiscard]] json::Json excerpts_array(const std::vector<Excerpt>& excerpts);

/// Parts of one text with their places in it. Ranges are code points of the whole text.
class Excerpts {
 public:
  /// The whole text.
  [[nodiscard]] static Excerpts whole(std::string_view text);
  /// What excerpts_array returned.
  [[nodiscard]] static Excerpts read(const json::Json& parts);

  /// Valid as long as this object; nothing if no part has all of the range.
  [[nodiscard]] std::optional<std::string_view> slice(TextRange range) const;

 private:
  struct Part {
    Part(std::uint32_t begin, std::string_view utf8);
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    TextRange range;
    std::string text;
    SlicedText sliced;  ///< of `text`
  };
  std::list<Part> parts_;  ///< ascending; a list, since parts must not move
};

/// The excerpts of a source among those that a check keeps: [{"collection", "id", "parts"}]. Nothing if it
/// keeps none of it.
[[nodiscard]] std::optional<Excerpts> excerpts_of(const json::Json& kept, const json::Json& source);

}  // namespace akin::check
