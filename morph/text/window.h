// A window over a paragraph for the sentence and word rules: folded letters, and the words and marks among
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "dict/fold/characters.h"

namespace akin {

/// A run of word characters without a hyphen, or one other character; white space does not make a piece.
struct Piece {
  std::uint64_t key = 0;             ///< QuickWord::key of a plain part
  std::uint32_t begin = 0, end = 0;  ///< in the window's letters
  TextRange range;
  std::uint32_t byte_begin = 0, byte_end = 0;
  CharKind kind = CharKind::other;  ///< of a mark; of a part: letter, or solo
  std::uint8_t scripts = kNoScript;
  bool part = false;               ///< of a word
  bool plain = false;              ///< the part's letters are completely folded and have a key
  bool zero_width = false;         ///< ignorable characters were inside
  bool unmasked = false;           ///< look-alikes of another script were exchanged
  bool on_letter = false;          ///< its last letter or digit is a letter
  bool after_hyphen = false;       ///< a hyphen (and white space) between two letters was removed before it
  bool before_hyphen = false;      ///< the same after it
  bool after_soft_hyphen = false;  ///< after_hyphen, and the hyphen was a soft one
};

/// Letters and pieces, with room for more: readers append at the end, and finished letters and pieces are
/// dropped at the start. A thread keeps the memory of its last window, unless it is large, for the next one:
/// most texts are short, and making room costs more than reading them.
class Window {
 public:
  Window() noexcept;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  [[nodiscard]] std::u32string_view letters() const noexcept { return {letters_.data(), letter_count_}; }
  [[nodiscard]] std::size_t size() const noexcept { return letter_count_; }
  [[nodiscard]] std::size_t piece_count() const noexcept { return piece_count_; }
  [[nodiscard]] const Piece& piece(std::size_t i) const noexcept { return pieces_[i]; }

  void clear() noexcept { letter_count_ = piece_count_ = 0; }
  /// Makes room for this many letters in all, each of which may be a piece.
  void reserve(std::size_t letters);
  /// Drops the first `letters` and the first `pieces`. Requires that the other pieces are in the letters
  /// kept.
  void drop(std::size_t letters, std::size_t pieces);

  // For readers, which fill the window; there must be room.
  [[nodiscard]] char32_t* letters_end() noexcept { return letters_.data() + letter_count_; }
  [[nodiscard]] Piece* pieces_end() noexcept { return pieces_.data() + piece_count_; }
  void grow_to(const char32_t* letters_end, const Piece* pieces_end) noexcept {
    letter_count_ = static_cast<std::size_t>(letters_end - letters_.data());
    piece_count_ = static_cast<std::size_t>(pieces_end - pieces_.data());
  }
  void put(char32_t letter) noexcept { letters_[letter_count_++] = letter; }
  void put(const Piece& piece) noexcept { pieces_[piece_count_++] = piece; }
  void drop_last_piece() noexcept { --piece_count_; }
  [[nodiscard]] char32_t& letter(std::size_t i) noexcept { return letters_[i]; }
  [[nodiscard]] Piece& piece(std::size_t i) noexcept { return pieces_[i]; }

 private:
  struct Memory {
    std::vector<char32_t> letters;
    std::vector<Piece> pieces;
  };
  static Memory& spare() noexcept;

  std::vector<char32_t> letters_;  // the first letter_count_ are the window
  std::vector<Piece> pieces_;
  std::size_t letter_count_ = 0, piece_count_ = 0;
};

}  // namespace akin
