#include "morph/align/word_sequence.h"

#include <algorithm>

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

void join_ranges(std::vector<WordRange>& ranges) {
  if (ranges.empty()) return;
  std::ranges::sort(ranges, {}, &WordRange::begin);
  std::size_t last = 0;
  for (const WordRange& range : ranges) {
    if (range.begin > ranges[last].end) ranges[++last] = range;
    ranges[last].end = std::max(ranges[last].end, range.end);
  }
  ranges.resize(last + 1);
}

}  // namespace akin
