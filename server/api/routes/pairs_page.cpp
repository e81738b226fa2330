// The page on which experts judge the pairs that a task found.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/held_memory.h"
#include "index/search/tier_search.h"
#include "server/access/restrictions.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/routes/pair_lines.h"
#include "server/search/tier_options.h"
#include "server/tables/label_store.h"
#include "server/tables/pairs_page.h"

namespace akin::api {

namespace {

constexpr std::uint64_t kPageTexts = std::uint64_t{8} << 20U;
constexpr DeclaredParameter kPageParameters[] = {
    {.name = "limit", .kind = ParameterKind::integer, .least = 1, .most = 1000, .absent = "100"},
    {.name = "rank_by",
     .kind = ParameterKind::word,
     .absent = "resemblance",
     .words = "resemblance,containment,x"},
    {.name = "lang"}};
/// Those of which both documents are still there.
Result<std::vector<tables::RankedPair>> present(std::vector<tables::RankedPair> pairs,
                                                const Snapshot& snapshot) {
  std::vector<tables::RankedPair> kept;
  for (tables::RankedPair& pair : pairs) {
    AKIN_TRY(const auto a, snapshot.find(pair.a));
    AKIN_TRY(const auto b, snapshot.find(pair.b));
    if (a && b) kept.push_back(std::move(pair));
  }
  return kept;
}

/// Of the page, whose texts are English.
Json texts_of(const desk::Words& words) {
  Json texts = Json::object();
  for (const desk::Named& one : words.pairs_page) texts[std::string(one.name)] = one.text;
  return &words == desk::languages().front() ? Json() : texts;
}

tables::RankBy rank_by(std::string_view name) {
  using tables::RankBy;
  if (name == "resemblance") return RankBy::resemblance;
  return name == "x" ? RankBy::x : RankBy::containment;
}

Result<tables::PairTable> make_table(const Call& call, const tasks::TaskInfo& task,
                                     const Collection& collection, const Snapshot& snapshot) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kPageParameters));
  const std::uint64_t limit = *parameters.integer("limit");
  tables::PairTable table;
  table.by = rank_by(*parameters.text("rank_by"));
  const Scheme& scheme = collection.scheme();
  AKIN_TRY(const auto tier, tier_of(task.parameters, scheme));
  table.collection = collection.name();
  table.tier = tier.value_or(0);
  table.scheme = tier ? scheme.tiers()[*tier].scheme->name() : scheme.name();
  table.condition = {.bound = task.parameters.value("bound", std::uint64_t{0}),
                     .min_containment = task.parameters.value("min_containment", 0.0),
                     .min_resemblance = task.parameters.value("min_resemblance", 0.0)};
  table.total = task.result_lines;
  tables::BestPairs best(table.by, limit);
  AKIN_TRY(const auto tasks, tasks_of(call.service));
  AKIN_CHECK(read_pair_lines(*tasks, task, [&](const DocumentPair& pair) { best.add(pair); }));
  AKIN_TRY(const auto pairs, present(best.take(), snapshot));
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  table.collection_documents = stats.documents;
  AKIN_TRY(const tables::Labels labels, tables::kept_labels(*call.service.state, collection.name()));
  const bool aligns = finds_reuse(scheme);
  AKIN_CHECK(tables::fill_table(table, pairs, labels,
                                {snapshot, aligns ? collection.shared_dictionary() : nullptr}));
  AKIN_TRY(const bool all_hidden, access::is_restricted(call.service.state.get(), collection.name()));
  for (std::size_t i = 0; i < table.documents.size(); ++i) {
    if (all_hidden || access::says_restricted(table.documents[i].metadata)) table.hidden.insert(i);
  }
  return table;
}

Result<std::string> page_of(const Call& call, const desk::Words& words) {
  AKIN_TRY(const tasks::TaskInfo task, pairs_task(call));
  AKIN_TRY(const auto collection, open_collection(call, task.collection));
  if (!collection->keeps_texts()) {
    return Error{Errc::unsupported, "collection " + in_quotes(task.collection),
                 "it keeps no texts, which the page shows", "read the task's result instead"};
  }
  AKIN_TRY(const HeldMemory held, HeldMemory::take(2 * kPageTexts));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const tables::PairTable table, make_table(call, task, *collection, *snapshot));
  std::string page;
  AKIN_CHECK(tables::write_pairs_page(table, *snapshot, kPageTexts,
                                      [&](std::string_view piece) -> Result<void> {
                                        page += piece;
                                        return {};
                                      },
                                      {.save = "/desk/pairs/" + task.id + "/labels",
                                       .back = "/desk/collections/" + task.collection + "/duplicates",
                                       .lang = std::string(words.tag),
                                       .texts = texts_of(words)}));
  return page;
}

/// The page's script alone may run, and speak to this server.
std::string policy() {
  const auto source = [](const Sha256& hash) {
    return "'sha256-" + base64({reinterpret_cast<const char*>(hash.data()), hash.size()}) + "'; ";
  };
  return "default-src 'none'; style-src " + source(tables::page_style_hash()) + "script-src " +
         source(tables::page_script_hash()) +
         "connect-src 'self'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'";
}

}  // namespace

Result<Response> get_pairs_page(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/pairs/" + call.captures[0]);
  auto page = page_of(call, *reader.words);
  if (page.has_error()) return desk_error(reader, page.error());
  return Response{200,
                  {{"Content-Type", "text/html; charset=utf-8"},
                   {"Content-Language", std::string(reader.words->tag)},
                   {"Content-Security-Policy", policy()},
                   {"Cache-Control", "no-store"},
                   {"Referrer-Policy", "no-referrer"}},
                  *std::move(page)};
}

Result<Response> put_page_labels(const Call& call) {
  AKIN_TRY(const tasks::TaskInfo task, pairs_task(call));
  AKIN_TRY(const auto collection, open_collection(call, task.collection));
  return store_labels(call, *collection);
}

}  // namespace akin::api
