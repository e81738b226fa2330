#include "dict/dictionary.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/ask/look_ups.h"
#include "dict/ask/other_orthographies.h"
#include "dict/ask/respelling.h"
#include "dict/ask/unknown_words.h"
#include "dict/compile/packed_sources.h"
#include "dict/opened_table.h"
#include "dict/read/pair_finder.h"
#include "dict/table/shared_cache.h"

namespace akin {
namespace {

namespace fs = std::filesystem;

/// The pairs whose words are not all in the table, and the language codes of all pairs.
struct RunTime {
  std::vector<RunTimePair> pairs;
  std::vector<std::string> codes;
  bool use_endings = true;
};

RunTime run_time_of(const Chosen& chosen, const OpenedTable& opened, const DictionaryStats& stats,
                    const TableCache& cache) {
  RunTime out;
  out.use_endings = chosen.use_endings;
  for (std::size_t i = 0; i < chosen.pairs.size(); ++i) {
    out.codes.push_back(chosen.pairs[i].code);
    if (stats.sources[i].compounds || stats.sources[i].cut_entries > 0)
      out.pairs.push_back(run_time_pair(opened, i, stats.sources[i], cache));
  }
  return out;
}

}  // namespace

struct Dictionary::Impl {
  Impl(OpenedTable opened, DictionaryStats figures, const RunTime& run_time)
      : table(std::move(opened.table)),
        packed(std::move(opened.packed)),
        orthographies(run_time.codes),
        unknown(run_time.pairs, run_time.codes, table, run_time.use_endings),
        fingerprints{fingerprint_text(table.header().words_fingerprint, run_time.use_endings),
                     fingerprint_text(table.header().fingerprint, run_time.use_endings),
                     !figures.synonyms.files.empty()},
        stats(std::move(figures)) {}

  /// Other spellings of a word, found when they are first asked for.
  class Spellings {
   public:
    explicit Spellings(std::u32string_view letters) noexcept : letters_(letters) {}
    [[nodiscard]] const Twins& twins() {
      if (!twins_) twins_ = twins_of(letters_);
      return *twins_;
    }
    [[nodiscard]] const std::vector<std::u32string>& undisguised() {
      if (!undisguised_) undisguised_ = akin::undisguised(letters_);
      return *undisguised_;
    }

   private:
    std::u32string_view letters_;
    std::optional<Twins> twins_;
    std::optional<std::vector<std::u32string>> undisguised_;
  };

  [[nodiscard]] std::uint32_t find(const FoldedWord& word, Spellings& spellings) const {
    return find_respelt(table.find(word.key), word, spellings);
  }

  [[nodiscard]] std::uint32_t find_spelling(std::u32string_view letters) const {
    return table.find(spelling_key(letters));
  }

  /// The row of a word, given that of its own spelling. A word that is spelt alike in Latin and Cyrillic has
  /// the row of its Cyrillic spelling, if there is one, whatever its script. A word that the table lacks has
  /// that of the word from which a disguise was made.
  [[nodiscard]] std::uint32_t find_respelt(std::uint32_t own, const FoldedWord& word,
                                           Spellings& spellings) const {
    const bool cyrillic =
        !word.letters.empty() && word.letters.front() >= 0x400 && word.letters.front() < 0x530;
    if (cyrillic && own != WordClassTable::kNoRow) return own;  // nearly always
    if (const Twins& twins = spellings.twins(); !twins.cyrillic.empty()) {
      const std::uint32_t row = find_spelling(twins.cyrillic);
      if (row != WordClassTable::kNoRow) return row;
      if (own == WordClassTable::kNoRow) own = find_spelling(twins.latin);
    }
    if (own == WordClassTable::kNoRow) own = find_without_ignored(word.letters);
    if (own != WordClassTable::kNoRow) return own;
    for (const std::u32string& letters : spellings.undisguised()) {
      const std::uint32_t row = find_twin_first(letters);
      if (row != WordClassTable::kNoRow) return row;
    }
    const std::u32string other = in_other_script(word.letters);
    return other.empty() ? WordClassTable::kNoRow : find_spelling(other);
  }

  /// The spelling by which a word is asked about that the table lacks: one for words that have two, and that
  /// from which a disguise was made. `letters` holds it.
  [[nodiscard]] FoldedWord spelling_of_unknown(const FoldedWord& word, Spellings& spellings,
                                               std::u32string& letters) const {
    const auto respelt = [&](std::u32string_view chosen) {
      letters = chosen;
      return FoldedWord{letters, spelling_key(letters), word.flags};
    };
    if (const Twins& twins = spellings.twins(); !twins.cyrillic.empty()) return respelt(twins.common());
    const std::vector<std::u32string>& meant = spellings.undisguised();
    constexpr std::size_t kMaxAsked = 27;  // Hunspell takes its time
    for (const std::u32string& one : meant) {
      if (meant.size() > kMaxAsked) break;
      if (const FoldedWord asked = respelt(one); unknown.find(asked).known) return asked;
    }
    return meant.empty() || !are_digits_certain(word.letters) ? word : respelt(meant.front());
  }

