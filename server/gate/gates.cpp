#include "server/gate/gates.h"

#include <string_view>
#include <utility>

#include "index/search/tier_search.h"
#include "morph/schemes/scheme.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::gate {

namespace {

constexpr auto kTable = state::Table::gates;

std::string what(std::string_view collection) { return "gate of collection " + json::in_quotes(collection); }

/// A gate that was published together with the scheme of a preset.
struct PresetGate {
  std::string_view preset;
  Measure measure;
  double threshold;
};

constexpr PresetGate kPresetGates[] = {{"web", Measure::resemblance, 0.5}};

bool aligns(const Collection& collection) {
  return finds_reuse(collection.scheme()) && collection.keeps_texts();
}

}  // namespace

void choose_measure(Gate& gate, bool has_threshold, const Collection& collection) {
  gate.measure = aligns(collection) ? Measure::words : Measure::sorensen;
  for (const PresetGate& known : kPresetGates) {
    if ((*make_scheme(known.preset))->name() != collection.scheme().name()) continue;
    gate.measure = known.measure;
    if (!has_threshold) gate.threshold = known.threshold;
  }
}

Result<void> check_gate(const Gate& gate, const Collection& collection) {
  const bool takes_share = gate.measure == Measure::containment || gate.measure == Measure::contained ||
                           gate.measure == Measure::either || gate.survivor == Survivor::containing;
  if (takes_share && !collection.scheme().has_containment()) {
    const bool survivor = gate.survivor == Survivor::containing;
    return Error{Errc::unsupported, survivor ? "survivor 'containing'" : "a measure of containment",
                 "the scheme " + collection.scheme().name() +
                     " keeps as many features of a short text as of a long one, which do not give it",
                 "choose the measure resemblance or sorensen and another survivor, or make the collection "
                 "with sample=all or sample=mod:M"};
  }
  if (gate.measure != Measure::words || aligns(collection)) return {};
  return Error{Errc::unsupported, "measure 'words'",
               "texts of collection " + json::in_quotes(collection.name()) +
                   " cannot be aligned: it keeps no texts, or its scheme has no tier that finds passages",
               "choose another measure"};
}

Gates::Gates(std::shared_ptr<state::State> state)
    : state_(std::move(state)), groups_(state_), refusals_(state_) {}

Result<std::optional<Gate>> Gates::get(std::string_view collection) const {
  AKIN_TRY(const auto value, state_->get(kTable, collection));
  if (!value) return std::optional<Gate>();
  auto object = json::parse_json(*value);
  if (object.has_value()) {
    auto gate = parse_gate(*object);
    if (gate.has_value()) return std::optional(*gate);
  }
  return Error{Errc::corrupt, what(collection), "its stored record is not a gate", "set it again"};
}

Result<bool> Gates::put(std::string_view collection, const Gate& gate) {
  const std::string value = gate_object(gate).dump();
  bool made = false;
  AKIN_CHECK(state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto before, writer.get(kTable, collection));
    made = !before;
    return writer.put(kTable, collection, value);
  }));
  return made;
}

Result<bool> Gates::erase(std::string_view collection) { return state_->erase(kTable, collection); }

Result<void> Gates::forget(std::string_view collection) {
  AKIN_CHECK(erase(collection));
  AKIN_CHECK(refusals_.forget(collection));
  return groups_.forget(collection);
}

}  // namespace akin::gate
