// Words of stored texts, kept between alignments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/codec/packed_words.h"
#include "index/store/store.h"

namespace akin {

/// Remembers the words of stored texts, as PackedWords::of returned them: reading a text and its words again
/// takes several times as long as aligning them. A text is known by its document's revision and the store
/// that has it, as this process opened it, and by the dictionary's fingerprint: an entry is never out of
/// date. Those that were used least recently are dropped. Thread-safe.
class WordCache {
 public:
  /// `limit`: bytes of memory of all that is kept; 0 keeps nothing.
  explicit WordCache(std::uint64_t limit) noexcept : limit_(limit) {}
  WordCache(const WordCache&) = delete;
  WordCache& operator=(const WordCache&) = delete;

  /// The one that searches use. It keeps nothing until it gets a limit.
  [[nodiscard]] static WordCache& of_process();

  void set_limit(std::uint64_t limit);

  /// A search that reads one text after another.
  struct Series {
    std::shared_ptr<const PackedWords> before = nullptr;  ///< of the last text; null: none
    std::uint64_t added = 0;                              ///< bytes that were added to what is kept
  };

  /// The words of a document's text, which is read only if neither this nor the store keeps them. If they
  /// are then those of the last text of `series`, that object is returned and kept, so that copies share
  /// theirs. A series that has added half of what can be kept adds no more: with more texts than fit, each
  /// would be dropped before the next search. Errors: as Snapshot::text, Snapshot::kept_words and scan_text.
  [[nodiscard]] Result<std::shared_ptr<const PackedWords>> words(const Snapshot& snapshot,
                                                                 const StoredDocument& document,
                                                                 const Dictionary& dictionary,
                                                                 Series* series = nullptr);
  /// The same for a caller that has opened the text.
  [[nodiscard]] Result<std::shared_ptr<const PackedWords>> words(const Snapshot& snapshot,
                                                                 const StoredDocument& document,
                                                                 StoredText& text,
                                                                 const Dictionary& dictionary,
                                                                 Series* series = nullptr);

  struct Use {
    std::uint64_t texts = 0;   ///< that are kept
    std::uint64_t bytes = 0;   ///< their memory, as if each had its own
    std::uint64_t hits = 0;    ///< reads that found their text
    std::uint64_t misses = 0;  ///< reads that did not
    friend bool operator==(const Use&, const Use&) = default;
  };
  [[nodiscard]] Use use() const;

 private:
  /// A key as it is looked up.
  struct KeyView {
    StoreSerial store{};
    Revision revision;
    std::string_view dictionary;
    friend bool operator==(const KeyView&, const KeyView&) = default;
  };
  struct Key {
    StoreSerial store{};
    Revision revision;
    std::string dictionary;
    // NOLINTNEXTLINE(google-explicit-constructor): as std::string is a std::string_view
    operator KeyView() const noexcept { return {store, revision, dictionary}; }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const KeyView& key) const noexcept;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const KeyView& left, const KeyView& right) const noexcept { return left == right; }
  };
  struct Entry {
    Key key;
    std::shared_ptr<const PackedWords> words;
    [[nodiscard]] std::uint64_t bytes() const noexcept;
  };
  /// `text()`: a Result of the document's text, which lives as long as it.
  template <class Text>
  Result<std::shared_ptr<const PackedWords>> find_or_read(const Snapshot& snapshot,
                                                          const StoredDocument& document, const Text& text,
                                                          const Dictionary& dictionary,
                                                          Series* series = nullptr);
  static KeyView key_of(const Snapshot& snapshot, const StoredDocument& document,
                        const Dictionary& dictionary);
  [[nodiscard]] std::shared_ptr<const PackedWords> find(const KeyView& key);
  /// Does nothing if they exceed the limit, that of the series, or without the memory for the entry.
  void keep(const KeyView& key, std::shared_ptr<const PackedWords> words, Series* series) noexcept;
  void add(const KeyView& key, std::shared_ptr<const PackedWords> words, Series* series);
  /// Drops what exceeds the limit. Requires mutex_.
  void shrink();

  mutable std::mutex mutex_;
  std::uint64_t limit_;       ///< guarded by mutex_, as all below
  std::list<Entry> entries_;  ///< the one used last first
  std::unordered_map<Key, std::list<Entry>::iterator, Hash, Equal> by_key_;
  Use use_;
};

}  // namespace akin
