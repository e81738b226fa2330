#include "tests/bench/collection_load.h"

#include <utility>
#include <vector>

#include "index/collection/bulk.h"
#include "index/lmdb/catalog.h"
#include "index/lmdb/folder/collection_folder.h"
#include "tests/bench/bench.h"
#include "tests/bench/process.h"

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
  catalog_ = need(open_data_folder(folder, bench_dictionary(), "ru,en", true));
  collection_ = need(catalog_->create(kName, kDefaultScheme, store_texts));
}

std::unique_ptr<Snapshot> snapshot_of(const std::filesystem::path& folder) {
  const auto catalog = need(open_data_folder(folder, bench_dictionary(), "ru,en", false));
  return need(need(catalog->get(kName))->snapshot());
}

std::filesystem::path store_folder(const std::filesystem::path& folder) {
  const CollectionFolder collection(folder / "collections" / kName);
  return collection.store_path(need(collection.current()));
}

LoadFigures load(Collection& collection, const NextDocument& next, std::uint64_t memory) {
  LoadFigures figures;
  const DocumentSource source = [&](std::uint64_t wanted) -> Result<std::vector<OwnedDocument>> {
    std::vector<OwnedDocument> batch;
    const Stopwatch making;
    for (std::uint64_t bytes = 0; bytes < wanted;) {
      LoadedText document;
      if (!next(document)) break;
      bytes += document.text.size();
      batch.push_back({std::move(document.id), "", "", std::move(document.text)});
    }
    figures.source_seconds += making.seconds();
    return batch;
  };
  BulkOptions options;
  options.memory = memory;
  BulkResult result;
  const double before = process_seconds();
  const Stopwatch watch;
  need(bulk_load(collection, source, options, result));
  figures.seconds = watch.seconds();
  figures.processor_seconds = process_seconds() - before;
  figures.documents = result.stored;
  figures.bytes = result.bytes;
  return figures;
}

}  // namespace akin::bench
