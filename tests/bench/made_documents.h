// The text generator over the sentences of the corpora, as a source of documents.
#pragma once

#include "tests/bench/bench.h"
#include "tests/bench/collection_load.h"
#include "tests/bench/text_generator.h"

namespace akin::bench {

/// The sentences of all novels of the corpora. Throws Skipped without corpora.
[[nodiscard]] SentencePool corpora_pool(const Session& session);

/// Documents of a generator until they have `size` bytes.
class MadeDocuments {
 public:
  static constexpr std::uint64_t kSeed = 2009;

  /// Views the generator.
  MadeDocuments(const TextGenerator& generator, std::uint64_t size) : generator_(generator), size_(size) {}
  bool operator()(LoadedText& document) {
    if (bytes_ >= size_) return false;
    document.id = TextGenerator::id(number_);
    generator_.make(number_++, document.text);
    bytes_ += document.text.size();
    return true;
  }

 private:
  const TextGenerator& generator_;
  std::uint64_t size_;
  std::uint64_t bytes_ = 0, number_ = 0;
};

}  // namespace akin::bench
