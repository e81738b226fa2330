// Synonyms: lemma classes that count as one word, so that edit 7 of Veretennikov 2009 leaves a sentence's
// hash unchanged. Opt-in, since every join makes more sentences equal. docs/methods.md has the rule's
// measurements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dict/compile/form_graph.h"
#include "dict/read/synonym_reader.h"

namespace akin {

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
