#include "tests/experiments/fragments.h"

#include <algorithm>

namespace akin::experiments {

std::string_view cut_fragment(std::string_view text, const FragmentSizes& sizes, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto aligned = [&](std::size_t at) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    return at;
  };
  const std::size_t longest = std::min(sizes.longest, text.size());
  const std::size_t size = sizes.shortest + below(longest - sizes.shortest + 1);
  const std::size_t begin = aligned(below(text.size() - size + 1));
  return text.substr(begin, aligned(std::min(begin + size, text.size())) - begin);
}

}  // namespace akin::experiments
