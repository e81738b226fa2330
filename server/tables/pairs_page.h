// The table of pairs as one HTML page: sorts, shows the texts of a pair side by side, takes labels. It is
// self-contained: no network, no other file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/error.h"
#include "base/sha256.h"
#include "server/tables/pair_table.h"

namespace akin::tables {

/// The default limit of the page's texts, in addition to its own code (about 40 kB) and the table's rows.
inline constexpr std::uint64_t kDefaultPageTexts = std::uint64_t{32} << 20;

struct PageSummary {
  std::uint64_t readable = 0;  ///< pairs whose texts are on the page
  std::uint64_t bytes = 0;     ///< the whole page
};

/// Writes the page piece by piece. Each text is on it once. Pairs get their texts and passages in the order
/// of the table, as long as these take at most `texts` bytes, as written; a pair that does not fit is listed
/// without them, as is one with a hidden text, and smaller ones after it may still fit. Texts and titles are
/// data for the page's script, which inserts them as text: none of them is parsed as HTML. The page saves
/// labels as a file; with `save` it sends them there, as the body of PUT …/labels (docs/api.md). Errors:
/// those of `write` and of reading texts.
[[nodiscard]] Result<PageSummary> write_pairs_page(const PairTable& table, const Snapshot& snapshot,
                                                   std::uint64_t texts,
                                                   const std::function<Result<void>(std::string_view)>& write,
                                                   std::string_view save = {});

/// Of the page's script, by which a content security policy allows it and no other.
[[nodiscard]] Sha256 page_script_hash();

/// A JSON value in which no HTML parser finds markup: "<" is written as \u003c.
[[nodiscard]] std::string script_json(std::string_view json);

}  // namespace akin::tables
