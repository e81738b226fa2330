#include "server/gate/gates.h"

#include <utility>

#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::gate {

namespace {

constexpr auto kTable = state::Table::gates;

std::string what(std::string_view collection) { return "gate of collection " + json::in_quotes(collection); }

}  // namespace

Gates::Gates(std::shared_ptr<state::State> state) : state_(std::move(state)), groups_(state_) {}

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
  return groups_.forget(collection);
}

}  // namespace akin::gate
