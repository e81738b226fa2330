// Texts as a store has them: long ones in parts, which are read one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin {

/// Texts with more bytes are stored in parts, so that a passage of one can be shown without the rest.
inline constexpr std::uint64_t kWholeText = std::uint64_t{256} << 10U;
/// Texts with more bytes are long: they are stored with their words, others with the codes of these
/// (store/kept_words.h), so that the first search that hits one need not read it all.
inline constexpr std::uint64_t kLongText = std::uint64_t{4} << 20U;

/// A text's bytes in a store, as docs/index-format.md describes them: its parts, or, of at most kWholeText
/// bytes, what compress_text makes of it. Error: as compress_text.
[[nodiscard]] Result<std::string> encode_text(std::string_view text);

/// The bytes of a stored text, where they are.
struct StoredBytes {
  std::uint64_t size = 0;
  /// Reads the bytes [begin, end), which must exist. The view is valid while `buffer`, which may receive
  /// them, and the stored bytes live.
  std::function<Result<std::string_view>(std::uint64_t begin, std::uint64_t end, std::string& buffer)> read;
};

/// A stored text. Only the parts that are asked for are decompressed. Not thread-safe.
class StoredText {
 public:
  /// A text that was read as a whole.
  explicit StoredText(std::string whole);
  /// `stored`: as encode_text or compress_text made it, which must outlive this. Error: corrupt, naming
  /// `where`, if it is not that of a text of `text_bytes` bytes.
  [[nodiscard]] static Result<StoredText> of(std::string_view stored, std::uint64_t text_bytes,
                                             std::string where);
  /// The same of bytes that it keeps.
  [[nodiscard]] static Result<StoredText> owning(std::string stored, std::uint64_t text_bytes,
                                                 std::string where);
  /// The same, reading only the bytes that are needed. Whatever `stored` refers to must outlive this.
  [[nodiscard]] static Result<StoredText> of(StoredBytes stored, std::uint64_t text_bytes, std::string where);

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// The bytes [begin, end) of the text; they live as long as this. Error: corrupt, as above or if the text
  /// does not have these bytes.
  [[nodiscard]] Result<std::string_view> read(std::uint64_t begin, std::uint64_t end);
  /// The whole text; it lives as long as this.
  [[nodiscard]] Result<std::string_view> read() { return read(0, size_); }
  /// The error for words that are not in the text.
  [[nodiscard]] Error no_such_words() const;
  /// Moves the whole text out.
  [[nodiscard]] Result<std::string> take() &&;

 private:
  struct Part {
    std::uint64_t begin = 0, end = 0;                ///< in the text
    std::uint64_t stored_begin = 0, stored_end = 0;  ///< in what is stored
    bool is_read = false;
  };
  StoredText() = default;
  /// Finds the parts, if there are any.
  [[nodiscard]] Result<void> find_parts();
  /// Reads those parts that are not read yet, in their order, into the text.
  [[nodiscard]] Result<void> read_parts(std::vector<Part*> parts, char* text);
  [[nodiscard]] Result<void> read_whole();
  [[nodiscard]] Error broken() const;

  std::uint64_t size_ = 0;
  std::string where_;
  StoredBytes stored_;
  std::string whole_;  ///< of a text that is not in parts, once it is read
  bool has_whole_ = false;
  std::vector<Part> parts_;       ///< in their order; empty if the text is not in parts
  std::unique_ptr<char[]> text_;  ///< what was read of the parts, in its place
};

}  // namespace akin
