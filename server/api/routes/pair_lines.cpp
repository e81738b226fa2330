#include "server/api/routes/pair_lines.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "server/api/handlers.h"

namespace akin::api {

namespace {

std::uint64_t whole(double part, double share) {
  return share > 0 ? static_cast<std::uint64_t>(std::llround(part / share)) : 0;
}

Result<void> read_line(std::string_view line, const std::function<void(const DocumentPair&)>& take) {
  AKIN_TRY(const Json pair, parse_json(line));
  const auto& a = pair.at("a").get_ref<const std::string&>();
  const auto& b = pair.at("b").get_ref<const std::string&>();
  DocumentPair read{a, b, {.x = pair.at("x").get<std::uint64_t>()}};
  Overlap& overlap = read.overlap;
  const auto x = static_cast<double>(overlap.x);
  overlap.has_containment = pair.at("containment").is_number();
  if (overlap.has_containment) {
    overlap.a_features = whole(x, pair.at("containment").get<double>());
    overlap.b_features = whole(x, pair.at("contained").get<double>());
  } else {
    // Only the sum is known, and only the sum counts: X / (|A| + |B| - X).
    const std::uint64_t united = whole(x, pair.at("resemblance").get<double>());
    overlap.a_features = overlap.x;
    overlap.b_features = united;
  }
  if (const auto words = pair.find("words"); words != pair.end()) {
    MatchedWords matched{.a = words->at("a").get<std::uint64_t>(), .b = words->at("b").get<std::uint64_t>()};
    matched.a_words = whole(static_cast<double>(matched.a), words->at("a_share").get<double>());
    matched.b_words = whole(static_cast<double>(matched.b), words->at("b_share").get<double>());
    read.words = matched;
  }
  take(read);
  return {};
}

}  // namespace

Result<tasks::TaskInfo> pairs_task(const Call& call) {
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_TRY(tasks::TaskInfo task, allowed_task(call, *tasks));
  if (task.type == "pairs") return task;
  return Error{Errc::invalid_argument, "task " + in_quotes(task.id), "did not look for pairs",
               "start one by POST /v1/collections/{collection}/pairs"};
}

Result<void> read_pair_lines(const tasks::Tasks& tasks, const tasks::TaskInfo& task,
                             const std::function<void(const DocumentPair&)>& take) {
  constexpr std::uint64_t kLinesAtOnce = 10'000;
  const std::uint64_t lines = std::min(task.result_lines, kMostPairLines);
  for (std::uint64_t offset = 0; offset < lines; offset += kLinesAtOnce) {
    AKIN_TRY(const std::string page, tasks.result(task.id, offset, std::min(kLinesAtOnce, lines - offset)));
    for (const std::string_view line : split(page, '\n')) {
      if (!line.empty()) AKIN_CHECK(read_line(line, take));
    }
  }
  return {};
}

}  // namespace akin::api
