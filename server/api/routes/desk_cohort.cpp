// The page of the desk for all pairs that a task found in a collection.
#include "server/desk/cohort.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/routes/pair_lines.h"
#include "server/api/write/objects.h"
#include "server/tables/pair_table.h"

namespace akin::api {

namespace {

/// Pairs that the page lists and draws.
constexpr std::size_t kPairsOnPage = 1000;

/// The shares of both documents that the other one has: of their words, if these were matched.
std::pair<double, double> shares_of(const Overlap& overlap, const std::optional<MatchedWords>& words) {
  if (words) return {words->a_share(), words->b_share()};
  if (overlap.has_containment) return {overlap.containment(), overlap.contained()};
  return {overlap.resemblance(), overlap.resemblance()};
}

void count(const DocumentPair& pair, desk::CohortView& view) {
  const auto [a, b] = shares_of(pair.overlap, pair.words);
  const auto tenth = static_cast<std::size_t>(std::max(a, b) * static_cast<double>(view.tenths.size()));
  ++view.tenths[std::min(tenth, view.tenths.size() - 1)];
  ++view.counted;
}

/// Those of which both documents are still there.
Result<void> add_pairs(const std::vector<tables::RankedPair>& pairs, const Snapshot& snapshot,
                       desk::CohortView& view) {
  std::map<std::string, std::optional<std::size_t>> places;
  const auto place_of = [&](const std::string& id) -> Result<std::optional<std::size_t>> {
    const auto [known, is_new] = places.try_emplace(id);
    if (!is_new) return known->second;
    AKIN_TRY(const auto record, snapshot.find(id));
    if (!record) return known->second;
    known->second = view.documents.size();
    view.documents.push_back(document_object(*record));
    return known->second;
  };
  for (const tables::RankedPair& pair : pairs) {
    AKIN_TRY(const auto a, place_of(pair.a));
    AKIN_TRY(const auto b, place_of(pair.b));
    if (!a || !b) continue;
    const auto [a_share, b_share] = shares_of(pair.overlap, pair.words);
    view.pairs.push_back({*a, *b, a_share, b_share});
  }
  return {};
}

}  // namespace

Result<Response> get_desk_cohort(const Call& call) {
  const desk::Reader reader = reader_of(call, desk::cohort_path(call.captures.front()));
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {
        {.name = "least", .kind = ParameterKind::integer, .least = 0, .most = 100, .absent = "0"},
        {.name = "hide_names", .kind = ParameterKind::flag},
        {.name = "lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    AKIN_TRY(const tasks::TaskInfo task, pairs_task(call));
    AKIN_TRY(const auto collection, open_collection(call, task.collection));
    AKIN_TRY(const auto snapshot, collection->snapshot());
    AKIN_TRY(const auto tasks, tasks_of(call.service));
    desk::CohortView view{.collection = task.collection,
                          .task = task.id,
                          .documents = {},
                          .pairs = {},
                          .total = task.result_lines,
                          .least = *parameters.integer("least"),
                          .hides_names = parameters.flag("hide_names")};
    tables::BestPairs best(tables::RankBy::containment, kPairsOnPage);
    AKIN_CHECK(read_pair_lines(*tasks, task, [&](const DocumentPair& pair) {
      count(pair, view);
      best.add(pair);
    }));
    AKIN_CHECK(add_pairs(best.take(), *snapshot, view));
    return page_response(200, reader, desk::cohort_page(reader, view));
  });
}

}  // namespace akin::api
