#include "morph/align/word_sequence.h"

#include "morph/text/scanner.h"

namespace akin {
namespace {

class WordSequenceSink final : public SentenceSink {
 public:
  explicit WordSequenceSink(WordSequence& out) : out_(out) {}
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override {
    for (const PlacedClass& word : sentence.classes) {
      out_.classes.push_back(word.hash);
      out_.ranges.push_back(word.range);
      out_.bytes.push_back(word.bytes);
    }
  }

 private:
  WordSequence& out_;
};

}  // namespace

Result<WordSequence> read_words(std::string_view utf8, const Dictionary& dictionary) {
  WordSequence words;
  WordSequenceSink sink(words);
  AKIN_CHECK(scan_text(utf8, dictionary, sink));
  return words;
}

}  // namespace akin
