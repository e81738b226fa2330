// Texts on their way into a collection, as `akin index` loads them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "index/collection/catalog.h"

namespace akin::bench {

struct LoadedText {
  std::string id;
  std::string text;
};

/// Fills in the next document; false when there is none.
using NextDocument = std::function<bool(LoadedText& document)>;

/// A new collection in a folder of its own, with the default scheme and dictionaries ru,en.
class BenchCollection {
 public:
  BenchCollection(const std::filesystem::path& folder, bool store_texts);

  [[nodiscard]] Collection& operator*() const noexcept { return *collection_; }
  [[nodiscard]] Collection* operator->() const noexcept { return collection_.get(); }

 private:
  std::shared_ptr<Catalog> catalog_;
  std::shared_ptr<Collection> collection_;
};

/// What the collection in `folder` has, read as its scheme requires.
[[nodiscard]] std::unique_ptr<Snapshot> snapshot_of(const std::filesystem::path& folder);

/// The dictionaries of every collection here: ru,en.
[[nodiscard]] std::shared_ptr<const Dictionary> bench_dictionary();

/// The folder of the store that the collection in `folder` uses.
[[nodiscard]] std::filesystem::path store_folder(const std::filesystem::path& folder);

struct LoadFigures {
  std::uint64_t documents = 0, bytes = 0;  ///< of texts
  double seconds = 0;                      ///< until the last document was durable
  double source_seconds = 0;               ///< the part of them that making the documents took
  double processor_seconds = 0;            ///< of all threads, for the documents too
  [[nodiscard]] double megabytes_per_second() const noexcept {
    return static_cast<double>(bytes) / 1e6 / seconds;
  }
};

/// Stores all documents by bulk_load within `memory` bytes. Throws std::runtime_error.
LoadFigures load(Collection& collection, const NextDocument& next, std::uint64_t memory);

}  // namespace akin::bench
