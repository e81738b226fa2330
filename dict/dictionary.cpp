#include "dict/dictionary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/ask/look_ups.h"
#include "dict/ask/unknown_words.h"
#include "dict/compile/cache.h"
#include "dict/compile/compiler.h"
#include "dict/compile/hot_words.h"
#include "dict/compile/pair_finder.h"
#include "dict/compile/table.h"
#include "dict/read/supplement.h"

namespace akin {
namespace {

namespace fs = std::filesystem;

/// A table with the digests of the configured sources, by place.
struct OpenedTable {
  WordClassTable table;
  std::vector<Digest> sources;
  Digest fingerprint;
};

/// Names the stamp of a configuration, and lists the files whose states decide whether it is still valid.
struct StampKey {
  Digest name;
  std::vector<fs::path> files;
};

StampKey stamp_key(const std::vector<FoundPair>& pairs, const SupplementChoice& supplements) {
  StampKey key;
  for (const FoundPair& pair : pairs) {
    key.files.push_back(pair.files.aff);
    key.files.push_back(pair.files.dic);
  }
  key.files.insert(key.files.end(), supplements.files.begin(), supplements.files.end());
  key.files.insert(key.files.end(), supplements.synonyms.begin(), supplements.synonyms.end());
  DigestBuilder name;
  name.add(std::uint64_t{table_format::kCompilerVersion});
  name.add(std::uint64_t{supplements.synonyms.size()});
  for (const fs::path& file : key.files) {
    std::error_code status;
    const fs::path absolute = fs::absolute(file, status);
    name.add((status ? file : absolute).string());
  }
  // Another build of akin may ship other supplements.
  if (supplements.shipped) {
    for (const BuiltInSupplement& supplement : built_in_supplements()) name.add(supplement.content);
  }
  key.name = name.digest();
  return key;
}

Result<OpenedTable> open_table(const std::vector<FoundPair>& pairs, const SupplementChoice& supplements,
                               const TableCache& cache) {
  const StampKey key = stamp_key(pairs, supplements);
  const auto states = file_states(key.files);
  const auto stamp = cache.read_stamp(key.name);
  if (states && stamp && stamp->files == states->digest && stamp->sources.size() == pairs.size()) {
    if (auto table = cache.open_stamped(*stamp)) {
      return OpenedTable{std::move(*table), stamp->sources, stamp->fingerprint};
    }
  }

  std::vector<SourceContent> named;
  named.reserve(pairs.size());
  for (const FoundPair& pair : pairs) named.push_back({pair.code, pair.files, {}, {}, {}});
  AKIN_TRY(const CompilerInput input, read_input(std::move(named), supplements));
  const TableFingerprint fingerprints = fingerprint_of(input);
  const Digest& fingerprint = fingerprints.all;
  auto table = cache.open_checked(fingerprint);
  if (!table) {
    AKIN_TRY(std::vector<char> image, compile_table(input, fingerprints));
    table = cache.publish(fingerprint, image);
    if (!table) {
      AKIN_TRY(table, WordClassTable::keep(std::move(image)));
      return OpenedTable{std::move(*table), input.by_place, fingerprint};
    }
  }
  const fs::path file = cache.table_path(fingerprint);
  const auto table_state = file_states({&file, 1});
  if (states && states->settled && table_state) {
    cache.write_stamp(key.name, {states->digest, fingerprint, table_state->digest, input.by_place});
  }
  return OpenedTable{std::move(*table), input.by_place, fingerprint};
}

/// The figures for `akin dict`.
DictionaryStats make_stats(const std::vector<FoundPair>& pairs, const DictionaryConfig& config,
                           const OpenedTable& opened, const TableCache& cache) {
  DictionaryStats stats;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    DictionarySource source;
    source.language = pairs[i].configured;
    source.aff = pairs[i].files.aff;
    source.dic = pairs[i].files.dic;
    source.supplements = config.supplements;
    for (const table_format::Source& known : opened.table.sources()) {
      if (known.content != opened.sources[i]) continue;
      source.lemmas = known.lemmas;
      source.forms = known.forms;
      source.compounds = known.compounds != 0;
      source.cut_entries = known.cut_entries;
    }
    stats.sources.push_back(std::move(source));
  }
  const table_format::Header& header = opened.table.header();
  stats.lemmas = header.lemmas.count;
  stats.forms = header.forms;
  stats.classes = header.classes.count;
  stats.largest_class_forms = header.largest_class_forms;
  stats.largest_class = opened.table.class_name(static_cast<std::uint32_t>(header.largest_class));
  stats.synonyms.groups = header.synonym_groups;
  stats.synonyms.classes = header.synonym_classes;
  stats.synonyms.largest = header.largest_synonym_group;
  stats.synonyms.unknown = header.unknown_synonyms;
  stats.table_bytes = header.file_bytes;
  stats.cache_file = cache.table_path(opened.fingerprint).string();
  return stats;
}

/// The pairs whose words are not all in the table, and the language codes of all pairs.
struct RunTime {
  std::vector<DictionaryPair> pairs;
  std::vector<std::string> codes;
  bool use_endings = true;
};

RunTime run_time_of(const std::vector<FoundPair>& pairs, const DictionaryConfig& config,
                    const DictionaryStats& stats) {
  RunTime out;
  out.use_endings = config.use_endings;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    out.codes.push_back(pairs[i].code);
    if (stats.sources[i].compounds || stats.sources[i].cut_entries > 0) out.pairs.push_back(pairs[i].files);
  }
  return out;
}

