#include "server/check/check_record.h"

#include <charconv>
#include <utility>

#include "base/hex.h"
#include "base/text_codec.h"
#include "server/check/decision.h"
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

Result<Json> decode_check(std::string_view id, const std::optional<std::string>& record) {
  if (!record) return no_check(id);
  const auto text = record->starts_with('{') ? record : unpack(*record);
  if (!text) return corrupt_check(id, "its stored record cannot be decompressed");
  auto object = json::parse_json(*text, json::kAnyJsonValues);
  if (object.has_error() || !object->is_object())
    return corrupt_check(id, "its stored record is not an object");
  if (!object->contains("decision")) (*object)["decision"] = open_decision(*object);
  return object;
}

std::string decision_key(std::string_view id, std::uint64_t number) {
  return std::string(id) + hex16(number);
}

Result<bool> erase_check(state::Writer& writer, std::string_view id) {
  AKIN_TRY(const auto record, writer.get(Table::checks, id));
  if (!record) return false;
  if (const auto check = decode_check(id, record); check.has_value()) {
    const auto entries = check->at("decision").at("revision").get<std::uint64_t>();
    for (std::uint64_t number = 1; number <= entries; ++number)
      AKIN_CHECK(writer.erase(Table::decisions, decision_key(id, number)));
  }
  AKIN_CHECK(writer.erase(Table::check_texts, id));
  return writer.erase(Table::checks, id);
}

}  // namespace akin::check
