#include "morph/align/word_sequence.h"

#include "morph/text/scanner.h"

namespace akin {
namespace {

class WordSequenceSink final : public SentenceSink {
 public:
  WordSequenceSink(std::string_view text, WordSequence& out) : text_(text), out_(out) {}
  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      out_.classes.push_back(word.lemma_class.hash);
      out_.ranges.push_back(word.range);
      const auto begin = static_cast<std::uint32_t>(word.source.data() - text_.data());
      out_.bytes.push_back({begin, begin + static_cast<std::uint32_t>(word.source.size())});
    }
  }

 private:
  const std::string_view text_;
  WordSequence& out_;
};

}  // namespace

Result<WordSequence> read_words(std::string_view utf8, const Dictionary& dictionary) {
  WordSequence words;
  WordSequenceSink sink(utf8, words);
  AKIN_CHECK(scan_text(utf8, dictionary, sink));
  return words;
}

}  // namespace akin
