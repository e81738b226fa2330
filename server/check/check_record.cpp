#include "server/check/check_record.h"

#include <charconv>
#include <utility>

#include "base/hex.h"
#include "base/text_codec.h"
#include "server/check/decision.h"
#include "server/check/kept_bytes.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

using json::Json;
using state::Table;

bool is_check_id(std::string_view id) noexcept {
  return id.starts_with(kCheckPrefix) && id.size() == kCheckPrefix.size() + kCheckIdDigits;
}

std::string check_named(std::string_view id) { return "check " + json::in_quotes(id); }

Error no_check(std::string_view id) {
  return Error{Errc::not_found, check_named(id), "does not exist",
               "GET /v1/checks lists the stored ones; old ones are deleted"};
}

Error corrupt_check(std::string_view id, std::string reason) {
  return Error{Errc::corrupt, check_named(id), std::move(reason), "check the text again"};
}

Result<std::string> pack(std::string_view text) {
  AKIN_TRY(const std::string frame, compress_text(text));
  return std::to_string(text.size()) + ' ' + frame;
}

std::optional<std::string> unpack(std::string_view packed) {
  std::uint64_t bytes = 0;
  const char* end = packed.data() + packed.size();
  const auto [stop, failure] = std::from_chars(packed.data(), end, bytes);
  if (failure != std::errc{} || stop == end || *stop != ' ') return std::nullopt;
  return decompress_text({stop + 1, end}, bytes);
}

Json collections_of(const Json& check) {
  Json names = check.value("collections", Json::array());
  const auto add_from = [&](const Json& place) {
    if (place.contains("collection")) names.push_back(place.at("collection"));
  };
  add_from(check.value("query", Json::object()));
  for (const Json& entry : check.value(Json::json_pointer("/policy/exclude/templates"), Json::array()))
    add_from(entry);
  return names;
}

Json summary_of(const Json& check) {
  Json summary;
  for (const char* field : {"id", "created", "expires", "title", "owner", "key", "collections", "verdict",
                            "share", "sources_total"}) {
    if (const auto value = check.find(field); value != check.end()) summary[field] = *value;
  }
  summary["words"] = check.value(Json::json_pointer("/query/words"), std::uint64_t{0});
  if (const auto policy = check.find("policy"); policy != check.end())
    summary["policy"] = policy->value("name", Json());
  summary["concerns"] = collections_of(check);
  summary["admitted"] = check.at("admitted");
  const Json& decision = check.at("decision");
  for (const char* field : {"state", "proposed", "share"}) summary["decision"][field] = decision.at(field);
  return summary;
}

Result<std::string> encode_check(const Json& check) {
  AKIN_TRY(const std::string object, pack(check.dump()));
  return summary_of(check).dump() + '\n' + object;
}

Result<Json> decode_check(std::string_view id, const std::optional<std::string>& record) {
  if (!record) return no_check(id);
  const auto text = unpack(std::string_view(*record).substr(record->find('\n') + 1));
  if (!text) return corrupt_check(id, "its stored record cannot be decompressed");
  auto object = json::parse_json(*text, json::kAnyJsonValues);
  if (object.has_value() && object->is_object()) return object;
  return corrupt_check(id, "its stored record is not an object");
}

Result<Json> decode_summary(std::string_view id, std::string_view record) {
  auto summary = json::parse_json(record.substr(0, record.find('\n')), json::kAnyJsonValues);
  if (summary.has_value() && summary->is_object()) return summary;
  return corrupt_check(id, "the summary before its stored record is not an object");
}

std::string decision_key(std::string_view id, std::uint64_t number) {
  return std::string(id) + hex16(number);
}

std::string encode_kept(const KeptParts& kept) {
  Json object{{"text", kept.text}, {"file", kept.file}, {"excerpts", kept.excerpts}};
  if (!kept.later.empty()) object["later"] = kept.later;
  if (!kept.places.empty()) object["places"] = kept.places;
  if (!kept.map.empty()) object["map"] = kept.map;
  return object.dump();
}

std::optional<KeptParts> decode_kept(std::string_view value) {
  if (!value.starts_with('{')) return std::nullopt;
  const auto object = json::parse_json(value, json::kAnyJsonValues);
  if (object.has_error()) return std::nullopt;
  return KeptParts{object->value("text", ""),  object->value("file", ""),   object->value("excerpts", ""),
                   object->value("later", ""), object->value("places", ""), object->value("map", "")};
}

Result<std::string> read_text(const state::State& state, std::string_view id) {
  AKIN_TRY(const auto value, state.get(Table::check_texts, id));
  if (!value) return no_check(id);
  const auto kept = decode_kept(*value);
  if (!kept) return corrupt_check(id, "the digest of its text is damaged");
  return read_kept(state, kept->text);
}

Result<bool> erase_check(state::Writer& writer, std::string_view id) {
  AKIN_TRY(const auto record, writer.get(Table::checks, id));
  if (!record) return false;
  if (const auto check = decode_check(id, record); check.has_value()) {
    const auto entries = check->at("decision").at("revision").get<std::uint64_t>();
    for (std::uint64_t number = 1; number <= entries; ++number)
      AKIN_CHECK(writer.erase(Table::decisions, decision_key(id, number)));
  }
  AKIN_TRY(const auto value, writer.get(Table::check_texts, id));
  const KeptParts kept = decode_kept(value.value_or("")).value_or(KeptParts());
  for (const std::string* digest :
       {&kept.text, &kept.file, &kept.excerpts, &kept.later, &kept.places, &kept.map})
    AKIN_CHECK(release(writer, *digest, id));
  AKIN_CHECK(writer.erase(Table::check_texts, id));
  AKIN_CHECK(writer.erase(Table::check_links, id));
  AKIN_CHECK(writer.erase(Table::standing, id));
  return writer.erase(Table::checks, id);
}

}  // namespace akin::check
