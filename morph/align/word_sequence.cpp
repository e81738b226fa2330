#include "morph/align/word_sequence.h"

namespace akin {

void WordReader::on_sentence(const Sentence& sentence) {
  for (const PlacedClass& word : sentence.classes) {
    words_.classes.push_back(word.hash);
    words_.ranges.push_back(word.range);
    words_.bytes.push_back(word.bytes);
  }
}

Result<WordSequence> read_words(std::string_view utf8, const Dictionary& dictionary) {
  WordReader reader;
  AKIN_CHECK(scan_text(utf8, dictionary, reader));
  return reader.take();
}

}  // namespace akin
