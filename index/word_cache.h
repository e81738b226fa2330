// Words of large texts, kept between alignments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/packed_words.h"

namespace akin {

/// Remembers what read_words returned for large texts: reading the words of a book again takes longer than
/// aligning them. A text is known by its SHA-256 and the dictionary's fingerprint, so an entry is never out
/// of date. Those that were used least recently are dropped. Thread-safe.
class WordCache {
 public:
  /// Shorter texts, in bytes, are not kept: reading their words takes a few milliseconds.
  static constexpr std::size_t kLeastText = std::size_t{64} << 10;

  /// `limit`: bytes of memory of all that is kept; 0 keeps nothing.
  explicit WordCache(std::uint64_t limit) noexcept : limit_(limit) {}
  WordCache(const WordCache&) = delete;
  WordCache& operator=(const WordCache&) = delete;

  /// The one that TextAligner uses. It keeps nothing until it gets a limit.
  [[nodiscard]] static WordCache& of_process();

  void set_limit(std::uint64_t limit);

  /// read_words(utf8, dictionary). Errors: the same.
  [[nodiscard]] Result<WordSequence> read(std::string_view utf8, const Dictionary& dictionary);

  struct Use {
    std::uint64_t texts = 0;   ///< that are kept
    std::uint64_t bytes = 0;   ///< their memory
    std::uint64_t hits = 0;    ///< reads that found their text
    std::uint64_t misses = 0;  ///< reads that did not, of texts that are long enough
    friend bool operator==(const Use&, const Use&) = default;
  };
  [[nodiscard]] Use use() const;

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const PackedWords> words;
  };
  [[nodiscard]] std::shared_ptr<const PackedWords> find(const std::string& key);
  void add(std::string key, std::shared_ptr<const PackedWords> words);
  /// Drops what exceeds the limit. Requires mutex_.
  void shrink();

  mutable std::mutex mutex_;
  std::uint64_t limit_;       ///< guarded by mutex_, as all below
  std::list<Entry> entries_;  ///< the one used last first
  std::map<std::string, std::list<Entry>::iterator, std::less<>> by_key_;
  Use use_;
};

}  // namespace akin
