#include "index/search/run_search.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/waiting.h"
#include "index/codec/word_codes.h"
#include "index/search/coded_runs.h"
#include "index/search/run_bits.h"
#include "index/search/word_cache.h"

namespace akin {
namespace {

constexpr std::size_t kDocumentsAtOnce = 256;

/// A document with runs: where they are among all that were found.
struct WithRuns {
  std::uint64_t document = 0;
  std::size_t begin = 0, end = 0;
  double bits = 0;          ///< of the most improbable run
  std::uint32_t words = 0;  ///< of the longest one
};

std::string codes_of(const PackedWords& words) {
  std::string codes, of_class;
  const NumberedWords numbered = words.numbered();
  for (const std::uint64_t word_class : numbered.classes())
    of_class += static_cast<char>(code_of(word_class));
  codes.reserve(numbered.size());
  for (const std::uint32_t number : numbered.numbers()) codes += of_class[number];
  return codes;
}

class RunSearch {
 public:
  RunSearch(const Snapshot& snapshot, const TextAligner& aligner, const RunRequest& request)
      : snapshot_(snapshot), aligner_(aligner), request_(request), runs_(aligner.classes(), request.run) {}

  Result<RunsFound> run() {
    AKIN_CHECK(read_all());
    RunsFound result{.total = found_.size(), .common = 0, .documents = {}};
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (request_.most && found_.size() > *request_.most) {
      most = *request_.most;
      AKIN_CHECK(rank());
      result.common = count_common();
    }
    AKIN_TRY(result.documents, documents(most));
    return result;
  }

 private:
  Result<void> read_all() {
    std::vector<std::uint64_t> without;
    const auto read = [&](std::uint64_t document, std::string_view kept) -> Result<void> {
      if (const auto codes = decode_word_codes(kept, aligner_.dictionary())) {
        look_in(document, *codes);
      } else {
        const std::lock_guard lock(mutex_);
        without.push_back(document);
      }
      return check_work();
    };
    AKIN_CHECK(snapshot_.all_kept_words(read));
    for (std::size_t at = 0; at < without.size(); at += kDocumentsAtOnce) {
      const auto some = std::span(without).subspan(at, std::min(kDocumentsAtOnce, without.size() - at));
      AKIN_TRY(const std::vector<StoredDocument> documents, snapshot_.numbered(some));
      for (const StoredDocument& one : documents) {
        AKIN_CHECK(check_work());
        AKIN_TRY(const auto words,
                 WordCache::of_process().words(snapshot_, one, aligner_.dictionary(), &texts_));
        look_in(one.number, codes_of(*words));
      }
    }
    return {};
  }

  void look_in(std::uint64_t document, std::string_view codes) {
    const std::vector<WordRange> shared = runs_.find(codes);
    if (shared.empty()) return;
    const std::lock_guard lock(mutex_);
    found_.push_back({document, all_.size(), all_.size() + shared.size()});
    all_.insert(all_.end(), shared.begin(), shared.end());
  }

  /// Brings those with the most improbable runs to the front.
  Result<void> rank() {
    RunBits bits(aligner_.words());
    for (const WithRuns& one : found_) bits.add(runs_of(one));
    AKIN_TRY(const StoreStats stats, snapshot_.stats());
    for (WithRuns& one : found_) {
      one.bits = bits.most(runs_of(one), stats.documents);
      one.words = std::ranges::max(runs_of(one), {}, &WordRange::size).size();
    }
    std::ranges::sort(found_, [](const WithRuns& left, const WithRuns& right) {
      return std::tie(right.bits, right.words, left.document) <
             std::tie(left.bits, left.words, right.document);
    });
    return {};
  }

  [[nodiscard]] std::span<const WordRange> runs_of(const WithRuns& one) const {
    return std::span(all_).subspan(one.begin, one.end - one.begin);
  }

  [[nodiscard]] std::uint64_t count_common() const {
    std::vector<std::uint64_t> having(aligner_.words());
    for (const WordRange& run : all_)
      for (std::uint32_t word = run.begin; word < run.end; ++word) ++having[word];
    return static_cast<std::uint64_t>(
        std::ranges::count_if(having, [&](std::uint64_t count) { return count > *request_.most; }));
  }

  [[nodiscard]] Result<bool> is_wanted(const StoredDocument& document) const {
    const SearchRequest& page = request_.page;
    if (std::ranges::find(page.exclude, document.id) != page.exclude.end()) return false;
    return page.accept ? page.accept(document) : Result<bool>(true);
  }

  /// Those found first that the page does not leave out: `most` of them, or a few more.
  Result<std::vector<StoredDocument>> documents(std::uint64_t most) const {
    std::vector<StoredDocument> wanted;
    for (std::size_t at = 0; at < found_.size() && wanted.size() < most; at += kDocumentsAtOnce) {
      AKIN_CHECK(check_work());
      std::vector<std::uint64_t> numbers;
      for (std::size_t i = at; i < std::min(at + kDocumentsAtOnce, found_.size()); ++i)
        numbers.push_back(found_[i].document);
      AKIN_TRY(std::vector<StoredDocument> read, snapshot_.numbered(numbers));
      for (StoredDocument& one : read) {
        AKIN_TRY(const bool is_one, is_wanted(one));
        if (is_one) wanted.push_back(std::move(one));
      }
    }
    std::ranges::sort(wanted, {}, [](const StoredDocument& one) {
      return std::pair(one.text_bytes, std::string_view(one.id));
    });
    return wanted;
  }

  const Snapshot& snapshot_;
  const TextAligner& aligner_;
  const RunRequest& request_;
  CodedRuns runs_;
  WordCache::Series texts_;
  std::mutex mutex_;  ///< of what several threads add to
  std::vector<WordRange> all_;
  std::vector<WithRuns> found_;
};

}  // namespace

Result<RunsFound> find_runs(const Snapshot& snapshot, const TextAligner& aligner, const RunRequest& request) {
  return RunSearch(snapshot, aligner, request).run();
}

}  // namespace akin
