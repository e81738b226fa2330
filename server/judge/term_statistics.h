// The document frequencies of the terms of a collection, by which BM25 weighs them.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace akin::judge {

/// Document frequencies of terms (hashes of lemma classes) and the documents' mean length. Reading is safe
/// from any number of threads.
/// Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with an idf that
/// stays above 0: idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)).
class TermStatistics {
 public:
  struct Frequency {
    std::uint64_t term = 0;
    std::uint32_t documents = 0;
    friend bool operator==(const Frequency&, const Frequency&) = default;
  };

  static constexpr double kK1 = 1.2;
  static constexpr double kB = 0.75;

  TermStatistics() = default;
  /// Restores an object from `frequent` and the two totals.
  TermStatistics(std::uint64_t documents, std::uint64_t words, std::span<const Frequency> frequent);

  /// Counts a document of `length` words. Requires distinct terms.
  void add(std::span<const std::uint64_t> terms, std::uint64_t length);

  /// An unknown term counts as if it were in a single document. 1 for every term while no document was
  /// counted.
  [[nodiscard]] double idf(std::uint64_t term) const noexcept;

  /// The weight idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)) of a term that occurs
  /// `count` times in a document of `length` words, given its idf.
  [[nodiscard]] double weight(double idf, double count, double length) const noexcept;

  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::uint64_t words() const noexcept { return words_; }
  /// The terms of two or more documents, ascending: enough to restore idf exactly.
  [[nodiscard]] std::vector<Frequency> frequent() const;

 private:
  std::uint64_t documents_ = 0;
  std::uint64_t words_ = 0;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> counts_;
};

/// The statistics of a collection's texts, of its titles, and of the trigrams of both (trigrams.h).
struct CollectionStatistics {
  TermStatistics texts;
  TermStatistics titles;
  TermStatistics trigrams;
};

}  // namespace akin::judge
