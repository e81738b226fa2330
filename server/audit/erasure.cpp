#include "server/audit/erasure.h"

#include <string>
#include <utility>
#include <vector>

#include "server/audit/audit_log.h"
#include "server/json/strict_json.h"

namespace akin::audit {

namespace {

using json::Json;

constexpr auto kLog = state::Table::audit;
constexpr std::size_t kEntriesAtOnce = 256;

struct Erasure {
  state::Entry before;
  std::string after;
  Json named;  ///< [number, hash]
};

std::optional<Erasure> erasure_of(const state::Entry& stored,
                                  const std::function<bool(const Json& entry)>& matches) {
  auto read = json::parse_json(stored.value, json::kAnyJsonValues);
  if (read.has_error() || !read->is_object() || !read->contains("number")) return std::nullopt;
  Json entry = *std::move(read);
  if (entry.value("action", "") == kErasingAction || entry.value("details", Json()).contains("erased") ||
      !matches(entry))
    return std::nullopt;
  entry["by"] = nullptr;
  entry["address"] = "";
  entry["about"] = "";
  entry["details"] = {{"erased", true}};
  return Erasure{stored, entry.dump(), {entry.at("number"), entry.at("hash")}};
}

}  // namespace

Result<std::uint64_t> erase_entries(state::State& state,
                                    const std::function<bool(const Json& entry)>& matches,
                                    const state::Actor& by) {
  std::uint64_t erased = 0;
  for (std::string after;;) {
    AKIN_TRY(const auto page, state.list(kLog, "", after, kEntriesAtOnce));
    std::vector<Erasure> erasures;
    Json named = Json::array();
    for (const state::Entry& stored : page) {
      auto erasure = erasure_of(stored, matches);
      if (!erasure) continue;
      named.push_back(erasure->named);
      erasures.push_back(*std::move(erasure));
    }
    if (!erasures.empty()) {
      const auto written = state.write([&](state::Writer& writer) -> Result<void> {
        for (const Erasure& one : erasures) AKIN_CHECK(writer.put(kLog, one.before.key, one.after));
        return append(writer, {by, kErasingAction, "", {{"entries", named}}});
      });
      AKIN_CHECK(written);
      erased += erasures.size();
    }
    if (page.size() < kEntriesAtOnce) return erased;
    after = page.back().key;
  }
}

}  // namespace akin::audit
