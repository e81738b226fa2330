#include "morph/words/letter_segmentation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "base/built_in_list.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace akin {

namespace {

constexpr std::size_t kMaxLetters = 30;

/// Short words of which texts are full, folded.
constexpr BuiltInList kShortWordFiles[] = {
#include "morph/short_words.inc"
};

const std::set<std::u32string, std::less<>>& short_words() {
  static const std::set<std::u32string, std::less<>> kWords = [] {
    std::set<std::u32string, std::less<>> words;
    for (const BuiltInList& file : kShortWordFiles) {
      std::istringstream content{std::string(file.content)};
      for (std::string word; content >> word;) words.insert(to_utf32(word));
    }
    return words;
  }();
  return kWords;
}

/// Of a word in the table. By length, as more words are longer than these.
std::uint32_t cost_of_word(std::u32string_view word) {
  constexpr std::size_t kShort = 3;
  constexpr std::uint32_t kListed = 10, kListedLetter = 7, kUnlisted = 15, kUnlistedLetter = 30;
  constexpr std::array<std::uint32_t, 4> kOfFour = {13, 12, 11, 10};
  if (word.size() <= kShort) {
    const bool listed = short_words().contains(word);
    if (word.size() == 1) return listed ? kListedLetter : kUnlistedLetter;
    return listed ? kListed : kUnlisted;
  }
  constexpr std::uint32_t kLong = 9;
  const std::size_t index = word.size() - kShort - 1;
  return index < kOfFour.size() ? kOfFour.at(index) : kLong;
}

std::uint32_t cost_of_unknown(std::size_t letters) {
  constexpr std::uint32_t kBegun = 24, kLetter = 4;
  return kBegun + kLetter * static_cast<std::uint32_t>(letters);
}

/// The best way to cut the letters from one place on.
struct Way {
  std::uint32_t cost = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t squares = 0;  ///< of the words' lengths
  std::size_t next = 0;       ///< where the second word begins
};

}  // namespace

std::vector<std::size_t> segment_letters(const Dictionary& dictionary, std::u32string_view letters,
                                         std::span<const std::size_t> begins) {
  const std::size_t count = begins.size();
  std::vector<Way> ways(count + 1);
  ways[count] = {.cost = 0, .squares = 0, .next = count};
  const auto begin_of = [&](std::size_t i) { return i < count ? begins[i] : letters.size(); };
  for (std::size_t i = count; i-- > 0;) {
    SpellingHash hash;
    for (std::size_t end = i + 1; end <= count && (end == i + 1 || begin_of(end) - begins[i] <= kMaxLetters);
         ++end) {
      for (std::size_t at = begin_of(end - 1); at < begin_of(end); ++at) hash.add(letters[at]);
      const std::u32string_view word = letters.substr(begins[i], begin_of(end) - begins[i]);
      const bool listed = dictionary.has_form(hash.value());
      const std::uint32_t cost =
          (listed ? cost_of_word(word) : cost_of_unknown(word.size())) + ways[end].cost;
      const std::uint64_t squares = std::uint64_t{word.size()} * word.size() + ways[end].squares;
      if (cost < ways[i].cost || (cost == ways[i].cost && squares > ways[i].squares))
        ways[i] = {cost, squares, end};
    }
  }
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < count; i = ways[i].next) ends.push_back(ways[i].next);
  return ends;
}

}  // namespace akin
