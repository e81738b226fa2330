#include "morph/words/window.h"

#include <algorithm>

#include "base/per_thread.h"

namespace akin {
namespace {

constexpr std::size_t kMostSpareLetters = std::size_t{1} << 14;

}  // namespace

Window::Window() noexcept {
  if (Memory* const spare = PerThread<Memory>::find(); spare != nullptr) swap_with(*spare);
}

Window::~Window() {
  Memory* const spare = PerThread<Memory>::find();
  if (spare == nullptr || letters_.size() > kMostSpareLetters) return;
  if (letters_.size() > spare->letters.size()) swap_with(*spare);
}

void Window::swap_with(Memory& spare) noexcept {
  letters_.swap(spare.letters);
  words_.swap(spare.words);
  places_.swap(spare.places);
  pieces_.swap(spare.pieces);
}

void Window::reserve(std::size_t letters) {
  if (letters_.size() >= letters) return;
  letters_.resize(letters);
  words_.resize(letters);
  places_.resize(letters);
  pieces_.resize(letters);
}

void Window::turn_last_word_into_part() noexcept {
  const QuickWord word = words_[--word_count_];
  const WordPlace& place = places_[word_count_];
  const TextRange bytes = place.byte_range();
  put(Piece{.begin = word.begin,
            .end = word.begin + word.size,
            .range = place.range(),
            .byte_begin = bytes.begin,
            .byte_end = bytes.end,
            .kind = CharKind::letter,
            .scripts = scripts_of(word.among(letters())),
            .part = true,
            .on_letter = true});
}

void Window::drop(std::size_t letters, std::size_t words, std::size_t pieces) {
  std::copy(letters_.data() + letters, letters_.data() + letter_count_, letters_.data());
  letter_count_ -= letters;
  for (std::size_t i = words; i < word_count_; ++i) {
    words_[i - words] = words_[i];
    words_[i - words].begin -= static_cast<std::uint32_t>(letters);
  }
  std::copy(places_.data() + words, places_.data() + word_count_, places_.data());
  word_count_ -= words;
  Piece* out = pieces_.data();
  for (std::size_t i = pieces; i < piece_count_; ++i, ++out) {
    *out = pieces_[i];
    out->begin -= static_cast<std::uint32_t>(letters);
    out->end -= static_cast<std::uint32_t>(letters);
    out->words -= static_cast<std::uint32_t>(words);
  }
  piece_count_ -= pieces;
}

}  // namespace akin
