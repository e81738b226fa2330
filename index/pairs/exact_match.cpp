#include "index/pairs/exact_match.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "morph/words/scanner.h"

namespace akin {

namespace {

using WordSet = std::vector<std::uint64_t>;  // hashes of classes, ascending

class ClassCollector final : public SentenceSink {
 public:
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) classes_.push_back(word.lemma_class.hash);
  }

  [[nodiscard]] WordSet take() {
    std::ranges::sort(classes_);
    classes_.erase(std::unique(classes_.begin(), classes_.end()), classes_.end());
    return std::move(classes_);
  }

 private:
  WordSet classes_;
};

Result<WordSet> words_of(const std::string& text, const Dictionary& dictionary) {
  ClassCollector collector;
  AKIN_CHECK(scan_text(text, dictionary, collector));
  return collector.take();
}

/// Visits all documents, a batch at a time, with the words of each.
class Pass {
 public:
  Pass(const Snapshot& snapshot, const Dictionary& dictionary)
      : snapshot_(snapshot), dictionary_(dictionary) {}

  template <class Tell>
  Result<void> run(const Tell& tell) {
    std::string after;
    for (;;) {
      AKIN_TRY(const std::vector<StoredDocument> page, snapshot_.list(after, kPage));
      if (page.empty()) return {};
      for (std::size_t at = 0; at < page.size();) {
        AKIN_TRY(at, batch(page, at, tell));
      }
      after = page.back().id;
    }
  }

 private:
  static constexpr std::size_t kPage = 256;
  static constexpr std::size_t kBatchBytes = std::size_t{32} << 20;

  template <class Tell>
  Result<std::size_t> batch(const std::vector<StoredDocument>& page, std::size_t first, const Tell& tell) {
    std::vector<std::string> texts;
    for (std::size_t bytes = 0; first + texts.size() < page.size() && bytes < kBatchBytes;) {
      AKIN_TRY(std::string text, snapshot_.text(page[first + texts.size()]));
      bytes += text.size();
      texts.push_back(std::move(text));
    }
    std::vector<Result<WordSet>> words(texts.size(), WordSet());
    for_each_index(texts.size(), [&](std::size_t i) { words[i] = words_of(texts[i], dictionary_); });
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (words[i].has_error()) return words[i].error();
      tell(page[first + i].id, std::span<const std::uint64_t>(*words[i]));
    }
    return first + texts.size();
  }

  const Snapshot& snapshot_;
  const Dictionary& dictionary_;
};

struct Identity {
  using is_avalanching = void;  // class hashes are mixed
  std::size_t operator()(std::uint64_t value) const noexcept { return value; }
};
using Frequencies = boost::unordered_flat_map<std::uint64_t, std::uint32_t, Identity>;

/// Whether a word that occurs in `documents` of `all` has a middle IDF.
bool is_middle(std::uint32_t documents, std::uint64_t all, const ExactMatchRequest& request) {
  if (all < 2) return false;
  const double idf = std::log(static_cast<double>(all) / documents) / std::log(static_cast<double>(all));
  return idf >= request.low && idf <= request.high;
}

struct Signed {
  std::uint64_t signature = 0;
  std::string id;
};

/// The groups of equal signatures, each in the order of ids; largest first, then by first id.
std::vector<std::span<const Signed>> arranged(std::vector<Signed>& documents) {
  std::ranges::sort(documents, [](const Signed& left, const Signed& right) {
    return std::pair<std::uint64_t, std::string_view>(left.signature, left.id) <
           std::pair<std::uint64_t, std::string_view>(right.signature, right.id);
  });
  std::vector<std::span<const Signed>> groups;
  for (std::size_t first = 0; first < documents.size();) {
    std::size_t end = first + 1;
    while (end < documents.size() && documents[end].signature == documents[first].signature) ++end;
    if (end - first > 1) groups.push_back(std::span(documents).subspan(first, end - first));
    first = end;
  }
  std::ranges::sort(groups, [](const auto& left, const auto& right) {
    return left.size() != right.size() ? left.size() > right.size() : left.front().id < right.front().id;
  });
  return groups;
}

}  // namespace

Result<ExactMatchSummary> exact_match_groups(const Snapshot& snapshot, const Dictionary& dictionary,
                                             const ExactMatchRequest& request, const GroupVisitor& visit) {
  // Written so that NaN is rejected too.
  if (!(request.low >= 0 && request.low <= request.high && request.high <= 1)) {
    return Error{Errc::invalid_argument, "band of IDF", "not 0 <= low <= high <= 1", ""};
  }
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  std::uint64_t read = 0;
  const auto progress = [&] {
    if (request.progress) request.progress(++read, 2 * stats.documents);
  };
  Pass pass(snapshot, dictionary);
  Frequencies frequencies;
  AKIN_CHECK(pass.run([&](const std::string&, std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) ++frequencies[word];
    progress();
  }));
  ExactMatchSummary summary;
  summary.all_words = frequencies.size();
  for (const auto& [word, documents] : frequencies) {
    if (is_middle(documents, stats.documents, request)) ++summary.words;
  }
  std::vector<Signed> documents;
  AKIN_CHECK(pass.run([&](const std::string& id, std::span<const std::uint64_t> words) {
    std::optional<std::uint64_t> signature;
    for (const std::uint64_t word : words) {
      if (!is_middle(frequencies.at(word), stats.documents, request)) continue;
      signature = mix64(signature.value_or(0) * 3 + word);
    }
    if (signature) {
      documents.push_back({*signature, id});
    } else {
      ++summary.without_signature;
    }
    progress();
  }));
  std::vector<std::string> ids;
  for (const std::span<const Signed> group : arranged(documents)) {
    ids.clear();
    for (const Signed& member : group) ids.push_back(member.id);
    AKIN_CHECK(visit(ids));
    ++summary.groups;
    summary.documents += ids.size();
  }
  return summary;
}

}  // namespace akin
