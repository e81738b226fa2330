#include "server/judge/rule.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "server/judge/measures.h"

namespace akin::judge {

namespace {

double or_zero(double value) noexcept { return std::isnan(value) ? 0.0 : value; }

}  // namespace

Result<Rule> parse_rule(std::string_view name) {
  if (name == "event") return Rule::event;
  if (name == "sentences") return Rule::sentences;
  return Error{Errc::invalid_argument, "rule '" + std::string(name) + "'", "does not exist",
               "choose event or sentences"};
}

double event_score(const CriteriaValues& values) noexcept {
  double sum = 0;
  double defined = 0;
  for (const Criterion criterion : kEventCriteria) {
    const double value = values[index_of(criterion)];
    if (std::isnan(value)) continue;
    sum += value;
    defined += 1;
  }
  const double sentences = values[index_of(Criterion::sentences)];
  if (defined == 0) return sentences;
  return std::isnan(sentences) ? sum / defined : std::max(sentences, sum / defined);
}

double rule_score(Rule rule, const CriteriaValues& values) noexcept {
  return or_zero(values[index_of(rule == Rule::sentences ? Criterion::sentences : Criterion::event)]);
}

}  // namespace akin::judge
