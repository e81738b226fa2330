#include "dict/read/affix.h"

#include <algorithm>

namespace akin {

void RuleSet::index() {
  std::stable_sort(rules_.begin(), rules_.end(),
                   [](const AffixRule& a, const AffixRule& b) { return a.flag < b.flag; });
  edges_.reserve(rules_.size());
  for (const AffixRule& rule : rules_) {
    char32_t edge = kind_ == AffixKind::suffix ? rule.condition.last_letter() : rule.condition.first_letter();
    if (!rule.strip.empty()) edge = kind_ == AffixKind::suffix ? rule.strip.back() : rule.strip.front();
    edges_.push_back(edge);
  }
  begin_.assign(std::size_t{0x10000} + 1, 0);
  for (const AffixRule& rule : rules_) ++begin_[rule.flag + std::size_t{1}];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

bool has_flag(std::span<const Flag> sorted, Flag flag) noexcept {
  return flag != 0 && std::binary_search(sorted.begin(), sorted.end(), flag);
}

}  // namespace akin
