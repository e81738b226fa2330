// What a text's words and sentences are like on the whole, and what is usual in a collection.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/store/store.h"
#include "morph/words/scanner.h"

namespace akin {

struct TextStyle {
  std::uint64_t sentences = 0;
  std::uint64_t words = 0;    ///< those that begin with a letter
  std::uint64_t unknown = 0;  ///< of them those that no dictionary knows (Dictionary::knows)

  [[nodiscard]] double unknown_share() const noexcept;       ///< in [0,1]; 0 of no words
  [[nodiscard]] double words_per_sentence() const noexcept;  ///< 0 of no sentences
  TextStyle& operator+=(const TextStyle& other) noexcept;
};

/// Reads the style of a text in a pass that others share. Views the dictionary.
class StyleReader final : public SentenceSink {
 public:
  explicit StyleReader(const Dictionary& dictionary) noexcept : dictionary_(dictionary) {}
  void on_sentence(const Sentence& sentence) override;
  [[nodiscard]] const TextStyle& style() const noexcept { return style_; }

 private:
  const Dictionary& dictionary_;
  TextStyle style_;
};

/// Time: one pass over the text. Errors: as scan_text.
[[nodiscard]] Result<TextStyle> style_of(std::string_view utf8, const Dictionary& dictionary);

/// A collection's usual style is that of the beginnings of its first documents, in the order of their ids.
inline constexpr std::size_t kStyleDocuments = 32;
inline constexpr std::size_t kStyleBytes = std::size_t{16} << 10;  ///< of each document's text
/// No further text is read once so many bytes of texts have been.
inline constexpr std::uint64_t kStyleReadBytes = std::uint64_t{4} << 20;

/// The usual style of one collection, which is computed again only after one of the documents that it is
/// taken from changed. Thread-safe.
class UsualStyle {
 public:
  /// Errors: as Snapshot::list and Snapshot::text.
  [[nodiscard]] Result<TextStyle> of(const Snapshot& snapshot, const Dictionary& dictionary);

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::string, Revision>> of_;  ///< the documents that `style_` is taken from
  TextStyle style_;
};

}  // namespace akin
