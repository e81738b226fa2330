#include "morph/text/window.h"

#include <algorithm>

namespace akin {
namespace {

constexpr std::size_t kMostSpareLetters = std::size_t{1} << 14;

}  // namespace

Window::Memory& Window::spare() noexcept {
  static thread_local Memory memory;
  return memory;
}

Window::Window() noexcept {
  letters_.swap(spare().letters);
  pieces_.swap(spare().pieces);
}

Window::~Window() {
  if (letters_.size() > kMostSpareLetters || letters_.size() <= spare().letters.size()) return;
  letters_.swap(spare().letters);
  pieces_.swap(spare().pieces);
}

void Window::reserve(std::size_t letters) {
  if (letters_.size() >= letters) return;
  letters_.resize(letters);
  pieces_.resize(letters);
}

void Window::drop(std::size_t letters, std::size_t pieces) {
  std::copy(letters_.data() + letters, letters_.data() + letter_count_, letters_.data());
  letter_count_ -= letters;
  Piece* out = pieces_.data();
  for (std::size_t i = pieces; i < piece_count_; ++i, ++out) {
    *out = pieces_[i];
    out->begin -= static_cast<std::uint32_t>(letters);
    out->end -= static_cast<std::uint32_t>(letters);
  }
  piece_count_ -= pieces;
}

}  // namespace akin
