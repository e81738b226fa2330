#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "index/pg/schema.h"
#include "index/pg/store_check.h"

namespace akin::pg {
namespace {

/// How many of a collection's documents are looked up: more than a shard loses in a few seconds.
constexpr std::int64_t kNewest = 10'000;

std::vector<std::int64_t> numbers_of(const Rows& rows) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) numbers.push_back(rows.number(row, 0));
  return numbers;
}

Result<void> check_newest(Connection& connection, StoreNumber store, const std::string& what,
                          Findings& findings) {
  // The content of everything in the directory is on the shards as long as this transaction lives.
  AKIN_CHECK(connection.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
  AKIN_TRY(const Rows newest,
           connection.run(of_store("SELECT doc FROM (SELECT doc FROM akin.documents_@ ORDER"
                                   " BY doc DESC LIMIT $1) d ORDER BY doc",
                                   store),
                          Params().number(kNewest)));
  const std::vector<std::int64_t> numbers = numbers_of(newest);
  AKIN_TRY(const Rows there,
           connection.run(of_store("SELECT doc FROM akin.contents_@ WHERE doc = ANY($1) ORDER BY doc", store),
                          Params().numbers(numbers)));
  std::vector<std::int64_t> lost;
  std::ranges::set_difference(numbers, numbers_of(there), std::back_inserter(lost));
  if (lost.empty()) {
    findings.ok(what, "all on their shards");
    return connection.command("ROLLBACK");
  }
  AKIN_TRY(const Rows shards,
           connection.run(
               of_store("SELECT p.shard, count(*) FROM akin.parts p JOIN unnest($1) AS u"
                        " ON satisfies_hash_partition('akin.contents_@'::regclass, (SELECT count(*)::int FROM"
                        " akin.parts q WHERE q.store = p.store), p.part::int, u) WHERE p.store = $2"
                        " GROUP BY p.shard ORDER BY p.shard",
                        store),
               Params().numbers(lost).number(static_cast<std::int64_t>(store))));
  for (std::size_t row = 0; row < shards.size(); ++row) {
    findings.expect(false, FindingLevel::failure, what,
                    "shard " + std::to_string(shards.number(row, 0)) + " lacks the content of " +
                        std::to_string(shards.number(row, 1)) + " of " + std::to_string(numbers.size()),
                    "the shard has lost its last transactions: akin verify names the documents, index them "
                    "with --again");
  }
  return connection.command("ROLLBACK");
}

}  // namespace

Result<void> check_content(Connection& connection, Findings& findings) {
  AKIN_TRY(
      const Rows rows,
      connection.run("SELECT c.store, c.name FROM akin.collections c WHERE EXISTS (SELECT FROM akin.parts"
                     " p WHERE p.store = c.store) ORDER BY c.name"));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string what = "collection '" + std::string(rows.bytes(row, 1)) + "': newest documents";
    const auto checked = check_newest(connection, StoreNumber{rows.number(row, 0)}, what, findings);
    if (checked.has_error()) findings.failed(what, checked.error());
    if (connection.in_transaction()) AKIN_CHECK(connection.command("ROLLBACK"));
  }
  return {};
}

}  // namespace akin::pg
