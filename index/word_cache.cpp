#include "index/word_cache.h"

#include <utility>

#include "base/exceptions.h"
#include "base/sha256.h"

namespace akin {
namespace {

std::string key_of_text(std::string_view utf8, const Dictionary& dictionary) {
  const Sha256 digest = sha256(utf8);
  return std::string(digest.begin(), digest.end()) + dictionary.synonym_fingerprint();
}

}  // namespace

WordCache& WordCache::of_process() {
  static WordCache cache(0);
  return cache;
}

void WordCache::set_limit(std::uint64_t limit) {
  const std::lock_guard guard(mutex_);
  limit_ = limit;
  shrink();
}

Result<WordSequence> WordCache::read(std::string_view utf8, const Dictionary& dictionary) {
  const bool keeps = utf8.size() >= kLeastText && [this] {
    const std::lock_guard guard(mutex_);
    return limit_ > 0;
  }();
  if (!keeps) return read_words(utf8, dictionary);
  std::string key = key_of_text(utf8, dictionary);
  if (const auto known = find(key)) return known->unpacked();
  AKIN_TRY(WordSequence words, read_words(utf8, dictionary));
  // Without the memory for it the text is not kept.
  static_cast<void>(without_exceptions([&]() -> Result<void> {
    add(std::move(key), std::make_shared<const PackedWords>(words));
    return {};
  }));
  return words;
}

WordCache::Use WordCache::use() const {
  const std::lock_guard guard(mutex_);
  return use_;
}

std::shared_ptr<const PackedWords> WordCache::find(const std::string& key) {
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

void WordCache::add(std::string key, std::shared_ptr<const PackedWords> words) {
  const std::lock_guard guard(mutex_);
  // Another thread may have read the same text.
  if (words->bytes() > limit_ || by_key_.contains(key)) return;
  // Whatever fails here leaves the cache as it was.
  std::list<Entry> added;
  added.push_front({std::move(key), std::move(words)});
  by_key_.emplace(added.front().key, added.begin());
  ++use_.texts;
  use_.bytes += added.front().words->bytes();
  entries_.splice(entries_.begin(), added);
  shrink();
}

void WordCache::shrink() {
  while (use_.bytes > limit_) {
    const Entry& last = entries_.back();
    use_.bytes -= last.words->bytes();
    --use_.texts;
    by_key_.erase(last.key);
    entries_.pop_back();
  }
}

}  // namespace akin
