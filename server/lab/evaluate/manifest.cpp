#include "server/lab/evaluate/manifest.h"

#include <algorithm>
#include <array>
#include <set>

#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::evaluate {

namespace {

using json::Fields;
using json::Json;

constexpr std::array<std::string_view, 5> kMethods = {"rank", "threshold", "groups", "judge", "passages"};

bool is_set_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits);
}

Result<void> check_name(const std::string& name) {
  if (is_set_name(name)) return {};
  return Error{Errc::invalid_argument, "set " + json::in_quotes(name), "cannot be a set's name",
               "give at most 64 letters, digits, '-' and '_'"};
}

Result<std::string> read_method(const Fields& fields) {
  AKIN_TRY(const std::string_view method, fields.required_string("method"));
  if (std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end()) return std::string(method);
  return Error{Errc::invalid_argument, "field 'method'", json::in_quotes(method) + " is not a method",
               "choose rank, threshold, groups, judge or passages"};
}

Result<void> read_rest(const Fields& fields, ManifestSet& set) {
  AKIN_TRY(set.method, read_method(fields));
  AKIN_TRY(const auto arguments, fields.strings("arguments"));
  if (arguments) set.arguments = *arguments;
  if (set.arguments.empty()) {
    return Error{Errc::invalid_argument, "field 'arguments'", "does not name a file of the set",
                 "give the arguments for akin evaluate " + set.method};
  }
  return {};
}

Result<ManifestSet> read_set(const Json& value, std::size_t number) {
  const std::string place = "set " + std::to_string(number);
  AKIN_TRY(const Fields fields, Fields::read(value, {"name", "method", "arguments"}, place));
  const auto name = fields.required_string("name");
  if (name.has_error()) {
    Error error = name.error();
    error.what = place + ": " + error.what;
    return error;
  }
  ManifestSet set;
  set.name = *name;
  AKIN_CHECK(check_name(set.name));
  auto rest = read_rest(fields, set);
  if (rest.has_error()) return of_set(set.name, std::move(rest).error());
  return set;
}

}  // namespace

Error of_set(std::string_view name, Error error) {
  error.what = "set " + json::in_quotes(name) + ": " + error.what;
  return error;
}

Result<std::vector<ManifestSet>> read_manifest(std::string_view text) {
  AKIN_TRY(Json json, json::parse_json(text));
  AKIN_TRY(const Fields fields, Fields::read(std::move(json), {"sets"}, "manifest"));
  const Json* const listed = fields.value("sets");
  if (listed == nullptr || !listed->is_array() || listed->empty()) {
    return Error{Errc::invalid_argument, "field 'sets'", "lists no sets", "give an array of sets"};
  }
  std::vector<ManifestSet> sets;
  std::set<std::string> names;
  for (const Json& one : *listed) {
    AKIN_TRY(ManifestSet set, read_set(one, sets.size() + 1));
    if (!names.insert(set.name).second) {
      return Error{Errc::invalid_argument, "set " + json::in_quotes(set.name), "occurs in the manifest twice",
                   "give each set its own name"};
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace akin::evaluate
