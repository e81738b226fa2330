#include "server/check/marks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "server/check/decision.h"
#include "server/check/letters.h"
#include "server/check/ranges.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

using json::Fields;
using json::Json;

/// What a mark is on: a source, a passage of one, or an exclusion. Numbers count from 1; 0: none.
struct Target {
  std::uint64_t source = 0, passage = 0, exclusion = 0;
  friend bool operator<(const Target& left, const Target& right) {
    return std::tie(left.exclusion, left.source, left.passage) <
           std::tie(right.exclusion, right.source, right.passage);
  }
};

using MarksByTarget = std::map<Target, Json>;

Target target_of(const Json& mark) {
  const auto number = [&](const char* field) { return mark.value(field, std::uint64_t{0}); };
  return {number("source"), number("passage"), number("exclusion")};
}

MarksByTarget by_target(const Json& marks) {
  MarksByTarget sorted;
  for (const Json& mark : marks) sorted.emplace(target_of(mark), mark);
  return sorted;
}

Error wrong(std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, "mark", std::move(reason), std::move(remedy)};
}

Result<Target> read_target(const Json& check, const Fields& fields) {
  constexpr std::uint64_t kMost = 1'000'000;
  Target target;
  for (const auto& [name, place] :
       {std::pair("source", &target.source), std::pair("passage", &target.passage),
        std::pair("exclusion", &target.exclusion)}) {
    AKIN_TRY(const auto number, fields.integer(name, kMost));
    if (number == 0U) return wrong("'" + std::string(name) + "' is 0", "count from 1");
    *place = number.value_or(0);
  }
  if ((target.source == 0) == (target.exclusion == 0) || (target.passage > 0 && target.source == 0))
    return wrong("it is neither on a source, nor on an exclusion",
                 "give 'source', 'source' and 'passage', or 'exclusion'");
  const auto missing = [](const char* what, std::uint64_t number, std::size_t count) {
    return wrong(std::string("the check lists ") + std::to_string(count) + " " + what + ", not " +
                     std::to_string(number),
                 "count the entries of the check from 1");
  };
  const Json& sources = check.at("sources");
  const Json& excluded = check.at("excluded");
  if (target.exclusion > excluded.size()) return missing("exclusions", target.exclusion, excluded.size());
  if (target.source > sources.size()) return missing("sources", target.source, sources.size());
  if (target.passage > 0) {
    const std::size_t passages = sources[target.source - 1].at("passages").size();
    if (target.passage > passages) return missing("passages of this source", target.passage, passages);
  }
  return target;
}

Result<void> take_class(Json& mark, const Fields& fields) {
  if (!fields.has("class")) return {};
  mark["class"] = nullptr;
  if (fields.is_null("class")) return {};
  AKIN_TRY(const auto name, fields.string("class"));
  if (std::ranges::find(kMarkClasses, *name) == kMarkClasses.end()) {
    return wrong(json::in_quotes(*name) + " is not a class",
                 "give one of " + json::quoted_list(kMarkClasses) + ", or null");
  }
  mark["class"] = *name;
  return {};
}

Result<void> take_remark(Json& mark, const Fields& fields) {
  if (!fields.has("remark")) return {};
  AKIN_TRY(const auto remark, fields.string("remark"));
  if (remark->size() > kMaxRemarkBytes) {
    return Error{Errc::too_large, "remark of a mark",
                 "more than " + std::to_string(kMaxRemarkBytes) + " bytes", "shorten it"};
  }
  mark["remark"] = *remark;
  return {};
}

Json empty_mark(const Target& target) {
  Json mark;
  if (target.source > 0) mark["source"] = target.source;
  if (target.passage > 0) mark["passage"] = target.passage;
  if (target.exclusion > 0) mark["exclusion"] = target.exclusion;
  mark["counted"] = nullptr;
  if (target.exclusion == 0) mark["class"] = nullptr;
  mark["remark"] = "";
  return mark;
}

Result<void> merge(const Json& check, MarksByTarget& marks, const Json& change) {
  AKIN_TRY(const Fields fields,
           Fields::read(change, {"source", "passage", "exclusion", "counted", "class", "remark"}, "mark"));
  AKIN_TRY(const Target target, read_target(check, fields));
  Json& mark = marks.try_emplace(target, empty_mark(target)).first->second;
  if (fields.is_null("counted")) {
    mark["counted"] = nullptr;
  } else {
    AKIN_TRY(const auto counted, fields.boolean("counted"));
    if (counted) mark["counted"] = *counted;
  }
  if (target.exclusion > 0 && fields.has("class"))
    return wrong("an exclusion has no class", "give 'counted': true to compare it");
  AKIN_CHECK(take_class(mark, fields));
  AKIN_CHECK(take_remark(mark, fields));
  if (mark == empty_mark(target)) marks.erase(target);
  return {};
}

