#include "server/api/write/work.h"

#include <cstdint>

namespace akin::api {

void add_common_text(Json& object, const std::optional<CommonText>& common) {
  if (!common) return;
  object["common_text"] = {{"limit", common->limit},
                           {"words", common->words},
                           {"documents", common->documents},
                           {"listed", common->listed}};
}

std::string work_of(const Json& search_answer) {
  const auto tiers = search_answer.find("tiers");
  if (tiers == search_answer.end()) return "";
  std::string work = "tiers";
  for (const Json& tier : *tiers) work += " " + tier.at("tier").get<std::string>();
  const auto alignment = search_answer.find("alignment");
  if (alignment == search_answer.end()) return work;
  return work + ", candidates " + alignment->at("candidates").dump() + ", aligned " +
         alignment->at("aligned").dump();
}

std::string work_of_check(const Json& check) {
  std::uint64_t candidates = 0, aligned = 0;
  for (const Json& state : check.at("index")) {
    candidates += state.at("candidates").get<std::uint64_t>();
    aligned += state.at("aligned").get<std::uint64_t>();
  }
  return "collections " + std::to_string(check.at("index").size()) + ", candidates " +
         std::to_string(candidates) + ", aligned " + std::to_string(aligned);
}

}  // namespace akin::api
