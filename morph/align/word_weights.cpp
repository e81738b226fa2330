#include "morph/align/word_weights.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

enum class WordKind : std::uint8_t { word, letter, number };

struct MarkReading {
  WordKind kind = WordKind::word;
  std::uint64_t value = 0;
  std::uint64_t shift = 1;    ///< 10 to the number of its digits
  bool digits_alone = false;  ///< and not more than kMostDigits
};

/// A number of more digits is like a word.
constexpr std::size_t kMostDigits = 9;
/// A larger one is not joined with the next, so that the joined one fits.
constexpr std::uint64_t kMostJoined = 1'000'000'000;
constexpr std::size_t kMostMarkCharacters = 3;

/// The value of a Roman number from 2 to 39; nothing for other words, and for single letters.
std::optional<std::uint64_t> roman_number(std::string_view word) {
  static constexpr std::array<std::string_view, 10> kOnes = {"",  "i",  "ii",  "iii",  "iv",
                                                             "v", "vi", "vii", "viii", "ix"};
  if (word.size() < 2 || word.size() > 7) return std::nullopt;
  std::array<char, 7> lower{};
  for (std::size_t i = 0; i < word.size(); ++i) lower[i] = static_cast<char>(word[i] | 0x20);
  std::string_view rest(lower.data(), word.size());
  std::uint64_t tens = 0;
  for (; tens < 3 && rest.starts_with('x'); ++tens) rest.remove_prefix(1);
  const auto ones = std::ranges::find(kOnes, rest);
  if (ones == kOnes.end()) return std::nullopt;
  return 10 * tens + static_cast<std::uint64_t>(ones - kOnes.begin());
}

MarkReading read_mark(std::string_view word) {
  std::size_t letters = 0, digits = 0;
  std::uint64_t number = 0, shift = 1;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_code_point(word, at);
    switch (CharTable::instance()[c].kind()) {
      case CharKind::solo:
        return {};
      case CharKind::letter:
        ++letters;
        break;
      case CharKind::digit: {
        if (++digits > kMostDigits) break;
        const std::int32_t value = u_charDigitValue(static_cast<UChar32>(c));
        shift *= 10;
        number = 10 * number + static_cast<std::uint64_t>(std::max(value, 0));
        break;
      }
      default:
        break;
    }
  }
  if (digits == 0) {
    if (letters == 1) return {.kind = WordKind::letter};
    const auto value = roman_number(word);
    return value ? MarkReading{.kind = WordKind::number, .value = *value} : MarkReading{};
  }
  if (letters > 0 && letters + digits > kMostMarkCharacters) return {};
  if (digits > kMostDigits) return {};
  return {WordKind::number, number, shift, letters == 0};
}

/// What the numbers before one say about it.
class LastNumbers {
 public:
  /// The weight of the next number.
  std::uint8_t take(std::uint64_t number) {
    std::uint64_t nearest = count_ == 0 ? number : distance(number, last_[0]);
    for (std::size_t i = 1; i < count_; ++i) nearest = std::min(nearest, distance(number, last_[i]));
    if (count_ > 1) nearest = std::min(nearest, distance(number + last_[1], 2 * last_[0]));
    std::ranges::copy_backward(last_.begin(), last_.end() - 1, last_.end());
    last_[0] = number;
    count_ = std::min(count_ + 1, last_.size());
    return nearest < 10 ? 0 : nearest < 100 ? 1 : nearest < 1000 ? 2 : WordWeights::kWord;
  }

 private:
  static std::uint64_t distance(std::uint64_t one, std::uint64_t other) noexcept {
    return one < other ? other - one : one - other;
  }

  std::array<std::uint64_t, 4> last_{};  ///< the last one first
  std::size_t count_ = 0;
};

/// Whether exactly a point or comma is between two words.
bool are_joined(std::string_view text, TextRange one, TextRange next) {
  return one.end + 1 == next.begin && (text[one.end] == '.' || text[one.end] == ',');
}

std::vector<MarkReading> read_marks(std::string_view text, std::span<const TextRange> bytes) {
  std::vector<MarkReading> readings;
  readings.reserve(bytes.size());
  // Words of a text that is stored backwards may end before they begin.
  for (const TextRange& word : bytes) {
    readings.push_back(word.begin <= word.end ? read_mark(text.substr(word.begin, word.end - word.begin))
                                              : MarkReading{});
  }
  return readings;
}

}  // namespace

WordWeights::WordWeights(std::string_view text, const WordSequence& words) : weights_(words.bytes.size()) {
  std::vector<MarkReading> readings = read_marks(text, words.bytes);
  LastNumbers numbers;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const MarkReading& one = readings[i];
    if (one.kind == WordKind::letter) continue;
    if (one.kind != WordKind::number) {
      weights_[i] = kWord;
      continue;
    }
    const bool goes_on = one.digits_alone && i + 1 < readings.size() && readings[i + 1].digits_alone &&
                         one.value < kMostJoined && are_joined(text, words.bytes[i], words.bytes[i + 1]);
    if (goes_on) {
      readings[i + 1].value += one.value * readings[i + 1].shift;
    } else {
      weights_[i] = numbers.take(one.value);
    }
  }
}

bool WordWeights::reach(unsigned least, std::span<const WordRange> ranges,
                        std::span<const std::uint64_t> classes) const {
  if (weights_.empty()) return true;
  std::vector<std::uint64_t> counted;
  unsigned weight = 0;
  for (const WordRange& range : ranges) {
    for (std::size_t word = range.begin; word < range.end; ++word) {
      if (weight >= least) return true;
      if (weights_[word] == kWord) {
        if (std::ranges::find(counted, classes[word]) != counted.end()) continue;
        counted.push_back(classes[word]);
      }
      weight += weights_[word];
    }
  }
  return weight >= least;
}

}  // namespace akin
