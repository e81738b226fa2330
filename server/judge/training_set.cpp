#include "server/judge/training_set.h"

#include "dict/table/content_hash.h"
#include "server/judge/folds.h"
#include "server/judge/window.h"

namespace akin::judge {

std::vector<std::string> document_keys(const Document& document) {
  std::vector<std::string> keys{"text:" + to_hex(content_hash(document.text))};
  if (!document.id.empty()) keys.push_back("id:" + document.id);
  return keys;
}

std::vector<std::size_t> groups_of(std::span<const LabelledPair> pairs) {
  std::vector<PairKeys> keys;
  for (const LabelledPair& pair : pairs) {
    PairKeys both{document_keys(pair.a)};
    for (std::string& key : document_keys(pair.b)) both.keys.push_back(std::move(key));
    keys.push_back(std::move(both));
  }
  return group_pairs(keys);
}

Result<CollectionStatistics> count_collection(std::span<const LabelledPair> pairs,
                                              std::span<const Document> background,
                                              const Dictionary& dictionary) {
  DocumentCounter counter(dictionary);
  for (const LabelledPair& pair : pairs) {
    AKIN_CHECK(counter.add(pair.a));
    AKIN_CHECK(counter.add(pair.b));
  }
  for (const Document& document : background) AKIN_CHECK(counter.add(document));
  return counter.take();
}

Result<std::vector<Example>> compare_pairs(std::span<const LabelledPair> pairs,
                                           std::span<const std::size_t> groups,
                                           const ComparisonOptions& options) {
  const NumberWords numbers(*options.dictionary);
  Preparer preparer(*options.dictionary, numbers, *options.statistics);
  const auto prepare = [&](const Document& document) -> Result<JudgedDocument> {
    auto prepared = preparer.prepare(document);
    if (prepared.has_error()) return of_document(std::move(prepared).error(), document);
    return prepared;
  };
  std::vector<Example> examples;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    AKIN_TRY(const JudgedDocument a, prepare(pairs[i].a));
    AKIN_TRY(const JudgedDocument b, prepare(pairs[i].b));
    examples.push_back({compare(a, b, {}), a.origin, b.origin, pairs[i].label, groups[i]});
    if (options.both_ways) {
      examples.push_back({compare(b, a, {}), b.origin, a.origin, pairs[i].label, groups[i]});
    }
  }
  return examples;
}

Result<ComparedPairs> count_compared(std::span<const LabelledPair> pairs,
                                     const CollectionStatistics& statistics, const Dictionary& dictionary) {
  const NumberWords numbers(dictionary);
  Preparer preparer(dictionary, numbers, statistics);
  ComparedPairs counts;
  for (const LabelledPair& pair : pairs) {
    auto a = preparer.prepare(pair.a);
    if (a.has_error()) return of_document(std::move(a).error(), pair.a);
    auto b = preparer.prepare(pair.b);
    if (b.has_error()) return of_document(std::move(b).error(), pair.b);
    Window window({});
    window.insert({"b", 0, nullptr, *std::move(b)});
    const bool compared = !window.candidates(*a).best.empty();
    ++(pair.label ? counts.positives : counts.negatives);
    if (compared) ++(pair.label ? counts.compared_positives : counts.compared_negatives);
  }
  return counts;
}

}  // namespace akin::judge
