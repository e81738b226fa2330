#include "server/access/restrictions.h"

#include "server/audit/audit_log.h"
#include "server/json/strict_json.h"

namespace akin::access {

namespace {

constexpr auto kTable = state::Table::restrictions;

}  // namespace

Result<void> restrict_collection(state::State& state, const std::string& collection, bool restricted,
                                 const state::Actor& by) {
  return state.write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto before, writer.get(kTable, collection));
    if (before.has_value() == restricted) return {};
    if (restricted) {
      AKIN_CHECK(writer.put(kTable, collection, "restricted"));
    } else {
      AKIN_CHECK(writer.erase(kTable, collection));
    }
    return audit::append(writer,
                         {by, restricted ? "collection.restricted" : "collection.released", collection});
  });
}

Result<bool> is_restricted(const state::State* state, std::string_view collection) {
  if (state == nullptr) return false;
  AKIN_TRY(const auto mark, state->get(kTable, collection));
  return mark.has_value();
}

bool says_restricted(std::string_view metadata) {
  if (metadata.find("restricted") == std::string_view::npos) return false;
  const auto object = json::parse_json(metadata, json::kAnyJsonValues);
  return object.has_value() && object->is_object() && object->value("restricted", json::Json()) == true;
}

}  // namespace akin::access
