// The receivers that scan_text uses, one for each SentenceDetail.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "morph/words/scanner.h"
#include "morph/words/window.h"
#include "morph/words/word_collector.h"

namespace akin {

/// Sentences with all their words. Buffers are reused from sentence to sentence.
class WordsMaker {
 public:
  WordsMaker(std::string_view text, const Dictionary& dictionary, SentenceSink& sink, ScanSummary& summary)
      : text_(text),
        dictionary_(dictionary),
        sink_(sink),
        summary_(summary),
        collector_(dictionary, summary) {}

  void on_words(const Window& window, std::size_t begin, std::size_t end);
  void on_part(const Piece& part, std::u32string_view letters);
  void on_sentence(TextRange range);
  void on_slide(std::u32string_view /*letters*/, std::span<const QuickWord> /*words*/) {}

 private:
  void add(const FoundWord& word);

  std::string_view text_;
  const Dictionary& dictionary_;
  SentenceSink& sink_;
  ScanSummary& summary_;
  WordCollector collector_;
  // The current sentence: words without their classes, and the letters of all of them.
  std::vector<Word> words_;
  std::vector<char32_t> letters_;
  std::vector<FoldedWord> folded_;
  std::vector<WordClass> classes_;
  std::vector<PlacedClass> placed_;
};

/// Sentences with the classes of their words. Plain words are looked up together, as SumMaker does.
class ClassesMaker {
 public:
  ClassesMaker(const Dictionary& dictionary, SentenceSink& sink, ScanSummary& summary)
      : dictionary_(dictionary), sink_(sink), summary_(summary), collector_(dictionary, summary) {}

  void on_words(const Window& window, std::size_t begin, std::size_t end) {
    collector_.release([this](const FoundWord& word) { add(word); });
    const auto places = window.places().subspan(begin, end - begin);
    runs_.push_back({classes_.size(), places.size()});
    for (const WordPlace& place : places) classes_.push_back({0, place.range(), place.byte_range()});
  }

  void on_part(const Piece& part, std::u32string_view letters) {
    collector_.add(part, letters, [this](const FoundWord& word) { add(word); });
  }

  void on_sentence(TextRange range) {
    collector_.release([this](const FoundWord& word) { add(word); });
    ends_.push_back({classes_.size(), range});
  }

  void on_slide(std::u32string_view letters, std::span<const QuickWord> words);

 private:
  /// Plain words in a row.
  struct Run {
    std::size_t begin = 0, words = 0;  ///< where they begin among classes_, and their number
  };
  struct End {
    std::size_t classes = 0;  ///< number of classes_ before it
    TextRange range;
  };

  void add(const FoundWord& word) {
    classes_.push_back({dictionary_.hash(word.folded), word.range, {word.byte_begin, word.byte_end}});
  }

  const Dictionary& dictionary_;
  SentenceSink& sink_;
  ScanSummary& summary_;
  WordCollector collector_;
  std::vector<PlacedClass> classes_;   ///< of the sentences that were not reported
  std::vector<Run> runs_;              ///< of all plain words since the window slid
  std::vector<std::uint64_t> hashes_;  ///< of these
  std::vector<End> ends_;
};

/// Sentences with their hash alone. Plain words are looked up together, a window at a time, while their
/// letters are still in the window, so sentences are reported a little after they end.
///
/// `Classes` has hash(const FoldedWord&) and hash_all(letters, words, hashes): the dictionary, or a
/// benchmark's replacement for it.
template <class Classes>
class SumMaker {
 public:
  SumMaker(const Dictionary& dictionary, const Classes& classes, SentenceSink& sink, ScanSummary& summary)
      : classes_(classes), sink_(sink), summary_(summary), collector_(dictionary, summary) {}

  void on_words(const Window& /*window*/, std::size_t begin, std::size_t end) {
    collector_.release([this](const FoundWord& word) { add(word); });
    words_ += end - begin;
  }

  void on_part(const Piece& part, std::u32string_view letters) {
    collector_.add(part, letters, [this](const FoundWord& word) { add(word); });
  }

  void on_sentence(TextRange range) {
    collector_.release([this](const FoundWord& word) { add(word); });
    ends_.push_back({words_, sum_, range});
    sum_ = 0;
  }

  void on_slide(std::u32string_view letters, std::span<const QuickWord> words) {
    hashes_.resize(std::max(hashes_.size(), words.size()));
    classes_.hash_all(letters, words, {hashes_.data(), words.size()});
    summary_.words += words.size();
    std::size_t at = 0;
    for (const End& end : ends_) {
      std::uint64_t sum = end.sum + carried_;
      for (; at < end.words; ++at) sum += hashes_[at];
      carried_ = 0;
      sink_.on_sentence({end.range, sum, {}, {}});
    }
    for (; at < words.size(); ++at) carried_ += hashes_[at];
    summary_.sentences += ends_.size();
    words_ = 0;
    ends_.clear();
  }

 private:
  struct End {
    std::size_t words = 0;  ///< number of plain words before it, since the window slid
    std::uint64_t sum = 0;  ///< of the words that are not plain
    TextRange range;
  };

  void add(const FoundWord& word) {
    sum_ += classes_.hash(word.folded);
    ++summary_.words;
  }

  const Classes& classes_;
  SentenceSink& sink_;
  ScanSummary& summary_;
  WordCollector collector_;
  std::size_t words_ = 0;  ///< plain words since the window slid
  std::vector<std::uint64_t> hashes_;
  std::vector<End> ends_;
  std::uint64_t sum_ = 0;      ///< of the sentence's words that are not plain
  std::uint64_t carried_ = 0;  ///< of the sentence's words before the window slid
};

}  // namespace akin
