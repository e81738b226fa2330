#include "tests/index/pg/fault_fixture.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "tests/support/database.h"
#include "tests/support/numbered.h"

namespace akin::test {

void await(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("waited in vain");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Stall::Stall(const std::string& conninfo, std::string table)
    : holder_(must(pg::Connection::open(conninfo))), conninfo_(conninfo), table_(std::move(table)) {
  must(holder_->command("BEGIN; LOCK TABLE " + table_ + " IN ACCESS EXCLUSIVE MODE"));
}

bool Stall::has_waiter() const {
  const auto connection = must(pg::Connection::open(conninfo_));
  const auto rows = must(connection->run("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '" +
                                         table_ + "'::regclass"));
  return rows.number(0, 0) > 0;
}

void Stall::await() const {
  test::await([this] { return has_waiter(); });
}

FaultTest::FaultTest()
    : database_(must(make_test_database())),
      pool_(std::make_shared<pg::Pool>(database_)),
      store_(must(pg::PgStore::create(pool_, {"test-scheme", "fingerprint", "ru,en"}))) {}

FaultTest::~FaultTest() { start_test_server(); }

void FaultTest::fill(std::uint64_t count) {
  Documents documents;
  for (std::uint64_t i = 0; i < count; ++i) documents[numbered("d", i)] = random_.values(80);
  must(put_all(documents));
  expected_.insert(documents.begin(), documents.end());
}

Result<PutResult> FaultTest::put(const std::string& id, const Values& values) {
  return store_->put(MadeDocument(id, values).view());
}

Result<std::vector<PutResult>> FaultTest::put_all(const Documents& documents) {
  std::vector<MadeDocument> made;
  made.reserve(documents.size());
  for (const auto& [id, values] : documents) made.emplace_back(id, values);
  std::vector<NewDocument> views;
  views.reserve(made.size());
  for (const MadeDocument& document : made) views.push_back(document.view());
  return store_->put_all(views);
}

Result<SearchResult> FaultTest::search(const Snapshot& view, const Values& query, std::uint64_t bound) {
  const FeatureSequence sequence = make_sequence(query);
  SearchRequest request;
  request.query = &sequence;
  request.bound = bound;
  request.limit = 1'000'000;
  return view.search(request);
}

Result<SearchResult> FaultTest::search(const Values& query, std::uint64_t bound) const {
  AKIN_TRY(const std::unique_ptr<Snapshot> view, store_->snapshot());
  return search(*view, query, bound);
}

std::vector<std::string> FaultTest::told(const SearchResult& result) {
  std::vector<std::string> hits;
  for (const Hit& hit : result.hits) hits.push_back(hit.document.id + ":" + std::to_string(hit.overlap.x));
  std::ranges::sort(hits);
  return hits;
}

void FaultTest::expect_exact() {
  const std::unique_ptr<Snapshot> view = must(store_->snapshot());
  std::vector<std::string> ids, expected_ids;
  for (const DocumentRecord& record : must(view->list("", 1'000'000))) ids.push_back(record.id);
  for (const auto& [id, values] : expected_) {
    expected_ids.push_back(id);
    ASSERT_EQ(must(view->text(id)), make_text(values)) << id;
  }
  EXPECT_EQ(ids, expected_ids);
  for (int query = 0; query < 10; ++query) {
    const Values values = random_.values(120);
    for (const std::uint64_t bound : {0U, 5U}) {
      EXPECT_EQ(told(must(search(*view, values, bound))), hits_by_definition(expected_, values, bound));
    }
  }
  std::vector<std::string> findings;
  must(view->verify(
      [&](const Finding& finding) { findings.push_back(finding.where + ": " + finding.broken); }, nullptr));
  EXPECT_THAT(findings, testing::IsEmpty());
}

std::int64_t FaultTest::ask(const std::string& sql) const {
  const auto connection = must(pg::Connection::open(database_));
  return must(connection->run(of_store(sql))).number(0, 0);
}

std::int64_t FaultTest::count_content() const { return ask("SELECT count(*) FROM akin.contents_@"); }

}  // namespace akin::test
