#include "dict/unknown_words.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/characters.h"

namespace akin {

/// Direct-mapped: a new word takes the place of the old one. 64 shards of 1,024 words, each with its own
/// mutex, 1.5 MiB.
struct UnknownWords::Cache {
  struct Entry {
    std::uint64_t key = 0;
    UnknownWord word;
  };
  struct Shard {
    std::mutex mutex;
    std::array<Entry, 1024> entries;
  };
  std::array<Shard, 64> shards;

  Shard& shard(std::uint64_t key) { return shards[key % shards.size()]; }
  static Entry& entry(Shard& shard, std::uint64_t key) {
    return shard.entries[(key >> 6U) % shard.entries.size()];
  }
};

void UnknownWords::CacheDeleter::operator()(Cache* cache) const noexcept { delete cache; }

UnknownWords::UnknownWords(std::span<const DictionaryPair> run_time, std::span<const std::string> codes,
                           const WordClassTable& table)
    : table_(table), snowball_(codes), cache_(new Cache) {
  for (const DictionaryPair& files : run_time) hunspell_.push_back(std::make_unique<HunspellStemmer>(files));
}

UnknownWord UnknownWords::find(const FoldedWord& word) const {
  Cache::Shard& shard = cache_->shard(word.key);
  Cache::Entry& entry = Cache::entry(shard, word.key);
  {
    const std::lock_guard lock(shard.mutex);
    if (entry.key == word.key && entry.word.hash != 0) return entry.word;
  }
  const Named named = resolve(word.letters);
  const UnknownWord found{word_hash(named.name), named.known};
  const std::lock_guard lock(shard.mutex);
  entry = {word.key, found};
  return found;
}

std::u32string UnknownWords::name(const FoldedWord& word) const { return resolve(word.letters).name; }

UnknownWords::Named UnknownWords::resolve(std::u32string_view letters) const {
  const CharTable& characters = CharTable::instance();
  const bool digits = std::any_of(letters.begin(), letters.end(),
                                  [&](char32_t c) { return characters[c].kind() == CharKind::digit; });
  if (digits) return {std::u32string(letters), false};
  std::optional<std::u32string> best;
  for (const auto& hunspell : hunspell_) {
    for (const std::string& stem : hunspell->stems(letters)) {
      std::u32string name = name_of_stem(stem);
      if (name.empty()) continue;
      const bool precedes =
          !best || (name.size() != best->size() ? name.size() < best->size() : name < *best);
      if (precedes) best = std::move(name);
    }
  }
  if (best) return {std::move(*best), true};
  return {snowball_.stem(letters), false};
}

std::u32string UnknownWords::name_of_stem(const std::string& stem) const {
  if (const auto lemma_class = table_.class_of_lemma(stem)) return to_utf32(table_.class_name(*lemma_class));
  WordFolder folder;
  const FoldedWord folded = folder.fold(stem);
  const std::uint32_t row = table_.find(folded.key);
  if (row != WordClassTable::kNoRow) return to_utf32(table_.class_name_of_row(row));
  return std::u32string(folded.letters);
}

}  // namespace akin
