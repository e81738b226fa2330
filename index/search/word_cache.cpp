#include "index/search/word_cache.h"

#include <utility>

#include "base/exceptions.h"
#include "base/hash.h"
#include "index/store/kept_words.h"

namespace akin {

WordCache& WordCache::of_process() {
  static WordCache cache(0);
  return cache;
}

void WordCache::set_limit(std::uint64_t limit) {
  const std::lock_guard guard(mutex_);
  limit_ = limit;
  shrink();
}

template <class Text>
Result<std::shared_ptr<const PackedWords>> WordCache::find_or_read(const Snapshot& snapshot,
                                                                   const StoredDocument& document,
                                                                   const Text& text,
                                                                   const Dictionary& dictionary,
                                                                   Series* series) {
  const KeyView key = key_of(snapshot, document, dictionary);
  if (auto known = find(key)) return known;
  {
    const std::lock_guard guard(mutex_);
    ++use_.misses;
  }
  AKIN_TRY(std::optional<PackedWords> words, kept_words_of(snapshot, document, dictionary));
  if (!words) {
    AKIN_TRY(const auto& read, text());
    AKIN_TRY(words, PackedWords::of(read, dictionary));
  }
  const bool is_copy = series != nullptr && series->before && series->before->is_same(*words);
  auto packed = is_copy ? series->before : std::make_shared<const PackedWords>(*std::move(words));
  keep(key, packed, series);
  return packed;
}

Result<std::shared_ptr<const PackedWords>> WordCache::words(const Snapshot& snapshot,
                                                            const StoredDocument& document,
                                                            const Dictionary& dictionary, Series* series) {
  return find_or_read(
      snapshot, document, [&] { return snapshot.text(document); }, dictionary, series);
}

Result<std::shared_ptr<const PackedWords>> WordCache::words(const Snapshot& snapshot,
                                                            const StoredDocument& document, StoredText& text,
                                                            const Dictionary& dictionary, Series* series) {
  return find_or_read(
      snapshot, document, [&] { return text.read(); }, dictionary, series);
}

WordCache::Use WordCache::use() const {
  const std::lock_guard guard(mutex_);
  return use_;
}

std::size_t WordCache::Hash::operator()(const KeyView& key) const noexcept {
  // Dictionaries are few, and revisions of one store all differ.
  return static_cast<std::size_t>(mix64(key.revision.value ^ static_cast<std::uint64_t>(key.store) << 52U));
}

std::uint64_t WordCache::Entry::bytes() const noexcept {
  // The key is in the list and in the map, whose nodes have two and three pointers more.
  return words->bytes() + 2 * (sizeof(Key) + key.dictionary.capacity()) + 6 * sizeof(void*);
}

WordCache::KeyView WordCache::key_of(const Snapshot& snapshot, const StoredDocument& document,
                                     const Dictionary& dictionary) {
  return {snapshot.store_serial(), document.revision, dictionary.synonym_fingerprint()};
}

std::shared_ptr<const PackedWords> WordCache::find(const KeyView& key) {
  const std::lock_guard guard(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  ++use_.hits;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->words;
}

void WordCache::keep(const KeyView& key, std::shared_ptr<const PackedWords> words, Series* series) noexcept {
  static_cast<void>(without_exceptions([&]() -> Result<void> {
    add(key, std::move(words), series);
    return {};
  }));
}

void WordCache::add(const KeyView& key, std::shared_ptr<const PackedWords> words, Series* series) {
  // Whatever fails here leaves the cache as it was.
  std::list<Entry> added;
  added.push_front({{key.store, key.revision, std::string(key.dictionary)}, std::move(words)});
  const Entry& entry = added.front();
  const std::lock_guard guard(mutex_);
  // Another thread may have read the same text.
  if (entry.bytes() > limit_ || by_key_.contains(entry.key)) return;
  if (series != nullptr) {
    if (series->added > limit_ / 2) return;
    series->added += entry.bytes();
  }
  by_key_.emplace(entry.key, added.begin());
  ++use_.texts;
  use_.bytes += entry.bytes();
  entries_.splice(entries_.begin(), added);
  shrink();
}

void WordCache::shrink() {
  while (use_.bytes > limit_) {
    const Entry& last = entries_.back();
    use_.bytes -= last.bytes();
    --use_.texts;
    by_key_.erase(last.key);
    entries_.pop_back();
  }
}

}  // namespace akin
