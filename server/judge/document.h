// A document in the form that the judge compares: computed once from its text, so that comparing a pair
// merges sorted lists.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "dict/table/content_hash.h"
#include "server/judge/measures.h"
#include "server/judge/number_reader.h"
#include "server/judge/number_words.h"
#include "server/judge/term_statistics.h"
#include "server/judge/trigrams.h"

namespace akin::judge {

/// The input about a document. Only the text is required; missing fields make criteria undefined.
struct Document {
  std::string id;
  std::string title;
  std::string text;                     ///< UTF-8; blank lines separate paragraphs
  std::optional<std::int64_t> time;     ///< seconds since 1970 (UTC)
  std::string source;                   ///< who published it; empty: unknown
  std::optional<double> authority;      ///< of the source, 0 … 1: how likely it publishes originals
  std::vector<std::string> links;       ///< addresses that the text links to
  bool has_links = false;               ///< `links` was given, even if empty
  std::optional<std::uint32_t> images;  ///< the number of pictures and films
  std::map<std::string, std::string, std::less<>> metadata;  ///< its strings; they select a model
};

/// The origin of a document.
struct Origin {
  std::string source;               ///< empty: unknown
  std::optional<double> authority;  ///< as given with the document
};

/// How many of a document's heaviest words are kept, and how many numbers in their order; sets are complete.
inline constexpr std::size_t kHeaviestWords = 24;
inline constexpr std::size_t kMaxNumberOrder = 1000;

/// All lists except `numbers_in_order` and `heaviest` are sets (measures.h). Without statistics, the stop
/// words of all languages are left out of `words`, `title`, `headline` and `heaviest`: nothing shows that
/// they weigh little.
struct JudgedDocument {
  std::vector<Weighted> words;  ///< classes, weighted by BM25
  std::vector<Weighted> title;
  std::vector<Weighted> headline;         ///< classes of the title, or of the first sentence, weighted by idf
  std::vector<Weighted> subject;          ///< those of them that are names or begin with a digit
  std::vector<WeightedTrigram> trigrams;  ///< of title and text
  double words_square = 0, title_square = 0, trigrams_square = 0;  ///< dot(words, words) …
  std::vector<Weighted> sentences;              ///< SH of each, weighted by the sum of its words' idf
  std::vector<Weighted> paragraphs;             ///< the same for each paragraph, its sentences in any order
  std::vector<Weighted> names;                  ///< capitalized words inside sentences, weighted by idf
  std::vector<std::uint64_t> sentence_pairs;    ///< features of the scheme sentence-pairs
  std::vector<std::uint64_t> numbers;           ///< see NumberFacts
  std::vector<std::uint64_t> numbers_in_order;  ///< the first kMaxNumberOrder
  std::vector<std::uint64_t> number_pairs;      ///< TextFacts
  std::vector<std::uint64_t> dates;
  std::vector<std::uint64_t> quantities;
  std::vector<std::uint64_t> heaviest;  ///< classes by descending weight, at most kHeaviestWords
  std::vector<std::uint64_t> links;     ///< hashes of the addresses
  bool has_links = false;
  std::optional<std::uint32_t> images;
  std::optional<std::int64_t> time;
  Origin origin;
};

/// Prepares documents for comparison. Reuses its buffers: one object per thread.
class Preparer {
 public:
  /// All arguments must outlive it.
  Preparer(const Dictionary& dictionary, const NumberWords& numbers, const CollectionStatistics& statistics);
  ~Preparer();

  /// One pass over the text and one over the title. Errors: as scan_text.
  [[nodiscard]] Result<JudgedDocument> prepare(const Document& document);

  /// Counts the words of the document, and of its title if it has one, in `statistics`. Errors: as scan_text.
  [[nodiscard]] Result<void> count(const Document& document, CollectionStatistics& statistics);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Term statistics of documents, each distinct text counted once.
class DocumentCounter {
 public:
  /// The dictionary must outlive it.
  explicit DocumentCounter(const Dictionary& dictionary);
  DocumentCounter(const DocumentCounter&) = delete;
  DocumentCounter& operator=(const DocumentCounter&) = delete;

  /// Errors: as scan_text, with the document's id.
  [[nodiscard]] Result<void> add(const Document& document);
  [[nodiscard]] CollectionStatistics take() { return std::move(statistics_); }

 private:
  NumberWords numbers_;
  CollectionStatistics statistics_;
  Preparer preparer_;
  std::set<Digest> seen_;
};

/// The same of documents in memory. Errors: as DocumentCounter::add.
[[nodiscard]] Result<CollectionStatistics> count_collection(std::span<const Document> documents,
                                                            const Dictionary& dictionary);

/// The error with the document's id.
[[nodiscard]] Error of_document(Error error, const Document& document);

}  // namespace akin::judge
