#include "morph/normalize/broken_words.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {

namespace {

/// A line break between two lines that are not empty.
struct LineBreak {
  std::size_t begin = 0, end = 0;  ///< bytes
};

bool is_letter_at(std::string_view utf8, std::size_t at) {
  return CharTable::instance()[next_code_point(utf8, at)].kind() == CharKind::letter;
}

class LineBreaks {
 public:
  explicit LineBreaks(std::string_view utf8) : text_(utf8) {}

  std::optional<LineBreak> next() {
    for (;;) {
      const std::size_t feed = text_.find('\n', at_);
      if (feed == std::string_view::npos) return std::nullopt;
      at_ = feed + 1;
      const std::size_t begin = feed > 0 && text_[feed - 1] == '\r' ? feed - 1 : feed;
      const bool after_line = begin > 0 && text_[begin - 1] != '\n';
      if (after_line && at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r')
        return LineBreak{begin, at_};
    }
  }

  /// Whether a hyphen after a letter comes before the break, and a letter after it.
  [[nodiscard]] bool divides_word(const LineBreak& one) const {
    if (one.begin < 2 || text_[one.begin - 1] != '-' || !is_letter_at(text_, one.end)) return false;
    std::size_t before = one.begin - 1;
    do --before;
    while (before > 0 && (static_cast<unsigned char>(text_[before]) & 0xc0U) == 0x80U);
    return is_letter_at(text_, before);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool has_broken_words(std::string_view utf8) {
  LineBreaks breaks(utf8);
  std::size_t all = 0, dividing = 0, end = 0;
  for (auto one = breaks.next(); one && all < kBreaksLookedAt; one = breaks.next(), ++all) {
    dividing += breaks.divides_word(*one) ? 1 : 0;
    end = one->end;
  }
  if (dividing < kLeastBroken || 2 * dividing < all) return false;
  const std::string_view seen = utf8.substr(0, all < kBreaksLookedAt ? utf8.size() : end);
  return kBlanksPerBroken * dividing >= static_cast<std::size_t>(std::ranges::count(seen, ' '));
}

}  // namespace

void find_broken_words(std::string_view utf8, std::vector<ArrivalEdit>& edits) {
  if (!has_broken_words(utf8)) return;
  LineBreaks breaks(utf8);
  while (const auto one = breaks.next())
    if (breaks.divides_word(*one))
      edits.push_back({static_cast<std::uint32_t>(one->begin - 1), static_cast<std::uint32_t>(one->end), ""});
}

}  // namespace akin
