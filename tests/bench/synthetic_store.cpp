#include "tests/bench/synthetic_store.h"

#include <algorithm>

namespace akin::bench {

std::shared_ptr<LmdbStore> make_store(const std::filesystem::path& folder) {
  return need(LmdbStore::create(folder, {"sentence-pairs", "synthetic", ""}));
}

std::shared_ptr<LmdbStore> open_store(const std::filesystem::path& folder) {
  return need(LmdbStore::open(folder));
}

NewDocument as_document(const FeatureSequence& features, std::string id) {
  NewDocument document;
  document.record.id = std::move(id);
  document.record.code_points = features.code_points;
  document.record.sentences = features.sentences;
  document.record.features = features.hashes.size();
  document.features = &features;
  return document;
}

double fill(Store& store, const SyntheticCollection& collection, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t kBatch = 20'000;
  double seconds = 0;
  for (std::uint64_t at = begin; at < end; at += kBatch) {
    const std::uint64_t stop = std::min(at + kBatch, end);
    std::vector<FeatureSequence> sequences;
    std::vector<NewDocument> batch;
    sequences.reserve(stop - at);
    for (std::uint64_t i = at; i < stop; ++i) {
      sequences.push_back(collection.document(i));
      batch.push_back(as_document(sequences.back(), SyntheticCollection::id(i)));
    }
    const Stopwatch watch;
    need(store.put_all(batch));
    seconds += watch.seconds();
  }
  const Stopwatch watch;
  need(store.flush_and_merge(false));
  return seconds + watch.seconds();
}

std::vector<QueryKind> query_kinds() { return {{"bound 3", 3, 0.0}, {"containment 0.1", 3, 0.1}}; }

double search_once(const Store& store, const FeatureSequence& query, const QueryKind& kind) {
  SearchRequest request;
  request.query = &query;
  request.bound = kind.bound;
  request.min_containment = kind.min_containment;
  const Stopwatch watch;
  const auto snapshot = need(store.snapshot());
  const SearchResult result = need(snapshot->search(request));
  const double seconds = watch.seconds();
  if (result.total == 0) throw std::runtime_error("a query with stored passages found nothing");
  return seconds;
}

std::vector<double> search_seconds(const Store& store, const SyntheticCollection& collection,
                                   std::uint64_t documents, std::size_t count, const QueryKind& kind) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i)
    seconds.push_back(
        search_once(store, collection.query(i, documents, SyntheticCollection::kQueryFeatures), kind));
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

}  // namespace akin::bench
