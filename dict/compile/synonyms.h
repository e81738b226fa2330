// Synonyms: lemma classes that count as one word, so that edit 7 of Veretennikov 2009 leaves a sentence's
// hash unchanged. Opt-in, since every join makes more sentences equal. docs/methods.md has the rule's
// measurements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/compile/form_graph.h"

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

inline constexpr std::size_t kMaxSynonyms = 8;          ///< classes that a thesaurus can join into one
inline constexpr std::size_t kLeastSynonymLetters = 4;  ///< of a class's name

/// Groups of two classes or more that count as one; no class is in two groups.
struct JoinedSynonyms {
  /// Indices of classes. The first is the class whose name precedes those of the others, and names the group;
  /// the rest ascend.
  std::vector<std::vector<std::uint32_t>> groups;
  std::uint64_t unknown = 0;  ///< different words in users' lines that no dictionary has
};

/// Decides which classes count as one.
///
/// From thesauri, whose words are lemmas, two classes are taken for synonyms if each lists the other. They
/// are joined in the order of their similarity (Jaccard's measure of all their neighbours in the thesauri,
/// themselves included; equal ones by their names), a group with a group only if all classes of the one are
/// synonyms of all of the other, and up to kMaxSynonyms classes. Classes with names shorter than
/// kLeastSynonymLetters and the classes of `common` lemmas (keys of folded spellings) are not joined: they
/// are the most frequent words.
///
/// The words of a user's line, lemmas or forms, are joined as written, whatever their number, with the groups
/// they belong to; words that no dictionary has are passed over and counted. The result does not depend on
/// the order of files, entries or lines.
[[nodiscard]] JoinedSynonyms join_synonyms(const LemmaClasses& classes, const FormGraph& graph,
                                           std::span<const SynonymLists> lists,
                                           std::span<const std::uint64_t> common);

}  // namespace akin