/// Whether a mark makes its finding count; nothing if it does not say.
std::optional<bool> says(const Json* mark) {
  if (mark == nullptr) return std::nullopt;
  if (const Json& counted = mark->at("counted"); counted.is_boolean()) return counted.get<bool>();
  const Json is = mark->value("class", Json());
  return is.is_string() ? std::optional(is == "borrowing") : std::nullopt;
}

using Ranges = std::vector<TextRange>;

std::uint64_t union_of(const Letters& letters, Ranges& ranges) {
  std::ranges::sort(ranges, {}, &TextRange::begin);
  return letters.count_union(ranges);
}

/// `computed` letters without those only `all` has, with those that `counted` has; at most `most`.
std::uint64_t changed(std::uint64_t computed, std::uint64_t all, std::uint64_t counted, std::uint64_t most) {
  const std::uint64_t sum = computed + counted;
  return std::min(most, sum > all ? sum - all : 0);
}

}  // namespace

Result<Json> merge_marks(const Json& check, const Json& marks, const Json& changes) {
  if (!changes.is_array()) {
    return Error{Errc::invalid_argument, "field 'marks'", "is not an array", "give an array of marks"};
  }
  MarksByTarget merged = by_target(marks);
  for (const Json& change : changes) AKIN_CHECK(merge(check, merged, change));
  Json array = Json::array();
  for (auto& [target, mark] : merged) array.push_back(std::move(mark));
  return array;
}

DecidedMarks::DecidedMarks(const Json& marks) {
  for (const Json& mark : marks) {
    const Target target = target_of(mark);
    marks_.emplace(Place{target.source, std::max(target.passage, target.exclusion)}, &mark);
  }
}

const Json* DecidedMarks::find(const Place& place) const {
  const auto mark = marks_.find(place);
  return mark == marks_.end() ? nullptr : mark->second;
}

bool DecidedMarks::source_counts(std::size_t source) const { return says(of_source(source)).value_or(true); }

bool DecidedMarks::passage_counts(std::size_t source, std::size_t passage) const {
  return says(of_passage(source, passage)).value_or(source_counts(source));
}

bool DecidedMarks::is_compared_after_all(std::size_t exclusion) const {
  return says(of_exclusion(exclusion)).value_or(false);
}

DecidedShares decided_shares(const Json& check, std::string_view text, const Json& given) {
  const Json& letters = check.at("letters");
  const DecidedMarks marks(given);
  Ranges excluded, still_excluded;
  for (std::size_t i = 0; i < check.at("excluded").size(); ++i) {
    const TextRange range = json::read_range(check.at("excluded")[i].at("range"));
    excluded.push_back(range);
    if (!marks.is_compared_after_all(i + 1)) still_excluded.push_back(range);
  }
  const Letters whole(text);
  const Letters rest = whole.without(excluded), rest_now = whole.without(still_excluded);
  DecidedShares shares;
  shares.compared = letters.at("compared").get<std::uint64_t>() + rest_now.count() - rest.count();
  Ranges all, counted;
  for (std::size_t i = 0; i < check.at("sources").size(); ++i) {
    const Json& source = check.at("sources")[i];
    Ranges of_source, counted_of_source;
    for (std::size_t j = 0; j < source.at("passages").size(); ++j) {
      const Json& passage = source.at("passages")[j];
      Ranges gaps;
      for (const Json& gap : passage.value("gaps", Json::array())) gaps.push_back(json::read_range(gap));
      append_without(json::read_range(passage.at("a")), gaps, of_source);
      if (marks.passage_counts(i + 1, j + 1))
        append_without(json::read_range(passage.at("a")), gaps, counted_of_source);
    }
    const bool nothing = !marks.source_counts(i + 1) && counted_of_source.empty();
    const std::uint64_t now = changed(source.at("letters").get<std::uint64_t>(), union_of(rest, of_source),
                                      union_of(rest_now, counted_of_source), shares.compared);
    shares.sources.push_back(nothing ? 0.0 : ratio(now, shares.compared));
    all.insert(all.end(), of_source.begin(), of_source.end());
    counted.insert(counted.end(), counted_of_source.begin(), counted_of_source.end());
  }
  shares.found = changed(letters.at("found").get<std::uint64_t>(), union_of(rest, all),
                         union_of(rest_now, counted), shares.compared);
  shares.share = ratio(shares.found, shares.compared);
  return shares;
}

}  // namespace akin::check
