#include "dict/read/condition.h"

#include <algorithm>

namespace akin {

std::optional<Condition> Condition::parse(std::u32string_view pattern) {
  Condition condition;
  if (pattern == U".") return condition;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    Element element;
    if (pattern[i] == U'.') {
      element.complement = true;
    } else if (pattern[i] == U'[') {
      const std::size_t end = pattern.find(U']', i);
      if (end == std::u32string_view::npos) return std::nullopt;
      element.complement = pattern[i + 1] == U'^';
      const std::size_t begin = i + 1 + (element.complement ? 1U : 0U);
      element.characters = pattern.substr(begin, end - begin);
      i = end;
    } else {
      element.characters = pattern[i];
    }
    condition.elements_.push_back(std::move(element));
  }
  return condition;
}

void Condition::reverse() { std::reverse(elements_.begin(), elements_.end()); }

bool Condition::holds(const char32_t* first) const noexcept {
  return std::all_of(elements_.begin(), elements_.end(),
                     [&first](const Element& element) { return element.accepts(*first++); });
}

bool Condition::holds_at_end(std::u32string_view word) const noexcept {
  return word.size() >= elements_.size() && holds(word.data() + word.size() - elements_.size());
}

bool Condition::holds_at_begin(std::u32string_view word) const noexcept {
  return word.size() >= elements_.size() && holds(word.data());
}

}  // namespace akin
