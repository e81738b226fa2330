// Shared passages as a person reads them: how much is shared, and the text of both sides one below the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sliced_text.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "extract/document.h"
#include "index/overlap/overlap.h"
#include "index/overlap/passages.h"
#include "index/search/text_aligner.h"
#include "index/store/store.h"
#include "server/check/engine.h"

namespace akin::cli {

/// The two texts and their names as these head the lines: "query" and "document", or two file names.
struct Sides {
  const SlicedText& a;
  const SlicedText& b;
  std::string a_name;
  std::string b_name;
  const extract::Document* a_file = nullptr;  ///< of A's text, if passages are to name its pages and parts
  const extract::Document* b_file = nullptr;  ///< the same of B's text
  bool whole = false;                         ///< whether passages are printed to their ends
};

/// In matched words or in features, of which all passages of an answer have one or the other.
[[nodiscard]] std::uint64_t size_of(const Passage& passage) noexcept;

/// One line for each alert of a file: what was found, how much of it, where, and its beginning. Empty without
/// alerts. `compared`: hidden text was compared, too.
[[nodiscard]] std::string file_alert_lines(const extract::Document& file, bool compared = false);

/// "page 3, Chapter One" or "pages 3–4": where a range of the file's text is; empty if that is not known.
[[nodiscard]] std::string place_name(const extract::Document& file, TextRange range);

/// Below a document that was read from the same file as the query.
inline constexpr std::string_view kSameFileLine = "   its file is the same, byte for byte\n";

/// The flag --whole: passages are printed to their ends.
void add_whole_option(Command command, bool& whole);

/// What the alert is about, in words: "hidden text".
[[nodiscard]] std::string_view file_alert_label(extract::FileAlertKind kind) noexcept;

/// How many are printed at most; 0 = all.
struct EvidenceLimits {
  std::size_t passages = 0;
  std::size_t changes = 0;  ///< of each passage
};

/// What B has of A: "has 117 of the query's 120 features (97.5 %), which make 1.2 % of its own 9,800";
/// without containment "has 117 of the query's 160 sampled features, itself 160: resemblance 57.6 %".
[[nodiscard]] std::string shares_line(const Overlap& overlap, std::string_view a_name);

/// What alignment matched: "shares passages with 117 words of the query (97.5 %) and 120 of its own (1.2 %)".
[[nodiscard]] std::string words_line(const MatchedWords& words, std::string_view a_name);

/// X in each tier of a search: "by pairs: 12 of 250; words: 30 of 4,000 (not found by it)". `scheme`: the
/// collection's.
[[nodiscard]] std::string found_by_line(const Hit& hit, const Scheme& scheme);

/// Prints the `limit` passages with the most features or matched words (0 = all), in the order of the first
/// text, each with its ranges and the beginning of its text on both sides; then how many were left out.
void print_passages(Output& out, const std::vector<Passage>& passages, const Sides& sides, std::size_t limit);

/// The same with the changes of each passage, which must be listed, in the order of the first text.
void print_aligned(Output& out, const AlignedText& aligned, const Sides& sides, EvidenceLimits limits);

/// "21 words of the text are common: 1,500 documents have some of them".
[[nodiscard]] std::string common_words(const CommonText& common);

/// A line for each language of a checked text for which the collection has no dictionary.
[[nodiscard]] std::string language_lines(const check::IndexState& state);

}  // namespace akin::cli
