// The rules that judge a pair of documents without training.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "server/judge/criteria.h"

namespace akin::judge {

enum class Rule : std::uint8_t {
  event,      ///< both report the same event, or B has A's sentences: the larger of the two shares
  sentences,  ///< B has A's sentences: Criterion::sentences
};

/// "event" …; error: invalid_argument (lists them).
[[nodiscard]] Result<Rule> parse_rule(std::string_view name);

/// The criteria of the rule `event`. All count the same: weights fitted to labelled news gain nothing on
/// pairs that are held out (docs/methods.md).
inline constexpr std::array kEventCriteria{Criterion::headline, Criterion::subject, Criterion::mentions,
                                           Criterion::words, Criterion::trigrams};

/// Two documents with at least so many distinct numbers each, and none in common, are two fillings of one
/// form, such as weather bulletins: Criterion::event is multiplied by kFormShare.
inline constexpr std::size_t kNumbersOfForm = 3;
/// So are two with this cosine of trigrams and at least two distinct numbers each, if half of A's are not
/// among B's, or if they are the same and most of A's sentences have them in another order than B's:
/// exchange rates of another day, a set or a match won 6:4 or 4:6.
inline constexpr double kFormTrigrams = 0.7;
inline constexpr double kFormShare = 0.4;

/// The larger of Criterion::sentences and the mean of those of kEventCriteria that are defined:
/// Criterion::event without kFormShare; NaN if neither is.
[[nodiscard]] double event_score(const CriteriaValues& values) noexcept;

/// The score of a pair by a rule, in [0, 1]; 0 if its criteria are undefined.
[[nodiscard]] double rule_score(Rule rule, const CriteriaValues& values) noexcept;

/// From this score on, a rule says yes, unless another threshold is given.
inline constexpr double kRuleThreshold = 0.5;

}  // namespace akin::judge
