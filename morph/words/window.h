// A window over a paragraph for the sentence and word rules: folded letters, and the words and marks among
// them. Plain words, which are most of a text, are apart from all other pieces: no rule but those of
// sentences concerns them, so they are looked up and counted many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "dict/dictionary.h"
#include "dict/fold/characters.h"

namespace akin {

/// Where a plain word is in the text: a word without a hyphen, of one script, whose letters are completely
/// folded.
struct WordPlace {
  std::uint32_t code_point = 0, byte = 0;    ///< of its first character
  std::uint16_t code_points = 0, bytes = 0;  ///< its length
  [[nodiscard]] TextRange range() const noexcept { return {code_point, code_point + code_points}; }
  [[nodiscard]] TextRange byte_range() const noexcept { return {byte, byte + bytes}; }
};

/// A run of word characters without a hyphen, or one other character; neither plain words nor white space
/// make pieces.
struct Piece {
  std::uint32_t begin = 0, end = 0;  ///< in the window's letters
  std::uint32_t words = 0;           ///< number of the window's plain words before it
  TextRange range;
  std::uint32_t byte_begin = 0, byte_end = 0;
  CharKind kind = CharKind::other;  ///< of a mark; of a part: letter, or solo
  std::uint8_t scripts = kNoScript;
  bool part = false;               ///< of a word
  bool zero_width = false;         ///< ignorable characters were inside
  bool unmasked = false;           ///< look-alikes of another script were exchanged
  bool on_letter = false;          ///< its last letter or digit is a letter
  bool after_hyphen = false;       ///< a hyphen (and white space) between two letters was removed before it
  bool before_hyphen = false;      ///< the same after it
  bool after_soft_hyphen = false;  ///< after_hyphen, and the hyphen was a soft one
};

/// Letters, plain words and pieces, with room for more: readers append at the end, and what is finished is
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
  [[nodiscard]] std::span<const QuickWord> words() const noexcept { return {words_.data(), word_count_}; }
  [[nodiscard]] std::span<const WordPlace> places() const noexcept { return {places_.data(), word_count_}; }
  [[nodiscard]] std::size_t piece_count() const noexcept { return piece_count_; }
  [[nodiscard]] const Piece& piece(std::size_t i) const noexcept { return pieces_[i]; }

  void clear() noexcept { letter_count_ = word_count_ = piece_count_ = 0; }
  /// Makes room for this many letters in all, each of which may be a word or a piece.
  void reserve(std::size_t letters);
  /// Drops the first `letters`, `words` and `pieces`. Requires that the others are in the letters kept.
  void drop(std::size_t letters, std::size_t words, std::size_t pieces);

  // For readers, which fill the window; there must be room.
  [[nodiscard]] char32_t* letters_end() noexcept { return letters_.data() + letter_count_; }
  [[nodiscard]] QuickWord* words_end() noexcept { return words_.data() + word_count_; }
  [[nodiscard]] WordPlace* places_end() noexcept { return places_.data() + word_count_; }
  [[nodiscard]] Piece* pieces_end() noexcept { return pieces_.data() + piece_count_; }
  /// Takes what was written up to these ends, with a place for each word.
  void grow_to(const char32_t* letters_end, const QuickWord* words_end, const Piece* pieces_end) noexcept {
    letter_count_ = static_cast<std::size_t>(letters_end - letters_.data());
    word_count_ = static_cast<std::size_t>(words_end - words_.data());
    piece_count_ = static_cast<std::size_t>(pieces_end - pieces_.data());
  }
  void put(char32_t letter) noexcept { letters_[letter_count_++] = letter; }
  /// Sets Piece::words.
  void put(const Piece& piece) noexcept {
    pieces_[piece_count_] = piece;
    pieces_[piece_count_++].words = static_cast<std::uint32_t>(word_count_);
  }
  /// Makes a part of the last plain word, which ends with a letter. No piece is after it.
  void turn_last_word_into_part() noexcept;
  void drop_last_piece() noexcept { --piece_count_; }
  [[nodiscard]] char32_t& letter(std::size_t i) noexcept { return letters_[i]; }
  [[nodiscard]] Piece& piece(std::size_t i) noexcept { return pieces_[i]; }

 private:
  struct Memory {
    std::vector<char32_t> letters;
    std::vector<QuickWord> words;
    std::vector<WordPlace> places;
    std::vector<Piece> pieces;
  };
  void swap_with(Memory& spare) noexcept;

  // The first letter_count_, word_count_ and piece_count_ are the window.
  std::vector<char32_t> letters_;
  std::vector<QuickWord> words_;
  std::vector<WordPlace> places_;  // of words_
  std::vector<Piece> pieces_;
  std::size_t letter_count_ = 0, word_count_ = 0, piece_count_ = 0;
};

}  // namespace akin
