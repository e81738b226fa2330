// The file of a compiled table: the definitions that its writer and its reader share. The page
// docs/dictionaries.md describes it with an example. Numbers are in the byte order of the machine: the file
// is a cache of one machine and can be rebuilt at any time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dict/table/content_hash.h"

namespace akin::table_format {

/// Raised whenever the compiler may give another table, or words fold in another way, for the same
/// dictionaries. It is part of the fingerprint: raising it makes every index require `akin reindex`.
inline constexpr std::uint32_t kCompilerVersion = 9;

inline constexpr std::array<char, 8> kMagic{'A', 'K', 'I', 'N', 'D', 'I', 'C', 'T'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::size_t kAlignment = 64;  ///< of every section's start

/// A word form. Slots ascend by key. The search for key k starts at home(k) = k * (slots - kSpare) / 2^64;
/// the form is in the first slot from there whose key is not smaller. Empty slots and the very last slot have
/// kEmptyKey, so a search always stops.
struct Slot {
  std::uint64_t key = 0;
  std::uint32_t row = 0;
  std::uint32_t unused = 0;
};
inline constexpr std::uint64_t kEmptyKey = ~std::uint64_t{0};

/// An ending of words (dict/table/endings.h); its slot is found by the same rule.
struct EndingSlot {
  std::uint64_t key = 0;    ///< Ending::key
  std::uint32_t strip = 0;  ///< letters that a word loses
  std::uint32_t unused = 0;
};

/// A class that synonyms join to others, by its hash; its slot is found by the same rule. An empty slot maps
/// kEmptyKey to itself.
struct SynonymSlot {
  std::uint64_t key = 0;   ///< WH of the class
  std::uint64_t hash = 0;  ///< WH of the class that names the group
};

/// A set of lemmas that some form has. Its lemmas end where the next row's start; the last row only marks the
/// end.
struct Row {
  std::uint64_t hash = 0;  ///< WH of the class
  std::uint32_t lemma_class = 0;
  std::uint32_t lemmas_begin = 0;
};

/// Bytes of the text section.
struct TextSpan {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

/// Lemma with id i + 1 is element i; spellings ascend in byte order.
struct Lemma {
  TextSpan spelling;
  std::uint32_t lemma_class = 0;
};

/// Facts about one source, found again by its contents.
struct Source {
  Digest content;
  std::uint64_t lemmas = 0;
  std::uint64_t forms = 0;
  std::uint64_t cut_entries = 0;
  std::uint16_t depth = 0;      ///< an ExpansionDepth
  std::uint16_t scripts = 0;    ///< ScriptBits of its words
  std::uint32_t compounds = 0;  ///< 1 if words are built at run time
};

struct Section {
  std::uint64_t begin = 0;  ///< byte offset in the file
  std::uint64_t count = 0;  ///< elements
};

struct Header {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = 0;
  std::uint32_t version = 0;
  Digest fingerprint;        ///< of everything that the table is made of
  Digest words_fingerprint;  ///< the same without the synonyms
  std::uint64_t file_bytes = 0;
  std::uint64_t body_hash = 0;  ///< of everything after the header
  Section slots, rows, row_lemmas, classes, lemmas, sources, ignored, endings, synonyms, text;
  std::uint64_t forms = 0;
  std::uint64_t home_slots = 0;  ///< slots that can be a home
  std::uint64_t ending_home_slots = 0;
  std::uint64_t synonym_home_slots = 0;
  std::uint64_t largest_class = 0;
  std::uint64_t largest_class_forms = 0;
  std::uint64_t synonym_groups = 0;
  std::uint64_t synonym_classes = 0;        ///< in all groups
  std::uint64_t largest_synonym_group = 0;  ///< classes in it
  std::uint64_t unknown_synonyms = 0;       ///< words in users' lines that no dictionary has
  std::uint64_t header_hash = 0;            ///< of everything before this field
};

}  // namespace akin::table_format
