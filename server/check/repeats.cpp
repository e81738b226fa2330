#include "server/check/repeats.h"

#include <unordered_map>

namespace akin::check {

namespace {

/// The hashes of all windows of some words, each from the one before (Karp and Rabin 1987, modulo 2^64).
class Windows {
 public:
  Windows(const std::vector<std::uint64_t>& words, std::size_t size) : words_(words), size_(size) {
    for (std::size_t i = 1; i < size; ++i) highest_ *= kFactor;
    for (std::size_t i = 0; i < size; ++i) hash_ = hash_ * kFactor + words_[i];
  }

  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
  /// Moves from the window that begins with this word to the next one.
  void move(std::size_t from) { hash_ = (hash_ - words_[from] * highest_) * kFactor + words_[from + size_]; }

 private:
  static constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;

  const std::vector<std::uint64_t>& words_;
  std::size_t size_;
  std::uint64_t hash_ = 0, highest_ = 1;
};

/// How many words the places have in common before the second one's or the text's end.
std::size_t common_run(const std::vector<std::uint64_t>& words, std::size_t first, std::size_t again) {
  std::size_t length = 0;
  while (again + length < words.size() && first + length < again &&
         words[first + length] == words[again + length])
    ++length;
  return length;
}

}  // namespace

std::vector<Repeat> find_repeats(const WordSequence& words, std::size_t least) {
  std::vector<Repeat> repeats;
  const std::vector<std::uint64_t>& classes = words.classes;
  if (classes.size() < 2 * least) return repeats;
  std::unordered_map<std::uint64_t, std::size_t> seen;  // the first window with the hash
  Windows windows(classes, least);
  std::size_t end_of_last = 0;
  for (std::size_t at = 0;; ++at) {
    const auto [place, is_new] = seen.emplace(windows.hash(), at);
    const std::size_t length =
        is_new || at + least <= end_of_last ? 0 : common_run(classes, place->second, at);
    if (length >= least && at + length > end_of_last) {
      const auto stretch = [&](std::size_t begin) {
        return TextRange{words.ranges[begin].begin, words.ranges[begin + length - 1].end};
      };
      repeats.push_back({stretch(place->second), stretch(at), length});
      end_of_last = at + length;
    }
    if (at + least >= classes.size()) return repeats;
    windows.move(at);
  }
}

}  // namespace akin::check
