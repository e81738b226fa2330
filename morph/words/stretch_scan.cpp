#include "morph/words/stretch_scan.h"

#include "morph/words/sentence_makers.h"
#include "morph/words/sentence_walk.h"

namespace akin {
namespace {

TextRange moved(TextRange range, std::uint32_t by) noexcept { return {range.begin + by, range.end + by}; }

}  // namespace

ScanSummary scan_stretch(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink) {
  ScanSummary summary;
  const auto walk = [&](auto maker) { summary.code_points = SentenceWalk(utf8, maker).run(); };
  switch (sink.needs()) {
    case SentenceDetail::sums:
      walk(SumMaker(dictionary, dictionary, sink, summary));
      break;
    case SentenceDetail::classes:
      walk(ClassesMaker(dictionary, sink, summary));
      break;
    case SentenceDetail::words:
      walk(WordsMaker(utf8, dictionary, sink, summary));
      break;
  }
  return summary;
}

OriginalPlaces::OriginalPlaces(const std::optional<Arrangement>& arrangement, StretchBegin begin,
                               SentenceSink& sink)
    : begin_(begin), sink_(sink) {
  if (arrangement) {
    const Arrangement::Places places(*arrangement);
    places_.emplace(Places{places, places, places});
  }
}

TextRange OriginalPlaces::code_points(TextRange range, Arrangement::Places Places::*of) {
  range = moved(range, begin_.code_point);
  return places_ ? ((*places_).*of).original(range) : range;
}

void OriginalPlaces::on_sentence(const Sentence& sentence) {
  classes_.assign(sentence.classes.begin(), sentence.classes.end());
  for (PlacedClass& word : classes_) {
    word.range = code_points(word.range, &Places::classes);
    word.bytes = moved(word.bytes, begin_.byte);
    if (places_) word.bytes = places_->classes.original_bytes(word.bytes);
  }
  words_.assign(sentence.words.begin(), sentence.words.end());
  for (Word& word : words_) {
    word.range = code_points(word.range, &Places::words);
    if (places_) word.source = places_->words.original(word.source);
  }
  sink_.on_sentence({code_points(sentence.range, &Places::sentences), sentence.hash, classes_, words_});
}

}  // namespace akin
