#include "server/api/read/metadata.h"

#include <algorithm>
#include <utility>

#include "base/rfc3339.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

Error wrong_metadata(std::string_view name, std::string reason, std::string remedy) {
  const std::string field = name.empty() ? "metadata" : "metadata." + std::string(name);
  return Error{Errc::invalid_argument, "field " + in_quotes(field), std::move(reason), std::move(remedy)};
}

/// One name, or a list of those of all owners.
bool names_owners(const Json& owner) {
  return owner.is_string() ||
         (owner.is_array() && std::ranges::all_of(owner, [](const Json& one) { return one.is_string(); }));
}

/// A year that is given as a number; whether there was one.
bool write_year_as_text(Json& metadata) {
  constexpr std::uint64_t kFirst = 1000, kLast = 9999;
  const auto date = metadata.find("date");
  if (date == metadata.end() || !date->is_number_unsigned()) return false;
  const auto year = date->get<std::uint64_t>();
  if (year < kFirst || year > kLast) return false;
  *date = std::to_string(year);
  return true;
}

Result<void> check(const Json& metadata) {
  for (const std::string_view name : {"author", "source", "url", "group", "date"}) {
    const auto field = metadata.find(name);
    if (field != metadata.end() && !field->is_string())
      return wrong_metadata(name, "is not a string", "give a string");
  }
  if (const auto owner = metadata.find("owner"); owner != metadata.end() && !names_owners(*owner))
    return wrong_metadata("owner", "is neither a string nor a list of strings", "give one of them");
  if (const auto mark = metadata.find("restricted"); mark != metadata.end() && !mark->is_boolean())
    return wrong_metadata("restricted", "is neither true nor false", "give true or false, without quotes");
  const auto date = metadata.find("date");
  if (date == metadata.end() || parse_rfc3339(date->get_ref<const std::string&>())) return {};
  return wrong_metadata("date", in_quotes(date->get_ref<const std::string&>()) + " is not a date",
                        kGiveADate);
}

}  // namespace

Result<std::string> read_metadata(const Fields& fields) {
  AKIN_TRY(std::string metadata, fields.object("metadata"));
  if (metadata.empty()) return metadata;
  if (metadata.size() > kMaxMetadata) {
    return Error{
        Errc::too_large, "field 'metadata'",
        std::to_string(metadata.size()) + " bytes exceed the limit of " + std::to_string(kMaxMetadata),
        "shorten it"};
  }
  AKIN_TRY(Json object, parse_json(metadata));
  const bool mended = write_year_as_text(object);
  AKIN_CHECK(check(object));
  return mended ? object.dump() : metadata;
}

Result<std::string> joined_metadata(std::string_view own, std::string_view given) {
  if (own.size() > kMaxMetadata) own = {};
  if (given.empty()) return std::string(own);
  Json metadata = Json::object();
  if (!own.empty()) {
    AKIN_TRY(metadata, parse_json(own));
  }
  AKIN_TRY(const Json added, parse_json(given));
  if (!added.is_object()) return wrong_metadata("", "is not an object", "give a JSON object");
  metadata.update(added);
  AKIN_TRY(const Fields fields, Fields::read(Json{{"metadata", std::move(metadata)}}, {"metadata"}));
  return read_metadata(fields);
}

}  // namespace akin::api
