#include <boost/unordered/unordered_flat_set.hpp>
#include <span>
#include <utility>
#include <vector>

#include "cli/dedup/text_cutter.h"
#include "morph/align/word_sequence.h"

namespace akin::dedup {

namespace {

/// Odd, so that no word loses bits as it moves through a run (Karp and Rabin 1987).
constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15U;

/// The hash of each run of `length` words, in order.
std::vector<std::uint64_t> hash_runs(std::span<const std::uint64_t> classes, std::size_t length) {
  std::vector<std::uint64_t> hashes;
  if (classes.size() < length) return hashes;
  hashes.reserve(classes.size() - length + 1);
  std::uint64_t hash = 0, power = 1;  // kBase to the power of `length`
  for (std::size_t at = 0; at < classes.size(); ++at) {
    hash = hash * kBase + classes[at];
    if (at < length) {
      power *= kBase;
    } else {
      hash -= classes[at - length] * power;
    }
    if (at + 1 >= length) hashes.push_back(hash);
  }
  return hashes;
}

class RunCutter final : public TextCutter {
 public:
  RunCutter(std::shared_ptr<const Dictionary> dictionary, std::size_t length, std::string mark)
      : dictionary_(std::move(dictionary)), length_(length), mark_(std::move(mark)) {}

  Result<std::function<TextRest()>> read(std::string_view text) override {
    AKIN_TRY(WordSequence words, read_words(text, *dictionary_));
    return std::function<TextRest()>(
        [this, text, bytes = std::move(words.bytes), runs = hash_runs(words.classes, length_)] {
          return rest_of(text, bytes, runs);
        });
  }

 private:
  /// The words in passages that repeat. From now on, all runs of the text occurred.
  std::vector<WordRange> find_passages(const std::vector<std::uint64_t>& runs) {
    std::vector<WordRange> passages;
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (at >= length_) seen_.insert(runs[at - length_]);
      if (!seen_.contains(runs[at])) continue;
      const auto begin = static_cast<std::uint32_t>(at), end = static_cast<std::uint32_t>(at + length_);
      if (!passages.empty() && begin <= passages.back().end) {
        passages.back().end = end;
      } else {
        passages.push_back({begin, end});
      }
    }
    for (std::size_t at = runs.size() > length_ ? runs.size() - length_ : 0; at < runs.size(); ++at)
      seen_.insert(runs[at]);
    return passages;
  }

  TextRest rest_of(std::string_view text, const std::vector<TextRange>& words,
                   const std::vector<std::uint64_t>& runs) {
    const std::vector<WordRange> passages = find_passages(runs);
    TextRest rest{{}, 0, passages.size()};
    std::size_t at = 0;
    for (const WordRange& passage : passages) {
      rest.text += text.substr(at, words[passage.begin].begin - at);
      rest.text += mark_;
      const std::size_t next = passage.end < words.size() ? words[passage.end].begin : text.size();
      at = mark_.empty() ? next : words[passage.end - 1].end;
    }
    rest.text += text.substr(at);
    return rest;
  }

  const std::shared_ptr<const Dictionary> dictionary_;
  const std::size_t length_;
  const std::string mark_;
  boost::unordered_flat_set<std::uint64_t> seen_;
};

}  // namespace

std::unique_ptr<TextCutter> cutter_of_runs(std::shared_ptr<const Dictionary> dictionary, std::size_t length,
                                           std::string mark) {
  return std::make_unique<RunCutter>(std::move(dictionary), length, std::move(mark));
}

}  // namespace akin::dedup