  /// The row of a spelling's Cyrillic twin, or else its own.
  [[nodiscard]] std::uint32_t find_twin_first(std::u32string_view letters) const {
    const Twins twins = twins_of(letters);
    const std::uint32_t row = twins.cyrillic.empty() ? WordClassTable::kNoRow : find_spelling(twins.cyrillic);
    return row == WordClassTable::kNoRow ? find_spelling(letters) : row;
  }

  /// Forms are compiled without the characters that their dictionary's IGNORE names.
  [[nodiscard]] std::uint32_t find_without_ignored(std::u32string_view letters) const {
    const auto ignored = [&](char32_t c) { return table.ignored().find(c) != std::u32string_view::npos; };
    if (table.ignored().empty() || std::ranges::none_of(letters, ignored)) return WordClassTable::kNoRow;
    std::u32string rest(letters);
    std::erase_if(rest, ignored);
    return find_twin_first(rest);
  }

  static constexpr std::size_t kBatch = 64;  // several times what a core fetches at once

  /// Looks up at most kBatch keys announced by expect_key; kNoRow for a word that the table lacks in this
  /// spelling. Prefetches the rows, and what is known about words without one.
  template <class KeyAt>
  [[nodiscard]] std::array<std::uint32_t, kBatch> find_batch(std::size_t count, KeyAt key_at) const {
    std::array<std::uint32_t, kBatch> rows;
    for (std::size_t i = 0; i < count; ++i) {
      rows[i] = table.find(key_at(i));
      if (rows[i] != WordClassTable::kNoRow) {
        table.expect_row(rows[i]);
      } else {
        not_in_table.expect(key_at(i));
      }
    }
    return rows;
  }

  [[nodiscard]] WordClass classify_row(std::uint32_t row, const FoldedWord& word) const {
    Spellings spellings(word.letters);
    if (row != WordClassTable::kNoRow) return class_of_row(find_respelt(row, word, spellings));
    if (const auto kept = not_in_table.find(word.key))
      return kept->flag ? class_of_row(static_cast<std::uint32_t>(kept->number - 1))
                        : WordClass{kept->number, WordClass::kNoForm};
    row = find_respelt(row, word, spellings);
    if (row != WordClassTable::kNoRow) {
      not_in_table.keep(word.key, {std::uint64_t{row} + 1, true});
      return class_of_row(row);
    }
    std::u32string letters;
    const UnknownWord found = unknown.find(spelling_of_unknown(word, spellings, letters));
    row = found.known ? WordClassTable::kNoRow : orthographies.find(word.letters, table);
    const std::uint64_t hash = row == WordClassTable::kNoRow ? found.hash : table.hash(row);
    not_in_table.keep(word.key, {hash, false});
    return {hash, WordClass::kNoForm};
  }

  [[nodiscard]] WordClass class_of_row(std::uint32_t row) const { return {table.hash(row), row}; }

  void hash_all(std::u32string_view letters, std::span<const QuickWord> words,
                std::span<std::uint64_t> hashes) const {
    Missed missed;
    LookUps seen;
    seen.words = words.size();
    constexpr std::size_t kAhead = 24;
    for (std::size_t i = 0; i < std::min(kAhead, words.size()); ++i) hot.expect(words[i].key);
    for (std::size_t i = 0; i < words.size(); ++i) {
      hot.expect(words[std::min(i + kAhead, words.size() - 1)].key);
      // Which words are missed cannot be predicted.
      missed.words[missed.count] = static_cast<std::uint32_t>(i);
      missed.count += hot.find(words[i].key, hashes[i]) ? 0 : 1;
      if (missed.count == kBatch) hash_missed(missed, letters, words, hashes, seen);
    }
    hash_missed(missed, letters, words, hashes, seen);
    count_look_ups(seen);
  }

  struct Missed {
    std::array<std::uint32_t, kBatch> words;  ///< indices
    std::size_t count = 0;
  };

