// Other programs on the same collection and the same queries: PostgreSQL with X in SQL, search engines that
// ask for a number of matching terms, MinHash LSH. The data go to files that their scripts (peers/*.py) read;
// the scripts print rows.
#include <algorithm>
#include <fstream>
#include <map>

#include "tests/bench/all_pairs.h"
#include "tests/bench/bench.h"
#include "tests/bench/script_rows.h"
#include "tests/bench/synthetic_store.h"

namespace akin::bench {

namespace {

constexpr std::size_t kPeerQueries = 1000;

std::map<Feature, unsigned> counts_of(const FeatureSequence& features) {
  std::map<Feature, unsigned> counts;
  for (const Feature feature : features.hashes) counts[feature] += 1;
  return counts;
}

/// Lines "number feature count", tab-separated, features as signed numbers.
void write_features(std::ofstream& file, std::uint64_t number, const FeatureSequence& features) {
  for (const auto& [feature, count] : counts_of(features))
    file << number << '\t' << static_cast<std::int64_t>(feature) << '\t' << count << '\n';
}

/// The number after "doc".
std::uint64_t number_of(std::string_view id) { return std::stoull(std::string(id.substr(3))); }

/// Lines "number document x": every stored document with X > 3, as akin answers.
double write_answers(std::ofstream& file, const Store& store, std::uint64_t number,
                     const FeatureSequence& query) {
  SearchRequest request;
  request.query = &query;
  request.limit = 1'000'000'000;
  const Stopwatch watch;
  const auto snapshot = need(store.snapshot());
  const SearchResult result = need(snapshot->search(request));
  const double seconds = watch.seconds();
  for (const Hit& hit : result.hits)
    file << number << '\t' << number_of(hit.document.id) << '\t' << hit.overlap.x << '\n';
  return seconds;
}

/// Lines "document document": pairs with a resemblance of at least one half.
void write_duplicates(const std::filesystem::path& file, const Store& store) {
  std::ofstream lines(file);
  const auto snapshot = need(store.snapshot());
  all_pairs(*snapshot, {}, [&](const SimilarPair& pair) {
    if (pair.overlap.resemblance() >= 0.5) lines << number_of(pair.a) << '\t' << number_of(pair.b) << '\n';
  });
  if (!lines.flush()) throw std::runtime_error("cannot write " + file.string());
}

/// Writes documents.tsv, queries.tsv, answers.tsv and duplicates.tsv, and reports akin's own figures
/// under the name of the peer.
void export_collection(Session& session, const std::string& peer, std::uint64_t documents) {
  const SyntheticCollection collection(kSeed);
  const auto& folder = session.scratch;
  const auto store = make_store(folder / "store");
  const double load = fill(*store, collection, 0, documents);
  std::ofstream rows(folder / "documents.tsv"), queries(folder / "queries.tsv"),
      answers(folder / "answers.tsv");
  for (std::uint64_t i = 0; i < documents; ++i) write_features(rows, i, collection.document(i));
  std::vector<double> seconds;
  for (std::size_t i = 0; i < kPeerQueries; ++i) {
    const FeatureSequence query = collection.query(i, documents, SyntheticCollection::kQueryFeatures);
    write_features(queries, i, query);
    seconds.push_back(write_answers(answers, *store, i, query));
  }
  std::sort(seconds.begin(), seconds.end());
  const std::string at = " at " + std::to_string(documents) + " documents";
  session.add(
      {"akin beside " + peer + ": build" + at, load, "s", {}, Better::lower, "from features, as its peers"});
  session.add(
      {"akin beside " + peer + ": query p50" + at,
       percentile(seconds, 0.5) * 1e3,
       "ms",
       {},
       Better::lower,
       format("p99 %.3g ms; all documents with X > 3: 100 %% complete", percentile(seconds, 0.99) * 1e3)});
  write_duplicates(folder / "duplicates.tsv", *store);
  for (std::ofstream* file : {&rows, &queries, &answers})
    if (!file->flush()) throw std::runtime_error("cannot write the files for the peers");
}

/// A program measured beside akin on the same documents and queries, at 10,000 documents and ten times that,
/// as far as `documents` and the run's sizes go.
struct Peer {
  const char* measurement;
  const char* what;
  const char* name;    ///< as the rows have it
  const char* script;  ///< of peers/
  std::uint64_t documents;
};

constexpr Peer kPeers[] = {
    {"postgres", "PostgreSQL with an index on features and X in SQL, the same queries", "PostgreSQL",
     "postgres.py", 100'000},
    {"tantivy", "tantivy, at least four of a query's terms, with its completeness", "tantivy",
     "tantivy_peer.py", 100'000},
    {"lucene", "Lucene, at least four of a query's terms, with its completeness", "Lucene", "lucene_peer.py",
     100'000},
    {"xapian", "Xapian, at least four of a query's terms, with its completeness", "Xapian", "xapian_peer.py",
     100'000},
    {"rensa", "rensa's MinHash LSH, build and query, with its completeness", "rensa", "rensa_peer.py",
     100'000},
    {"datasketch", "datasketch's MinHash LSH, build and query, with its completeness", "datasketch",
     "datasketch_peer.py", 10'000},
};

void measure_peer(Session& session, const Peer& peer) {
  const std::uint64_t most = std::min(session.sizes.documents, peer.documents);
  for (std::uint64_t documents = std::min<std::uint64_t>(most, 10'000); documents <= most; documents *= 10) {
    isolated(session, [&](Session& inner) { export_collection(inner, peer.name, documents); });
    add_rows_of(session, std::string("peers/") + peer.script, {session.scratch.string()},
                " at " + std::to_string(documents) + " documents");
    std::filesystem::remove_all(session.scratch / "store");
  }
}

}  // namespace

std::vector<Measurement> peer_measurements() {
  std::vector<Measurement> all;
  for (const Peer& peer : kPeers)
    all.push_back({peer.measurement, peer.what, [&peer](Session& session) { measure_peer(session, peer); }});
  return all;
}

}  // namespace akin::bench
