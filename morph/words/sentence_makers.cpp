#include "morph/words/sentence_makers.h"

#include "base/hash.h"

namespace akin {

void WordsMaker::on_words(const Window& window, std::size_t begin, std::size_t end) {
  collector_.release([this](const FoundWord& word) { add(word); });
  for (std::size_t i = begin; i < end; ++i) {
    const std::u32string_view letters = window.words()[i].among(window.letters());
    const WordPlace& place = window.places()[i];
    const TextRange bytes = place.byte_range();
    add({{letters, spelling_key(letters), kFoldClean}, place.range(), bytes.begin, bytes.end});
  }
}

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
  placed_.clear();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    Word& word = words_[i];
    word.letters = folded_[i].letters;
    word.lemma_class = classes_[i];
    hash += classes_[i].hash;
    const auto begin = static_cast<std::uint32_t>(word.source.data() - text_.data());
    const auto size = static_cast<std::uint32_t>(word.source.size());
    placed_.push_back({classes_[i].hash, word.range, {begin, begin + size}});
  }
  ++summary_.sentences;
  summary_.words += words_.size();
  sink_.on_sentence({range, hash, placed_, words_});
  words_.clear();
  letters_.clear();
  folded_.clear();
}

void ClassesMaker::on_slide(std::u32string_view letters, std::span<const QuickWord> words) {
  hashes_.resize(std::max(hashes_.size(), words.size()));
  dictionary_.hash_all(letters, words, {hashes_.data(), words.size()});
  const std::uint64_t* hash = hashes_.data();
  for (const Run& run : runs_) {
    PlacedClass* const first = classes_.data() + run.begin;
    for (PlacedClass* word = first; word != first + run.words; ++word) word->hash = *hash++;
  }
  runs_.clear();
  if (ends_.empty()) return;
  std::size_t begin = 0;
  for (const End& end : ends_) {
    const auto classes = std::span(classes_).subspan(begin, end.classes - begin);
    std::uint64_t sum = 0;
    for (const PlacedClass& word : classes) sum += word.hash;
    sink_.on_sentence({end.range, sum, classes, {}});
    begin = end.classes;
  }
  summary_.sentences += ends_.size();
  summary_.words += begin;
  ends_.clear();
  classes_.erase(classes_.begin(), classes_.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace akin
