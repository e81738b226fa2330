// Reads files of synonyms: MyThes thesauri, and a user's own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin {

/// The contents of one file; words are given by their spelling_key (folded).
struct SynonymLists {
  /// An entry of a thesaurus and the words that it lists for one of its meanings.
  struct Meaning {
    std::uint64_t word = 0;
    std::vector<std::uint64_t> synonyms;
  };
  std::vector<Meaning> meanings;
  /// From a user's own file: the words of each line.
  std::vector<std::vector<std::uint64_t>> lines;
};

/// Reads a MyThes thesaurus (th_ru_RU_v2.dat: the first line names the encoding, then "entry|N" and N lines
/// "tag|word|word…"), or else a user's own file (UTF-8, '#' begins a comment, words that count as one on one
/// line). Phrases are passed over, since a class is a single word's; so are words that a thesaurus marks as
/// antonym, as more general, more special, related or only similar. Error: bad_dictionary with file and line.
[[nodiscard]] Result<SynonymLists> read_synonyms(std::string_view content, const std::filesystem::path& file);

}  // namespace akin
