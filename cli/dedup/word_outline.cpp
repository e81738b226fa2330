#include "cli/dedup/word_outline.h"

#include <algorithm>
#include <bit>

namespace akin::dedup {

namespace {

constexpr std::size_t kBits = 64;         ///< of a number
constexpr std::size_t kBitsPerClass = 8;  ///< up to twice as many; fewer if a text has 8,000 classes
constexpr std::size_t kMostBits = 65'536;

}  // namespace

WordOutline::WordOutline(const NumberedWords& words) {
  words_.reserve(words.size());
  for (std::size_t word = 0; word < words.size(); ++word)
    words_.push_back(static_cast<std::uint16_t>(words[word]));
  const std::size_t bits =
      std::bit_ceil(std::clamp(kBitsPerClass * words.classes().size(), kBits, kMostBits));
  classes_.resize(bits / kBits);
  for (const std::uint64_t of_word : words.classes()) {
    const std::size_t bit = of_word & (bits - 1);
    classes_[bit / kBits] |= std::uint64_t{1} << bit % kBits;
  }
}

std::size_t WordOutline::at_most_in(const WordOutline& other, std::size_t step) const noexcept {
  const std::uint64_t* const classes = other.classes_.data();
  const std::size_t mask = kBits * other.classes_.size() - 1;
  std::size_t found = 0;
  for (std::size_t word = 0; word < words_.size(); word += step) {
    const std::size_t bit = words_[word] & mask;
    found += classes[bit / kBits] >> bit % kBits & 1U;
  }
  return found;
}

std::size_t WordOutline::bytes() const noexcept {
  return sizeof *this + words_.capacity() * sizeof words_[0] + classes_.capacity() * sizeof classes_[0];
}

}  // namespace akin::dedup
