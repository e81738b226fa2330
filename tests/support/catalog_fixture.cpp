#include "tests/support/catalog_fixture.h"

#include <algorithm>
#include <fstream>

#include "index/lmdb/catalog.h"
#include "index/opensearch/catalog.h"
#include "index/opensearch/catalog/entry.h"
#include "index/pg/catalog.h"
#include "tests/support/database.h"
#include "tests/support/opensearch_cluster.h"

namespace akin::test {

CatalogTest::CatalogTest() {
  DictionaryConfig config;
  config.cache = folder_.path() / "cache";
  plain_ = must(Dictionary::open(config));
  std::ofstream(folder_.path() / "xx.aff") << "SET UTF-8\n\nSFX A Y 1\nSFX A 0 s .\n";
  std::ofstream(folder_.path() / "xx.dic") << "2\nsentence/A\nword/A\n";
  config.languages = {(folder_.path() / "xx.aff").string()};
  other_ = must(Dictionary::open(config));
  if (is_opensearch()) {
    database_ = test_cluster().address(make_test_prefix());
  } else if (!is_lmdb()) {
    database_ = must(make_test_database());
  }
  catalog_ = open_catalog();
}

std::shared_ptr<Catalog> CatalogTest::open_catalog(std::shared_ptr<const Dictionary> dictionary) const {
  if (dictionary == nullptr) dictionary = plain_;
  const std::string languages = dictionary == plain_ ? "none" : "xx";
  if (is_lmdb()) return must(open_data_folder(data_, dictionary, languages, true));
  const auto dictionaries = std::make_shared<Dictionaries>(dictionary, languages);
  return must(is_opensearch() ? opensearch::open_catalog(database_, dictionaries, true)
                              : pg::open_catalog(database_, dictionaries, true));
}

void CatalogTest::reopen(std::shared_ptr<const Dictionary> dictionary) {
  catalog_.reset();
  catalog_ = open_catalog(std::move(dictionary));
}

void CatalogTest::change_tables(const std::string& collection,
                                const std::function<Result<void>(lmdb::WriteTxn&, const Tables&)>& change) {
  catalog_ = nullptr;
  {
    const std::filesystem::path folder = data_ / "collections" / collection / "gen-1";
    lmdb::Env env = must(lmdb::Env::open(folder, table_specs(), {}, false));
    const Tables tables = tables_of(env);
    must(env.write([&](lmdb::WriteTxn& txn) { return change(txn, tables); }));
  }
  reopen();
}

void CatalogTest::forget_dictionaries() const {
  if (is_opensearch()) {
    const auto client = must(opensearch::Client::open(must(opensearch::parse_address(database_))));
    for (const auto& [name, entry] : must(opensearch::all_entries(*client, false))) {
      opensearch::Head head = must(opensearch::read_head(*client, entry.store));
      head.dictionary.clear();
      must(opensearch::write_head(*client, entry.store, head));
    }
    return;
  }
  if (!is_lmdb()) {
    must(must(pg::Connection::open(database_))->run("DELETE FROM akin.store_dictionaries"));
    return;
  }
  std::vector<std::filesystem::path> kept;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_ / "collections")) {
    if (entry.path().filename() == "dictionary") kept.push_back(entry.path());
  }
  for (const std::filesystem::path& file : kept) std::filesystem::remove(file);
}

std::shared_ptr<const Dictionary> CatalogTest::with_synonyms(const std::string& lines) const {
  const std::filesystem::path file = folder_.path() / "synonyms.txt";
  std::ofstream(file) << lines;
  DictionaryConfig config;
  config.cache = folder_.path() / "cache";
  config.languages = {(folder_.path() / "xx.aff").string()};
  config.synonyms = {file.string()};
  return must(Dictionary::open(config));
}

std::string CatalogTest::text_of(const std::string& name, int sentences) {
  std::string text;
  for (int i = 0; i < sentences; ++i) {
    std::string ordinal;
    for (int rest = i + 1; rest > 0; rest /= 26) ordinal += static_cast<char>('a' + rest % 26);
    text.append("Here stands sentence ")
        .append(ordinal)
        .append("q of the story about ")
        .append(name)
        .append(". ");
  }
  return text;
}

bool CatalogTest::put(Collection& collection, const std::string& id, const std::string& text) {
  return must(collection.put({id, "title of " + id, R"({"k":1})", text})).replaced;
}

std::vector<std::string> CatalogTest::ids(const Collection& collection) {
  std::vector<std::string> result;
  const std::unique_ptr<Snapshot> view = must(collection.snapshot());
  for (const DocumentRecord& record : must(view->list("", 1'000'000))) result.push_back(record.id);
  return result;
}

std::vector<std::string> CatalogTest::found(const Collection& collection, const std::string& text,
                                            std::uint64_t bound) {
  const FeatureSequence query = must(collection.analyze(text));
  SearchRequest request;
  request.query = &query;
  request.bound = bound;
  request.limit = 1'000'000;
  std::vector<std::string> result;
  const std::unique_ptr<Snapshot> view = must(collection.snapshot());
  for (const Hit& hit : must(view->search(request)).hits) result.push_back(hit.document.id);
  return result;
}

std::vector<std::string> CatalogTest::verify(const Collection& collection) {
  std::vector<std::string> findings;
  const auto report = [&](const Finding& finding) {
    findings.push_back(finding.where + ": " + finding.broken);
  };
  must(must(collection.snapshot())->verify(report, nullptr));
  must(collection.verify_deep(report, nullptr));
  return findings;
}

std::vector<std::string> CatalogTest::files(const std::string& collection) const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_ / "collections" / collection)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> CatalogTest::database_leftovers() const {
  std::vector<std::string> left;
  if (is_lmdb() || is_opensearch()) return left;
  const auto connection = must(pg::Connection::open(database_));
  const auto stores =
      must(connection->run("SELECT store FROM akin.stores s WHERE retired = 0 AND NOT EXISTS"
                           " (SELECT FROM akin.collections c WHERE c.store = s.store)"));
  for (std::size_t row = 0; row < stores.size(); ++row)
    left.push_back("store " + std::to_string(stores.number(row, 0)));
  std::vector<std::int64_t> known;
  const auto all = must(connection->run("SELECT store FROM akin.stores"));
  for (std::size_t row = 0; row < all.size(); ++row) known.push_back(all.number(row, 0));
  const auto tables =
      must(connection->run("SELECT convert_to(tablename, 'UTF8') FROM pg_tables WHERE"
                           " schemaname = 'akin' AND tablename ~ '_[0-9]+$'"
                           " AND NOT substring(tablename, '[0-9]+$')::bigint = ANY($1)",
                           pg::Params().numbers(known)));
  for (std::size_t row = 0; row < tables.size(); ++row) left.emplace_back(tables.bytes(row, 0));
  return left;
}

}  // namespace akin::test
