#include "server/gate/refusals.h"

#include <algorithm>
#include <utility>

#include "base/hex.h"
#include "base/time.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::gate {

namespace {

using json::Json;

constexpr auto kRefusals = state::Table::refusals;

std::string key_of(std::string_view collection, std::uint64_t number) {
  return state::pair_key(collection, hex16(number));
}

std::string record_of(const std::string& time, Json outcome) {
  if (outcome.dump().size() > kMostOutcomeBytes)
    for (Json& one : outcome.at("similar")) one.erase("passages");
  return Json{{"time", time}, {"outcome", std::move(outcome)}}.dump();
}

Result<Refusal> read_refusal(std::string_view collection, const state::Entry& entry) {
  const std::size_t prefix = state::pair_key(collection, "").size();
  const auto number = parse_hex16(std::string_view(entry.key).substr(prefix));
  auto record = json::parse_json(entry.value, json::kAnyJsonValues);
  const bool is_one = number && record.has_value() && record->is_object() && record->contains("outcome") &&
                      record->contains("time") && record->at("time").is_string();
  if (!is_one) {
    return Error{Errc::corrupt, "refusal of collection " + json::in_quotes(collection),
                 "its stored record is not one", "restore the state from a backup"};
  }
  return Refusal{*number, record->at("time").get<std::string>(), std::move(record->at("outcome"))};
}

}  // namespace

Result<void> Refusals::keep(std::string_view collection, const std::vector<Json>& outcomes) {
  if (outcomes.empty()) return {};
  const std::string now = format_time(time_now());
  std::vector<std::string> records;
  records.reserve(outcomes.size());
  for (const Json& outcome : outcomes) records.push_back(record_of(now, outcome));
  AKIN_TRY(const auto newest, list(collection, 0, 1));
  const std::uint64_t first = newest.empty() ? 1 : newest.front().number + 1;
  return state_->write([&](state::Writer& writer) -> Result<void> {
    std::uint64_t number = first;
    for (const std::string& record : records) {
      for (;; ++number) {  // past those that others have kept since
        AKIN_TRY(const auto taken, writer.get(kRefusals, key_of(collection, number)));
        if (!taken) break;
      }
      AKIN_CHECK(writer.put(kRefusals, key_of(collection, number), record));
      if (number > kMostRefusals)
        AKIN_CHECK(writer.erase(kRefusals, key_of(collection, number - kMostRefusals)));
    }
    return {};
  });
}

Result<std::vector<Refusal>> Refusals::list(std::string_view collection, std::uint64_t before,
                                            std::size_t limit) const {
  constexpr const char* kAfterDigits = "g";
  const std::string end = before > 0 ? key_of(collection, before) : state::pair_key(collection, kAfterDigits);
  AKIN_TRY(const auto entries, state_->list_back(kRefusals, end, limit));
  std::vector<Refusal> refusals;
  for (const state::Entry& entry : entries) {
    if (!entry.key.starts_with(state::pair_key(collection, ""))) break;
    AKIN_TRY(Refusal refusal, read_refusal(collection, entry));
    refusals.push_back(std::move(refusal));
  }
  return refusals;
}

Result<void> Refusals::forget_document(std::string_view collection, const std::string& id) {
  const auto is_it = [&](const Json& document) { return document.value("id", Json()) == Json(id); };
  AKIN_TRY(const auto all, list(collection, 0, kMostRefusals));
  for (const Refusal& refusal : all) {
    const Json similar = refusal.outcome.value("similar", Json::array());
    if (is_it(refusal.outcome) || std::ranges::any_of(similar, is_it))
      AKIN_CHECK(state_->erase(kRefusals, key_of(collection, refusal.number)));
  }
  return {};
}

Result<void> Refusals::forget(std::string_view collection) {
  return state_->erase_all(kRefusals, state::pair_key(collection, ""));
}

}  // namespace akin::gate
