// The compiled dictionaries: folded spelling → lemma class. All configured languages make one table, so a
// word's hash never depends on the document around it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/fold/fold.h"

namespace akin {

/// Which dictionaries to use and where compiled tables are kept.
struct DictionaryConfig {
  /// Each entry is a language code ("ru", "en", "de_AT": the .aff/.dic pair is looked up in `search_path`) or
  /// the path of an .aff or .dic file. The order does not matter. An empty list is allowed: every word is
  /// then unknown.
  std::vector<std::string> languages;
  /// Supplement files of the user, beside those that ship with akin.
  std::vector<std::filesystem::path> supplements;
  /// Synonyms for those who ask for them (Dictionary::synonym_hash): languages whose thesaurus is looked up
  /// ("ru"), or paths of MyThes .dat files or of files of one's own (dict/synonyms.h).
  std::vector<std::string> synonyms;
  /// Off: the supplements that ship are left out, to measure what they do.
  bool use_shipped_supplements = true;
  /// Off: unknown words have Snowball stems only, to measure what the dictionaries' endings do.
  bool use_endings = true;
  /// Folders searched for a language code's pair, first match wins; empty = $DICPATH and the system's
  /// folders.
  std::vector<std::filesystem::path> search_path;
  /// Folder of compiled tables; empty = $AKIN_CACHE, $XDG_CACHE_HOME/akin or ~/.cache/akin, else a folder in
  /// /tmp owned by the user.
  std::filesystem::path cache;
};

/// Hash value of a word and where it comes from.
struct WordClass {
  static constexpr std::uint32_t kNoForm = 0xffffffffU;
  std::uint64_t hash = 0;  ///< WH: word_hash of the class's canonical lemma, or of the unknown word's stem
  std::uint32_t form = kNoForm;  ///< row of the table's lemma sets; kNoForm when no table has the word
};

/// One source pair as compiled, for `akin dict` and `stats`.
struct DictionarySource {
  std::string language;  ///< as configured
  std::filesystem::path aff, dic;
  std::vector<std::filesystem::path> supplements;
  std::uint64_t lemmas = 0, forms = 0;  ///< distinct spellings of this pair alone
  bool compounds = false;               ///< Hunspell itself is asked for words that the table lacks
  std::uint64_t cut_entries =
      0;  ///< words with more forms than were compiled; Hunspell is asked for the rest
};

struct SynonymStats {
  std::vector<std::filesystem::path> files;
  std::uint64_t groups = 0;   ///< of classes that count as one
  std::uint64_t classes = 0;  ///< in all groups
  std::uint64_t largest = 0;  ///< classes in the largest group
  std::uint64_t unknown = 0;  ///< words of users' files that no dictionary has, and which are passed over
};

/// Figures of the joined table.
struct DictionaryStats {
  std::vector<DictionarySource> sources;
  std::uint64_t lemmas = 0, forms = 0, classes = 0;
  std::uint64_t largest_class_forms = 0;
  std::string largest_class;  ///< its canonical lemma
  std::uint64_t table_bytes = 0;
  std::string cache_file;
  SynonymStats synonyms;
};

/// An immutable set of compiled dictionaries. Const members may be called from any number of threads at once.
class Dictionary {
 public:
  /// Finds the pairs, opens the compiled table from the cache or compiles it (and tries to cache it; a cache
  /// that cannot be written is no error). Errors: not_found names the language, the folders searched and the
  /// Debian package to install; bad_dictionary names file and line.
  [[nodiscard]] static Result<std::shared_ptr<const Dictionary>> open(const DictionaryConfig& config);

  ~Dictionary();
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  /// The class of a folded word: by the table; else by Hunspell's own stem() where a dictionary builds
  /// compounds; else by the stem that the dictionaries' endings leave, or the Snowball stem of the first
  /// configured language of the word's script (dict/unknown_words.h); else the folded spelling itself. A
  /// function of the folded spelling (and of the configured dictionaries) alone.
  [[nodiscard]] WordClass classify(const FoldedWord& word) const;

  /// The classes of many words, each as by `classify`; faster, since the table's memory is asked for ahead.
  /// Requires as many places in `classes` as there are words.
  void classify_all(std::span<const FoldedWord> words, std::span<WordClass> classes) const;

  /// WH alone, as `classify` and `classify_all` give it.
  [[nodiscard]] std::uint64_t hash(const FoldedWord& word) const;
  void hash_all(std::span<const FoldedWord> words, std::span<std::uint64_t> hashes) const;

  /// Whether the table (or a compound rule) has the word: used to join words split over lines.
  [[nodiscard]] bool knows(const FoldedWord& word) const;

  /// Base forms of a word the table has, as ids (from 1, ascending, no repeats): the list that Veretennikov
  /// 2009 sums. Requires form != kNoForm; the view lives as long as the dictionary.
  [[nodiscard]] std::span<const std::uint32_t> lemma_ids(std::uint32_t form) const noexcept;

  /// Spelling of a base form as its dictionary writes it. Requires 1 <= id <= stats().lemmas.
  [[nodiscard]] std::string_view lemma(std::uint32_t id) const noexcept;

  /// What a class is called: its canonical lemma, or for unknown words the stem that was hashed. Folded,
  /// UTF-8.
  [[nodiscard]] std::string class_name(const FoldedWord& word) const;

  /// 32 hex digits over all that decides a word's hash: dictionary contents, supplements, compiler and hash
  /// version, stem languages. Equal fingerprints mean equal hashes for every word. Synonyms are no part of
  /// it: classes are what they are without them.
  [[nodiscard]] const std::string& fingerprint() const noexcept;

  /// Whether synonyms are configured.
  [[nodiscard]] bool has_synonyms() const noexcept;

  /// The hash of a class (WordClass::hash) where synonyms count as one word: that of the class that its group
  /// is called by, or its own.
  [[nodiscard]] std::uint64_t synonym_hash(std::uint64_t class_hash) const noexcept;

  /// The name that goes with `synonym_hash`. For people: it is slow.
  [[nodiscard]] std::string synonym_name(const FoldedWord& word) const;

  /// As `fingerprint`, over all that decides a `synonym_hash`; equal to it without synonyms.
  [[nodiscard]] const std::string& synonym_fingerprint() const noexcept;

  [[nodiscard]] const DictionaryStats& stats() const noexcept;

 private:
  Dictionary();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace akin
