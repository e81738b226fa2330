// Words between the words of a text: those of another look, which a reader may not see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace akin::extract {

/// Finds where words of one look alternate with others for a dozen turns of a paragraph or more, two or three
/// words at a turn. Links and names in a text do so for less, glossaries and lists after marks or in lines.
/// Words whose letters have several looks (chemistry, stress) make no turn, nor do letters alone (formulas).
class InterleavedText {
 public:
  /// The next text of the paragraph; `look`: equal for letters that look alike.
  void take(std::size_t look, std::string_view utf8);
  void end_line();
  void end_paragraph();

  /// Code points of what alternates, up to the last end of a paragraph.
  [[nodiscard]] std::uint64_t characters() const noexcept { return characters_; }
  /// The beginning of the first such paragraph.
  [[nodiscard]] const std::string& sample() const noexcept { return sample_; }

 private:
  /// Words of one look in a row.
  struct Turn {
    std::size_t look = 0, words = 0, begin = 0;
    bool is_after_mark = false;
  };

  void end_word();
  void end_turn();
  void end_chain();

  Turn turn_;
  std::size_t place_ = 0;                                ///< code points of the paragraph before the next
  std::size_t letters_ = 0, look_ = 0, word_begin_ = 0;  ///< of the word
  bool mixed_ = false;                                   ///< the word has letters of several looks
  bool marked_ = false;                                  ///< a mark or the end of a line is before it
  std::size_t turns_ = 0, words_ = 0, after_marks_ = 0, begin_ = 0;  ///< of the chain
  std::array<std::size_t, 2> looks_{};                               ///< of its first two turns
  std::array<bool, 2> constant_{};                                   ///< whether every second turn has them
  std::string paragraph_, sample_;
  std::uint64_t characters_ = 0;
};

}  // namespace akin::extract
