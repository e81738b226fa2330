#include "extract/html/direction_marks.h"

namespace akin::extract {

std::string_view DirectionMarks::begin(std::size_t depth, const Said& said) {
  if (!said.leftward && !said.overrides) return {};
  const bool around = !open_.empty() && open_.back().leftward;
  const bool leftward = said.leftward.value_or(around);
  const bool marked = said.overrides && (leftward || reversed_ > 0);
  open_.push_back({depth, leftward, marked});
  if (!marked) return {};
  reversed_ += leftward ? 1 : 0;
  return leftward ? "\u202e" : "\u202d";
}

std::string_view DirectionMarks::end(std::size_t depth) {
  if (open_.empty() || open_.back().depth != depth) return {};
  const Open ended = open_.back();
  open_.pop_back();
  if (!ended.marked) return {};
  if (ended.leftward) --reversed_;
  // An override ends where another begins; the one around continues.
  return reversed_ > 0 ? "\u202c\u202e" : "\u202c";
}

}  // namespace akin::extract
