#include "tests/bench/collection_load.h"

#include <vector>

#include "tests/bench/bench.h"

namespace akin::bench {

namespace {

constexpr const char* kName = "bench";

}  // namespace

std::shared_ptr<const Dictionary> bench_dictionary() {
  DictionaryConfig config;
  config.languages = {"ru", "en"};
  return need(Dictionary::open(config));
}

BenchCollection::BenchCollection(const std::filesystem::path& folder, bool store_texts) {
  if (!store_texts) throw Skipped("this akin stores every text (--no-texts)");
  catalog_ = need(Catalog::open(folder, bench_dictionary(), "ru,en", true));
  collection_ = need(catalog_->create(kName, kDefaultScheme));
}

std::filesystem::path store_folder(const std::filesystem::path& folder) {
  const CollectionFolder collection(folder / "collections" / kName);
  return collection.store_path(need(collection.current()));
}

LoadFigures load(Collection& collection, const DocumentSource& next) {
  constexpr std::size_t kBatchBytes = std::size_t{32} << 20U;
  LoadFigures figures;
  std::vector<OwnedDocument> batch;
  bool more = true;
  const Stopwatch watch;
  while (more) {
    std::size_t documents = 0, bytes = 0;
    const Stopwatch making;
    while (bytes < kBatchBytes) {
      if (documents == batch.size()) batch.emplace_back();
      if (more = next(batch[documents]); !more) break;
      bytes += batch[documents++].text.size();
    }
    figures.source_seconds += making.seconds();
    std::vector<SourceDocument> sources;
    for (std::size_t i = 0; i < documents; ++i) sources.push_back({batch[i].id, "", "", batch[i].text});
    need(collection.put_all(sources));
    figures.documents += documents;
    figures.bytes += bytes;
  }
  figures.seconds = watch.seconds();
  return figures;
}

}  // namespace akin::bench