  /// Hashes these words, of which there are none then.
  void hash_missed(Missed& missed, std::u32string_view letters, std::span<const QuickWord> words,
                   std::span<std::uint64_t> hashes, LookUps& seen) const {
    seen.missed += missed.count;
    for (std::size_t i = 0; i < missed.count; ++i) warm.expect(words[missed.words[i]].key);
    Missed in_table;
    std::array<std::uint64_t, kBatch> keys;
    for (std::size_t i = 0; i < missed.count; ++i) {
      const std::uint32_t at = missed.words[i];
      if (warm.find(words[at].key, hashes[at])) {
        hot.keep(words[at].key, hashes[at]);
        continue;
      }
      keys[in_table.count] = spelling_key(words[at].among(letters));
      table.expect_key(keys[in_table.count]);
      in_table.words[in_table.count++] = at;
    }
    missed.count = 0;
    const auto rows = find_batch(in_table.count, [&](std::size_t i) { return keys[i]; });
    for (std::size_t i = 0; i < in_table.count; ++i) {
      const QuickWord& word = words[in_table.words[i]];
      const WordClass found = classify_row(rows[i], {word.among(letters), keys[i], kFoldClean});
      hashes[in_table.words[i]] = found.hash;
      if (found.form == WordClass::kNoForm) ++seen.not_in_table;
      hot.keep(word.key, found.hash);
      warm.keep(word.key, found.hash);
    }
  }