/// Without endings the table is the same, but the hashes of unknown words are not.
std::string fingerprint_text(const Digest& fingerprint, bool use_endings) {
  if (use_endings) return to_hex(fingerprint);
  DigestBuilder digest;
  digest.add(fingerprint);
  digest.add("without endings");
  return to_hex(digest.digest());
}

}  // namespace

struct Dictionary::Impl {
  Impl(OpenedTable opened, DictionaryStats figures, const RunTime& run_time)
      : table(std::move(opened.table)),
        unknown(run_time.pairs, run_time.codes, table, run_time.use_endings),
        fingerprint(fingerprint_text(table.header().words_fingerprint, run_time.use_endings)),
        synonym_fingerprint(fingerprint_text(table.header().fingerprint, run_time.use_endings)),
        stats(std::move(figures)) {}

  [[nodiscard]] std::uint32_t find(const FoldedWord& word) const {
    const std::uint32_t row = table.find(word.key);
    return row != WordClassTable::kNoRow ? row : find_without_ignored(word.letters);
  }

  /// Forms are compiled without the characters that their dictionary's IGNORE names.
  [[nodiscard]] std::uint32_t find_without_ignored(std::u32string_view letters) const {
    if (table.ignored().empty()) return WordClassTable::kNoRow;
    SpellingHash hash;
    bool changed = false;
    for (const char32_t c : letters) {
      if (table.ignored().find(c) != std::u32string_view::npos) {
        changed = true;
      } else {
        hash.add(c);
      }
    }
    return changed ? table.find(hash.value()) : WordClassTable::kNoRow;
  }

  static constexpr std::size_t kBatch = 64;  // several times what a core fetches at once

  /// Looks up at most kBatch keys announced by expect_key; kNoRow for a word that the table lacks in this
  /// spelling. Prefetches the rows.
  template <class KeyAt>
  [[nodiscard]] std::array<std::uint32_t, kBatch> find_batch(std::size_t count, KeyAt key_at) const {
    std::array<std::uint32_t, kBatch> rows;
    for (std::size_t i = 0; i < count; ++i) {
      rows[i] = table.find(key_at(i));
      if (rows[i] != WordClassTable::kNoRow) table.expect_row(rows[i]);
    }
    return rows;
  }

  [[nodiscard]] WordClass classify_row(std::uint32_t row, const FoldedWord& word) const {
    if (row == WordClassTable::kNoRow) row = find_without_ignored(word.letters);
    if (row != WordClassTable::kNoRow) return {table.hash(row), row};
    return {unknown.find(word).hash, WordClass::kNoForm};
  }

