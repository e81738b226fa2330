#include "server/check/preview.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "server/check/verdict.h"

namespace akin::check {

namespace {

constexpr std::array kVerdicts = {Verdict::pass, Verdict::review, Verdict::refuse};
constexpr std::array<std::string_view, 3> kByShare = {"share", "source_share", "own_share"};

Verdict verdict_named(std::string_view name) {
  const auto* const found = std::ranges::find(kVerdicts, name, verdict_name);
  return found == kVerdicts.end() ? Verdict::review : *found;
}

Verdict by_share(double share, const std::optional<double>& review, const std::optional<double>& refuse) {
  if (reaches(share, refuse)) return Verdict::refuse;
  return reaches(share, review) ? Verdict::review : Verdict::pass;
}

}  // namespace

Verdict verdict_with(const json::Json& check, const Policy& policy) {
  double largest = 0;
  for (const json::Json& source : check.at("sources"))
    largest = std::max(largest, source.at("share").get<double>());
  Verdict verdict =
      std::max({by_share(check.at("share").get<double>(), policy.review_share, policy.refuse_share),
                by_share(largest, policy.review_source_share, policy.refuse_source_share),
                by_share(check.at("own_share").get<double>(), policy.review_own_share, {})});
  for (const json::Json& reason : check.at("reasons")) {
    const auto& kind = reason.at("kind").get_ref<const std::string&>();
    if (std::ranges::find(kByShare, kind) == kByShare.end())
      verdict = std::max(verdict, verdict_named(reason.at("verdict").get_ref<const std::string&>()));
  }
  return verdict;
}

}  // namespace akin::check
