// A page of the file that was handed in, as it is printed, with the matches marked on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "extract/client/picture_answer.h"
#include "server/desk/matches.h"
#include "server/desk/page.h"

namespace akin::desk {

struct Sheet {
  const json::Json& check;
  std::string_view text;  ///< of the check
  std::uint32_t page = 1;
  std::uint32_t pages = 1;  ///< of the file
  extract::PagePicture picture;
  std::string data_url;       ///< of the picture
  extract::PageWords kept{};  ///< the words as they were placed for the check; empty: those of the picture
};

/// Which words of the page are part of the passage: those of runs of three words that the passage has, too,
/// and a few between two such runs. Words count by their letters and digits, folded. Exact for passages that
/// are verbatim; elsewhere close enough to find the place.
[[nodiscard]] std::vector<bool> words_in(std::string_view passage,
                                         const std::vector<extract::PlacedWord>& words);

[[nodiscard]] std::string sheet_page(const Reader& reader, const Sheet& sheet);

}  // namespace akin::desk
