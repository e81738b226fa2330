#include "index/word_cache.h"

#include <utility>

#include "base/exceptions.h"
#include "base/hash.h"

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

Result<std::vector<std::uint64_t>> WordCache::classes(const Snapshot& snapshot,
                                                      const DocumentRecord& document,
                                                      const Dictionary& dictionary) {
  const bool keeping = keeps();
  Key key = key_of(snapshot, document, dictionary);
  if (keeping) {
    if (const auto known = find(key)) return known->classes();
  }
  AKIN_TRY(const std::string text, snapshot.text(document.id));
  AKIN_TRY(WordSequence words, read_words(text, dictionary));
  if (keeping) keep(std::move(key), words);
  return std::move(words.classes);
}

Result<WordSequence> WordCache::words(const Snapshot& snapshot, const DocumentRecord& document,
                                      std::string_view text, const Dictionary& dictionary) {
  if (!keeps()) return read_words(text, dictionary);
  Key key = key_of(snapshot, document, dictionary);
  if (const auto known = find(key)) return known->unpacked();
  AKIN_TRY(WordSequence words, read_words(text, dictionary));
  keep(std::move(key), words);
  return words;
}

WordCache::Use WordCache::use() const {
  const std::lock_guard guard(mutex_);
  return use_;
}

std::size_t WordCache::Hash::operator()(const Key& key) const noexcept {
  // Dictionaries are few, and revisions of one store all differ.
  return static_cast<std::size_t>(mix64(key.revision.value ^ static_cast<std::uint64_t>(key.store) << 52U));
}

std::uint64_t WordCache::Entry::bytes() const noexcept {
  // The key is in the list and in the map, whose nodes have two and three pointers more.
  return words->bytes() + 2 * (sizeof(Key) + key.dictionary.capacity()) + 6 * sizeof(void*);
}

WordCache::Key WordCache::key_of(const Snapshot& snapshot, const DocumentRecord& document,
                                 const Dictionary& dictionary) {
  return {snapshot.store_serial(), document.revision, dictionary.synonym_fingerprint()};
}

bool WordCache::keeps() const {
  const std::lock_guard guard(mutex_);
  return limit_ > 0;
}

std::shared_ptr<const PackedWords> WordCache::find(const Key& key) {
  const std::lock_guard guard(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    ++use_.misses;
    return nullptr;
  }
  ++use_.hits;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->words;
}

void WordCache::keep(Key key, const WordSequence& words) noexcept {
  static_cast<void>(without_exceptions([&]() -> Result<void> {
    add(std::move(key), std::make_shared<const PackedWords>(words));
    return {};
  }));
}

void WordCache::add(Key key, std::shared_ptr<const PackedWords> words) {
  // Whatever fails here leaves the cache as it was.
  std::list<Entry> added;
  added.push_front({std::move(key), std::move(words)});
  const Entry& entry = added.front();
  const std::lock_guard guard(mutex_);
  // Another thread may have read the same text.
  if (entry.bytes() > limit_ || by_key_.contains(entry.key)) return;
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
