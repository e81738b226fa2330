#include "morph/align/class_filter.h"

namespace akin {

ClassFilter::ClassFilter(std::span<const std::uint64_t> classes) : filter_(classes.size()) {
  for (const std::uint64_t word_class : classes) filter_.add(word_class);
}

std::vector<std::uint8_t> ClassFilter::had_classes(const NumberedWords& b) const {
  std::vector<std::uint8_t> had(b.classes().size());
  for (std::size_t number = 0; number < had.size(); ++number)
    had[number] = may_have(b.classes()[number]) ? 1 : 0;
  return had;
}

std::uint64_t ClassFilter::had_words(const std::vector<std::uint8_t>& had,
                                     std::span<const std::uint32_t> words, std::size_t first) noexcept {
  // Without a branch: which words the text has cannot be predicted.
  const std::size_t count = std::min<std::size_t>(words.size() - first, 64);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) bits |= std::uint64_t{had[words[first + i]]} << i;
  return bits;
}

}  // namespace akin
