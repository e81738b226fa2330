#include "cli/dedup/shared_sentences.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "morph/words/scanner.h"

namespace akin::dedup {

namespace {

class SentenceReader final : public SentenceSink {
 public:
  [[nodiscard]] SentenceDetail needs() const override { return words_.needs(); }
  void on_sentence(const Sentence& sentence) override {
    const auto begin = sentences_.empty() ? 0U : sentences_.back().words.end;
    sentences_.push_back(
        {sentence.hash, {begin, begin + static_cast<std::uint32_t>(sentence.classes.size())}});
    words_.on_sentence(sentence);
  }
  [[nodiscard]] SentencedWords take() { return {words_.take(), std::move(sentences_)}; }

 private:
  WordReader words_;
  std::vector<SentencePlace> sentences_;
};

void mark(std::vector<bool>& words, WordRange range) {
  std::fill_n(words.begin() + range.begin, range.size(), true);
}

std::uint64_t count(const std::vector<bool>& words) {
  return static_cast<std::uint64_t>(std::ranges::count(words, true));
}

}  // namespace

Result<SentencedWords> read_sentences(std::string_view utf8, const Dictionary& dictionary) {
  SentenceReader reader;
  AKIN_CHECK(scan_text(utf8, dictionary, reader));
  return reader.take();
}

std::vector<EqualSentences> equal_sentences(std::span<const SentencePlace> a,
                                            std::span<const SentencePlace> b) {
  std::unordered_multimap<std::uint64_t, WordRange> of_a;
  for (const SentencePlace& sentence : a) of_a.emplace(sentence.hash, sentence.words);
  std::vector<EqualSentences> equal;
  for (const SentencePlace& sentence : b) {
    const auto found = of_a.find(sentence.hash);
    if (found == of_a.end()) continue;
    equal.push_back({found->second, sentence.words});
    of_a.erase(found);
  }
  return equal;
}

MatchedWords with_sentences(MatchedWords found, const Alignment& alignment,
                            std::span<const EqualSentences> equal) {
  std::vector<bool> in_a(found.a_words), in_b(found.b_words);
  for (const AlignedPassage& passage : alignment.passages) {
    for (const Fragment& fragment : passage.fragments) {
      mark(in_a, {fragment.a, fragment.a_end()});
      mark(in_b, {fragment.b, fragment.b_end()});
    }
  }
  for (const EqualSentences& pair : equal) {
    mark(in_a, pair.a);
    mark(in_b, pair.b);
  }
  found.a = count(in_a);
  found.b = count(in_b);
  return found;
}

}  // namespace akin::dedup
