#include "morph/schemes/sentence_makers.h"

namespace akin {

void WordsMaker::on_part(const Piece& part, std::u32string_view letters) {
  collector_.add(part, letters, [this](const FoundWord& word) { add(word); });
}

void WordsMaker::add(const FoundWord& word) {
  const std::u32string_view letters = word.folded.letters;
  letters_.insert(letters_.end(), letters.begin(), letters.end());
  folded_.push_back(word.folded);
  words_.push_back(
      {word.range, text_.substr(word.byte_begin, word.byte_end - word.byte_begin), {}, word.folded.key, {}});
}

void WordsMaker::on_sentence(TextRange range) {
  collector_.release([this](const FoundWord& word) { add(word); });
  const char32_t* letters = letters_.data();
  for (FoldedWord& word : folded_) {
    word.letters = {letters, word.letters.size()};
    letters += word.letters.size();
  }
  classes_.resize(words_.size());
  dictionary_.classify_all(folded_, classes_);
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    words_[i].letters = folded_[i].letters;
    words_[i].lemma_class = classes_[i];
    hash += classes_[i].hash;
  }
  ++summary_.sentences;
  summary_.words += words_.size();
  sink_.on_sentence({range, hash, words_});
  words_.clear();
  letters_.clear();
  folded_.clear();
}

}  // namespace akin
