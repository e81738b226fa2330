// The compiled dictionaries: folded spelling → lemma class. All configured languages are compiled into one
// table, so a word's hash never depends on the document around it.
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
  /// Each entry is a language code ("ru", "en", "de_AT": its .aff/.dic pair is searched in `search_path`) or
  /// the path of an .aff or .dic file. The order does not matter. The list may be empty: every word is then
  /// unknown.
  std::vector<std::string> languages;
  /// The user's supplement files, in addition to those that ship with akin.
  std::vector<std::filesystem::path> supplements;
  /// Synonyms for callers that request them (Dictionary::synonym_hash): languages whose thesaurus is searched
  /// ("ru"), or paths of MyThes .dat files or of the user's own files (dict/compile/synonyms.h).
  std::vector<std::string> synonyms;
  /// Off: leaves out the supplements that ship, to measure their effect.
  bool use_shipped_supplements = true;
  /// Off: unknown words have Snowball stems only, to measure the effect of the dictionaries' endings.
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

/// A folded word whose spelling_key was not computed, among letters given with it. `key` is another 64-bit
/// hash of its letters: they may have several, but no other letters have the same.
struct QuickWord {
  std::uint64_t key = 0;
  std::uint32_t begin = 0, size = 0;  ///< of its letters
  [[nodiscard]] std::u32string_view among(std::u32string_view letters) const noexcept {
    return {letters.data() + begin, size};
  }
};

/// One source pair as compiled, for `akin dict` and `stats`.
struct DictionarySource {
  std::string language;  ///< as configured
  std::filesystem::path aff, dic;
  std::vector<std::filesystem::path> supplements;
  std::uint64_t lemmas = 0, forms = 0;  ///< distinct spellings of this pair alone
  std::uint8_t scripts = 0;             ///< ScriptBits of its words
  bool compounds = false;               ///< Hunspell itself is asked about words that the table lacks
  std::uint64_t cut_entries =
      0;  ///< words with more forms than were compiled; Hunspell is asked about the rest
};

struct SynonymStats {
  std::vector<std::filesystem::path> files;
  std::uint64_t groups = 0;   ///< of classes that count as one
  std::uint64_t classes = 0;  ///< in all groups
  std::uint64_t largest = 0;  ///< classes in the largest group
  std::uint64_t unknown = 0;  ///< words in users' files that no dictionary has; they are passed over
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

/// What two sets of dictionaries have in common if they give the same hashes.
struct DictionaryFingerprints {
  std::string words;     ///< Dictionary::fingerprint
  std::string synonyms;  ///< Dictionary::synonym_fingerprint
  bool has_synonyms = false;
};

/// An immutable set of compiled dictionaries. Const members may be called from any number of threads at once.
class Dictionary {
 public:
  /// Finds the pairs, opens the compiled table from the cache or compiles it (and tries to cache it; failing
  /// to write the cache is not an error). Errors: not_found names the language, the folders searched and the
  /// Debian package to install; bad_dictionary names file and line.
  [[nodiscard]] static Result<std::shared_ptr<const Dictionary>> open(const DictionaryConfig& config);

  /// The same dictionary, on any machine and whatever has become of its files, from what `packed` gave. The
  /// table is in the cache (DictionaryConfig::cache) or compiled. Errors: corrupt; mismatch (this akin gives
  /// other hashes than the one that packed it).
  [[nodiscard]] static Result<std::shared_ptr<const Dictionary>> unpack(
      std::string packed, const std::filesystem::path& cache = {});

  ~Dictionary();
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  /// The class of a folded word: by the table; else by Hunspell's own stem() if a dictionary builds
  /// compounds; else by the table in another orthography (dict/ask/other_orthographies.h); else by the stem
  /// that the dictionaries' endings leave, or the Snowball stem of the first configured language of the
  /// word's script (dict/ask/unknown_words.h); else the folded spelling itself. Depends only on the folded
  /// spelling and the configured dictionaries.
  [[nodiscard]] WordClass classify(const FoldedWord& word) const;

  /// The classes of many words, each as by `classify`; faster, since the table's memory is prefetched.
  /// Requires as many places in `classes` as there are words.
  void classify_all(std::span<const FoldedWord> words, std::span<WordClass> classes) const;

  /// WH alone, as `classify` and `classify_all` give it.
  [[nodiscard]] std::uint64_t hash(const FoldedWord& word) const;
  void hash_all(std::u32string_view letters, std::span<const QuickWord> words,
                std::span<std::uint64_t> hashes) const;

  /// Whether the table (or a compound rule) has the word: used to join words split over lines.
  [[nodiscard]] bool knows(const FoldedWord& word) const;

  /// Whether no dictionary has the word, but the Russian one has it in Cyrillic letters ("zhizn").
  [[nodiscard]] bool is_transliterated(const FoldedWord& word) const;

  /// Whether no dictionary has the word, but the Russian one has it in today's orthography ("разсказъ").
  [[nodiscard]] bool is_in_old_orthography(const FoldedWord& word) const;

  /// Whether the table has this very spelling, given by its spelling_key. Asks no compound rule: one look-up.
  [[nodiscard]] bool has_form(std::uint64_t key) const noexcept;

  /// Base forms of a word in the table, as ids (from 1, ascending, no repeats): the list that Veretennikov
  /// 2009 sums. Requires form != kNoForm; the view lives as long as the dictionary.
  [[nodiscard]] std::span<const std::uint32_t> lemma_ids(std::uint32_t form) const noexcept;

  /// Spelling of a base form as its dictionary writes it. Requires 1 <= id <= stats().lemmas.
  [[nodiscard]] std::string_view lemma(std::uint32_t id) const noexcept;

  /// The name of a class: its canonical lemma, or for unknown words the stem that was hashed. Folded, UTF-8.
  [[nodiscard]] std::string class_name(const FoldedWord& word) const;

  /// 32 hex digits over everything that decides a word's hash: dictionary contents, supplements, compiler and
  /// hash version, stem languages. Equal fingerprints mean equal hashes for every word. Synonyms are not part
  /// of it: classes are the same without them.
  [[nodiscard]] const std::string& fingerprint() const noexcept;

  /// Whether synonyms are configured.
  [[nodiscard]] bool has_synonyms() const noexcept;

  /// The hash of a class (WordClass::hash) when synonyms count as one word: that of the class that names its
  /// group, or its own.
  [[nodiscard]] std::uint64_t synonym_hash(std::uint64_t class_hash) const noexcept;

  /// The name that goes with `synonym_hash`. For display: it is slow.
  [[nodiscard]] std::string synonym_name(const FoldedWord& word) const;

  /// Like `fingerprint`, over everything that decides a `synonym_hash`; equal to it without synonyms.
  [[nodiscard]] const std::string& synonym_fingerprint() const noexcept;

  [[nodiscard]] const DictionaryFingerprints& fingerprints() const noexcept;

  /// The contents of all its files, compressed (dict/compile/packed_sources.h), named by
  /// `synonym_fingerprint`: about a megabyte for Russian and English.
  [[nodiscard]] std::string_view packed() const noexcept;
  /// The name of packed bytes; empty if they are damaged. A view of the bytes.
  [[nodiscard]] static std::string_view fingerprint_of_packed(std::string_view packed) noexcept;
  /// What `fingerprints` of the unpacked dictionary would return. It takes milliseconds, as no table is
  /// compiled. Errors: as unpack.
  [[nodiscard]] static Result<DictionaryFingerprints> fingerprints_of_packed(std::string_view packed);

  [[nodiscard]] const DictionaryStats& stats() const noexcept;

 private:
  Dictionary();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace akin