  WordClassTable table;
  std::shared_ptr<const std::string> packed;
  OtherOrthographies orthographies;
  UnknownWords unknown;
  mutable HotWords hot;
  mutable WarmWords warm;
  /// Of words that the table lacks in their own spelling: the row of another one plus 1, with the flag; else
  /// the hash.
  mutable AnswerCache<std::size_t{1} << 16, std::size_t{1} << 15> not_in_table;
  /// Of words that were asked about at hyphens: whether they are known, in the flag.
  mutable AnswerCache<std::size_t{1} << 12> known;
  DictionaryFingerprints fingerprints;
  DictionaryStats stats;
};

Dictionary::Dictionary() = default;
Dictionary::~Dictionary() = default;

Result<std::shared_ptr<const Dictionary>> Dictionary::open(const DictionaryConfig& config) {
  const std::vector<fs::path> folders =
      config.search_path.empty() ? default_search_path() : config.search_path;
  Chosen chosen{{}, config.supplements, {}, config.use_shipped_supplements, config.use_endings};
  AKIN_TRY(chosen.pairs, find_pair_of_each(config.languages, folders));
  for (const std::string& name : config.synonyms) {
    AKIN_TRY(fs::path file, find_thesaurus(name, thesaurus_search_path()));
    chosen.synonyms.push_back(std::move(file));
  }
  const TableCache cache = TableCache::open(config.cache);
  AKIN_TRY(OpenedTable opened, open_table(chosen, cache));
  DictionaryStats stats = make_stats(chosen, opened, cache);
  const RunTime run_time = run_time_of(chosen, opened, stats, cache);
  std::shared_ptr<Dictionary> dictionary(new Dictionary);
  dictionary->impl_ = std::make_unique<Impl>(std::move(opened), std::move(stats), run_time);
  return std::shared_ptr<const Dictionary>(std::move(dictionary));
}

Result<std::shared_ptr<const Dictionary>> Dictionary::unpack(std::string packed,
                                                             const fs::path& cache_folder) {
  const auto bytes = std::make_shared<const std::string>(std::move(packed));
  AKIN_TRY(const DictionaryContent content, unpack_sources(*bytes));
  Chosen chosen;
  chosen.use_endings = content.use_endings;
  for (const SourceContent& source : content.input.sources)
    chosen.pairs.push_back({source.code, source.code, source.names});
  for (const SupplementContent& file : content.input.supplements) chosen.supplements.push_back(file.name);
  for (const SupplementContent& file : content.input.synonyms) chosen.synonyms.push_back(file.name);
  const TableCache cache = TableCache::open(cache_folder);
  AKIN_TRY(OpenedTable opened, open_packed_table(content, bytes, cache));
  DictionaryStats stats = make_stats(chosen, opened, cache);
  const RunTime run_time = run_time_of(chosen, opened, stats, cache);
  std::shared_ptr<Dictionary> dictionary(new Dictionary);
  dictionary->impl_ = std::make_unique<Impl>(std::move(opened), std::move(stats), run_time);
  return std::shared_ptr<const Dictionary>(std::move(dictionary));
}

std::string_view Dictionary::packed() const noexcept { return *impl_->packed; }

std::string_view Dictionary::fingerprint_of_packed(std::string_view packed) noexcept {
  return packed_fingerprint(packed);
}

Result<DictionaryFingerprints> Dictionary::fingerprints_of_packed(std::string_view packed) {
  AKIN_TRY(const DictionaryContent content, unpack_sources(packed));
  AKIN_TRY(const TableFingerprint fingerprints, fingerprints_of_pack(content, packed));
  return DictionaryFingerprints{fingerprint_text(fingerprints.words, content.use_endings),
                                fingerprint_text(fingerprints.all, content.use_endings),
                                !content.input.synonyms.empty()};
}

WordClass Dictionary::classify(const FoldedWord& word) const {
  return impl_->classify_row(impl_->table.find(word.key), word);
}

void Dictionary::classify_all(std::span<const FoldedWord> words, std::span<WordClass> classes) const {
  for (std::size_t begin = 0; begin < words.size(); begin += Impl::kBatch) {
    const auto batch = words.subspan(begin, std::min(Impl::kBatch, words.size() - begin));
    for (const FoldedWord& word : batch) impl_->table.expect_key(word.key);
    const auto rows = impl_->find_batch(batch.size(), [&](std::size_t i) { return batch[i].key; });
    for (std::size_t i = 0; i < batch.size(); ++i)
      classes[begin + i] = impl_->classify_row(rows[i], batch[i]);
  }
}

std::uint64_t Dictionary::hash(const FoldedWord& word) const {
  std::uint64_t hash = 0;
  if (impl_->hot.find(word.key, hash)) return hash;
  if (!impl_->warm.find(word.key, hash)) {
    hash = classify(word).hash;
    impl_->warm.keep(word.key, hash);
  }
  impl_->hot.keep(word.key, hash);
  return hash;
}

void Dictionary::hash_all(std::u32string_view letters, std::span<const QuickWord> words,
                          std::span<std::uint64_t> hashes) const {
  impl_->hash_all(letters, words, hashes);
}

bool Dictionary::knows(const FoldedWord& word) const {
  if (const auto kept = impl_->known.find(word.key)) return kept->flag;
  Impl::Spellings spellings(word.letters);
  std::u32string letters;
  const bool known = impl_->find(word, spellings) != WordClassTable::kNoRow ||
                     impl_->unknown.find(impl_->spelling_of_unknown(word, spellings, letters)).known;
  impl_->known.keep(word.key, {1, known});
  return known;
}

bool Dictionary::is_transliterated(const FoldedWord& word) const {
  // One look-up answers for nearly all words.
  return !has_form(word.key) && impl_->orthographies.is_transliterated(word.letters, impl_->table) &&
         !knows(word);
}

bool Dictionary::is_in_old_orthography(const FoldedWord& word) const {
  return !has_form(word.key) && impl_->orthographies.is_before_1918(word.letters, impl_->table) &&
         !knows(word);
}

bool Dictionary::has_form(std::uint64_t key) const noexcept {
  return impl_->table.find(key) != WordClassTable::kNoRow;
}

std::span<const std::uint32_t> Dictionary::lemma_ids(std::uint32_t form) const noexcept {
  return impl_->table.lemma_ids(form);
}

std::string_view Dictionary::lemma(std::uint32_t id) const noexcept { return impl_->table.lemma(id); }

std::string Dictionary::class_name(const FoldedWord& word) const {
  Impl::Spellings spellings(word.letters);
  const std::uint32_t row = impl_->find(word, spellings);
  if (row != WordClassTable::kNoRow) return std::string(impl_->table.class_name_of_row(row));
  std::u32string letters;
  const FoldedWord asked = impl_->spelling_of_unknown(word, spellings, letters);
  const std::uint32_t other = impl_->unknown.find(asked).known
                                  ? WordClassTable::kNoRow
                                  : impl_->orthographies.find(word.letters, impl_->table);
  if (other != WordClassTable::kNoRow) return std::string(impl_->table.class_name_of_row(other));
  return to_utf8(impl_->unknown.name(asked));
}

const std::string& Dictionary::fingerprint() const noexcept { return impl_->fingerprints.words; }

bool Dictionary::has_synonyms() const noexcept { return impl_->fingerprints.has_synonyms; }

std::uint64_t Dictionary::synonym_hash(std::uint64_t class_hash) const noexcept {
  return impl_->table.synonym_hash(class_hash);
}

std::string Dictionary::synonym_name(const FoldedWord& word) const {
  const std::uint64_t hash = classify(word).hash;
  const std::uint64_t joined = impl_->table.synonym_hash(hash);
  return joined == hash ? class_name(word) : std::string(impl_->table.class_name_of_hash(joined));
}

const std::string& Dictionary::synonym_fingerprint() const noexcept { return impl_->fingerprints.synonyms; }

const DictionaryFingerprints& Dictionary::fingerprints() const noexcept { return impl_->fingerprints; }

const DictionaryStats& Dictionary::stats() const noexcept { return impl_->stats; }

}  // namespace akin
