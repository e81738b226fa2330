// A long text in parts that are scanned at the same time.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "morph/normalize/arrangement.h"
#include "morph/words/scanner.h"
#include "morph/words/stretch_scan.h"

namespace akin {

/// A text that is divided between paragraphs, where the scan of what follows does not depend on what came
/// before. Immutable.
class TextParts {
 public:
  /// Divides a text into parts of at least so many bytes; into fewer, or not at all, where it has no blank
  /// lines. The text must outlive the result. Errors: as scan_text.
  [[nodiscard]] static Result<TextParts> of(std::string_view utf8, std::size_t least_bytes);

  /// At least 1.
  [[nodiscard]] std::size_t size() const noexcept { return begins_.size(); }
  /// Bytes of a part, in the copy if the text is arranged.
  [[nodiscard]] std::size_t bytes(std::size_t part) const noexcept;
  /// Passes a part's sentences to `sink`: those of all parts in their order are those that scan_text passes.
  /// May be called for several parts at once. As scan_stretch, it passes fewer once the work is stopped.
  void scan(std::size_t part, const Dictionary& dictionary, SentenceSink& sink) const;

 private:
  explicit TextParts(std::string_view utf8) : original_(utf8), arrangement_(Arrangement::of(utf8)) {}
  [[nodiscard]] std::string_view text() const noexcept {
    return arrangement_ ? arrangement_->text() : original_;
  }
  void divide(std::size_t least_bytes);

  std::string_view original_;
  std::optional<Arrangement> arrangement_;
  std::vector<StretchBegin> begins_;
};

}  // namespace akin