  void hash_all(std::span<const FoldedWord> words, std::span<std::uint64_t> hashes) const {
    std::array<std::uint32_t, kBatch> missed;
    std::size_t count = 0;
    LookUps seen;
    seen.words = words.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (hot.find(words[i].key, hashes[i])) continue;
      table.expect_key(words[i].key);
      missed[count++] = static_cast<std::uint32_t>(i);
      if (count == kBatch) {
        seen.not_in_table += hash_missed(missed, words, hashes);
        seen.missed += count;
        count = 0;
      }
    }
    seen.not_in_table += hash_missed(std::span(missed).first(count), words, hashes);
    seen.missed += count;
    count_look_ups(seen);
  }

  /// Hashes the words at these indices; returns how many of them the table lacks.
  std::uint64_t hash_missed(std::span<const std::uint32_t> missed, std::span<const FoldedWord> words,
                            std::span<std::uint64_t> hashes) const {
    std::uint64_t lacking = 0;
    const auto rows = find_batch(missed.size(), [&](std::size_t i) { return words[missed[i]].key; });
    for (std::size_t i = 0; i < missed.size(); ++i) {
      const FoldedWord& word = words[missed[i]];
      const WordClass found = classify_row(rows[i], word);
      hashes[missed[i]] = found.hash;
      if (found.form == WordClass::kNoForm) ++lacking;
      hot.keep(word.key, found.hash);
    }
    return lacking;
  }

  WordClassTable table;
  UnknownWords unknown;
  mutable HotWords hot;
  std::string fingerprint;
  std::string synonym_fingerprint;
  DictionaryStats stats;
};

Dictionary::Dictionary() = default;
Dictionary::~Dictionary() = default;

Result<std::shared_ptr<const Dictionary>> Dictionary::open(const DictionaryConfig& config) {
  const std::vector<fs::path> folders =
      config.search_path.empty() ? default_search_path() : config.search_path;
  std::vector<FoundPair> pairs;
  for (const std::string& language : config.languages) {
    AKIN_TRY(FoundPair pair, find_pair(language, folders));
    pairs.push_back(std::move(pair));
  }
  const TableCache cache = TableCache::open(config.cache);
  std::vector<fs::path> synonyms;
  for (const std::string& name : config.synonyms) {
    AKIN_TRY(fs::path file, find_thesaurus(name, thesaurus_search_path()));
    synonyms.push_back(std::move(file));
  }
  AKIN_TRY(OpenedTable opened,
           open_table(pairs, {config.supplements, config.use_shipped_supplements, synonyms}, cache));
  DictionaryStats stats = make_stats(pairs, config, opened, cache);
  stats.synonyms.files = std::move(synonyms);
  const RunTime run_time = run_time_of(pairs, config, stats);
  std::shared_ptr<Dictionary> dictionary(new Dictionary);
  dictionary->impl_ = std::make_unique<Impl>(std::move(opened), std::move(stats), run_time);
  return std::shared_ptr<const Dictionary>(std::move(dictionary));
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
  return classify(word).hash;
}

void Dictionary::hash_all(std::span<const FoldedWord> words, std::span<std::uint64_t> hashes) const {
  impl_->hash_all(words, hashes);
}

bool Dictionary::knows(const FoldedWord& word) const {
  return impl_->find(word) != WordClassTable::kNoRow || impl_->unknown.find(word).known;
}

std::span<const std::uint32_t> Dictionary::lemma_ids(std::uint32_t form) const noexcept {
  return impl_->table.lemma_ids(form);
}

std::string_view Dictionary::lemma(std::uint32_t id) const noexcept { return impl_->table.lemma(id); }

std::string Dictionary::class_name(const FoldedWord& word) const {
  const std::uint32_t row = impl_->find(word);
  if (row != WordClassTable::kNoRow) return std::string(impl_->table.class_name_of_row(row));
  return to_utf8(impl_->unknown.name(word));
}

const std::string& Dictionary::fingerprint() const noexcept { return impl_->fingerprint; }

bool Dictionary::has_synonyms() const noexcept { return !impl_->stats.synonyms.files.empty(); }

std::uint64_t Dictionary::synonym_hash(std::uint64_t class_hash) const noexcept {
  return impl_->table.synonym_hash(class_hash);
}

std::string Dictionary::synonym_name(const FoldedWord& word) const {
  const std::uint64_t hash = classify(word).hash;
  const std::uint64_t joined = impl_->table.synonym_hash(hash);
  return joined == hash ? class_name(word) : std::string(impl_->table.class_name_of_hash(joined));
}

const std::string& Dictionary::synonym_fingerprint() const noexcept { return impl_->synonym_fingerprint; }

const DictionaryStats& Dictionary::stats() const noexcept { return impl_->stats; }

}  // namespace akin
