// The table of pairs as one HTML page: sorts, shows the texts of a pair side by side, takes labels. It is
// self-contained: no network, no other file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/sha256.h"
#include "server/json/json.h"
#include "server/tables/pair_table.h"

namespace akin::tables {

/// The default limit of the page's texts, in addition to its own code (about 40 kB) and the table's rows.
inline constexpr std::uint64_t kDefaultPageTexts = std::uint64_t{32} << 20;

struct PageSummary {
  std::uint64_t readable = 0;  ///< pairs whose texts are on the page
  std::uint64_t bytes = 0;     ///< the whole page
};

/// What a server adds to the page; nothing: the page is a file for itself, in English.
struct ServedPage {
  std::string save = {};       ///< path that takes labels, as the body of PUT …/labels (docs/api.md)
  std::string back = {};       ///< path of the page that leads here
  std::string lang = {};       ///< of the page, BCP 47
  json::Json texts = nullptr;  ///< each English text of the page in this language; null: they stay
};

/// Writes the page piece by piece. Each text is on it once. Pairs get their texts and passages in the order
/// of the table, as long as these take at most `texts` bytes, as written; a pair that does not fit is listed
/// without them, as is one with a hidden text, and smaller ones after it may still fit. Texts and titles are
/// data for the page's script, which inserts them as text: none of them is parsed as HTML. The page saves
/// labels as a file, or sends them to the server. Errors: those of `write` and of reading texts.
[[nodiscard]] Result<PageSummary> write_pairs_page(const PairTable& table, const Snapshot& snapshot,
                                                   std::uint64_t texts,
                                                   const std::function<Result<void>(std::string_view)>& write,
                                                   const ServedPage& served = {});

/// Of the page's script and style, by which a content security policy allows them and no others.
[[nodiscard]] Sha256 page_script_hash();
[[nodiscard]] Sha256 page_style_hash();

/// A JSON value in which no HTML parser finds markup: "<" is written as \u003c.
[[nodiscard]] std::string script_json(std::string_view json);

}  // namespace akin::tables
