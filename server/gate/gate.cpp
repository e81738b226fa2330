#include "server/gate/gate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::gate {

namespace {

using json::Fields;

template <class Value>
using Named = std::pair<std::string_view, Value>;

constexpr std::array kMeasures = {
    Named<Measure>{"sorensen", Measure::sorensen},       Named<Measure>{"resemblance", Measure::resemblance},
    Named<Measure>{"containment", Measure::containment}, Named<Measure>{"contained", Measure::contained},
    Named<Measure>{"either", Measure::either},           Named<Measure>{"words", Measure::words}};
constexpr std::array kActions = {Named<Action>{"refuse", Action::refuse},
                                 Named<Action>{"group", Action::group}};
constexpr std::array kSurvivors = {Named<Survivor>{"first", Survivor::first},
                                   Named<Survivor>{"longer", Survivor::longer},
                                   Named<Survivor>{"containing", Survivor::containing}};

template <class Value>
Result<Value> find_named(std::span<const Named<Value>> all, std::string_view field, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named<Value>::first);
  if (found != all.end()) return found->second;
  std::string names;
  for (const auto& [known, value] : all) names += (names.empty() ? "" : ", ") + std::string(known);
  return Error{Errc::invalid_argument, std::string(field), json::in_quotes(name) + " is not known",
               "give one of " + names};
}

template <class Value>
std::string_view name_of(std::span<const Named<Value>> all, Value value) {
  return std::ranges::find(all, value, &Named<Value>::second)->first;
}

constexpr std::uint64_t kMaxCharacters = 0xffffffffU;

}  // namespace

double similarity(Measure measure, const Overlap& overlap) noexcept {
  switch (measure) {
    case Measure::sorensen:
    case Measure::words:
      return overlap.sorensen();
    case Measure::resemblance:
      return overlap.resemblance();
    case Measure::containment:
      return overlap.containment();
    case Measure::contained:
      return overlap.contained();
    case Measure::either:
      return std::max(overlap.containment(), overlap.contained());
  }
  return 0.0;
}

double least_containment(Measure measure, double threshold) noexcept {
  // X is at most |B|. Rounding must not exclude a document exactly at the threshold.
  constexpr double kSlack = 1.0 - 1e-9;
  switch (measure) {
    case Measure::sorensen:
    case Measure::words:
      return threshold / (2.0 - threshold) * kSlack;
    case Measure::resemblance:
    case Measure::containment:
      return threshold * kSlack;
    case Measure::contained:
    case Measure::either:
      return 0.0;
  }
  return 0.0;
}

Result<Measure> find_measure(std::string_view name) {
  return find_named<Measure>(kMeasures, "measure", name);
}

Result<Action> find_action(std::string_view name) { return find_named<Action>(kActions, "action", name); }

Result<Survivor> find_survivor(std::string_view name) {
  return find_named<Survivor>(kSurvivors, "survivor", name);
}

bool survives(Survivor rule, const Contender& added, const Contender& stored) noexcept {
  switch (rule) {
    case Survivor::first:
      return false;
    case Survivor::longer:
      return added.characters > stored.characters;
    case Survivor::containing:
      return added.features > stored.features;  // X is the same in both shares
  }
  return false;
}

Result<Gate> parse_gate(const json::Json& object) {
  AKIN_TRY(const Fields fields, Fields::read(object, {"measure", "threshold", "action", "quota", "survivor",
                                                      "min_characters", "max_characters"}));
  Gate gate;
  AKIN_TRY(const auto measure, fields.string("measure"));
  if (measure) {
    AKIN_TRY(gate.measure, find_measure(*measure));
  }
  AKIN_TRY(const auto action, fields.string("action"));
  if (action) {
    AKIN_TRY(gate.action, find_action(*action));
  }
  AKIN_TRY(const auto threshold, fields.share("threshold"));
  gate.threshold = threshold.value_or(gate.threshold);
  if (gate.threshold <= 0.0) {
    return Error{Errc::invalid_argument, "field 'threshold'", "at 0 every document is a duplicate",
                 "give a number over 0, up to 1"};
  }
  AKIN_TRY(const auto quota, fields.integer("quota", kMaxQuota));
  gate.quota = quota.value_or(gate.quota);
  if (gate.quota < 1) {
    return Error{Errc::invalid_argument, "field 'quota'", "a group has at least one document",
                 "give 1 or more, or the action \"refuse\""};
  }
  AKIN_TRY(const auto survivor, fields.string("survivor"));
  if (survivor) {
    AKIN_TRY(gate.survivor, find_survivor(*survivor));
  }
  if (gate.survivor != Survivor::first && gate.action == Action::group) {
    return Error{Errc::invalid_argument, "field 'survivor'", "a group keeps all its documents",
                 "give it with the action \"refuse\" only"};
  }
  AKIN_TRY(const auto min, fields.integer("min_characters", kMaxCharacters));
  AKIN_TRY(const auto max, fields.integer("max_characters", kMaxCharacters));
  gate.min_characters = min.value_or(0);
  gate.max_characters = max.value_or(0);
  if (gate.max_characters > 0 && gate.min_characters > gate.max_characters) {
    return Error{Errc::invalid_argument, "field 'min_characters'", "is larger than max_characters",
                 "give a smaller one, or leave it out"};
  }
  return gate;
}

json::Json gate_object(const Gate& gate) {
  return {{"measure", name_of<Measure>(kMeasures, gate.measure)},
          {"threshold", gate.threshold},
          {"action", name_of<Action>(kActions, gate.action)},
          {"quota", gate.quota},
          {"survivor", name_of<Survivor>(kSurvivors, gate.survivor)},
          {"min_characters", gate.min_characters},
          {"max_characters", gate.max_characters}};
}

}  // namespace akin::gate
