// Any bytes as a text: refused, or scanned as the slow twin scans it, with ranges in order and inside the
// text. Scanning takes a time in proportion to its length.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "morph/disguise/disguise.h"
#include "morph/schemes/scheme.h"
#include "morph/words/text_parts.h"
#include "tests/fuzz/time_per_byte.h"
#include "tests/morph/words/slow_scanner.h"
#include "tests/support/sentences.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

/// No dictionary: every word is unknown.
const akin::Dictionary& dictionary() {
  static const auto instance = [] {
    akin::DictionaryConfig config;
    config.cache = std::filesystem::temp_directory_path() / "akin-fuzz-cache";
    return akin::Dictionary::open(config);
  }();
  expect(instance.has_value());
  return **instance;
}

class Checker final : public akin::SentenceSink {
 public:
  explicit Checker(std::string_view text) : text_(text), slow_(akin::slow::scan(text, dictionary())) {
    length_ = akin::count_code_points(text);
  }

  void on_sentence(const akin::Sentence& sentence) override {
    expect(sentence.range.begin >= end_ && sentence.range.begin < sentence.range.end &&
           sentence.range.end <= length_);
    end_ = sentence.range.end;
    expect(count_ < slow_.size());
    const akin::slow::Sentence& twin = slow_[count_++];
    expect(sentence.range == twin.range && sentence.words.size() == twin.words.size() &&
           !sentence.words.empty());
    std::uint64_t sum = 0;
    for (const akin::Word& word : sentence.words) sum += word.lemma_class.hash;
    expect(sentence.hash == sum);
    sums_.push_back(sum);
    for (std::size_t i = 0; i < twin.words.size(); ++i) {
      const akin::Word& word = sentence.words[i];
      expect(word.range == twin.words[i].range && word.letters == twin.words[i].letters);
      expect(word.key == akin::spelling_key(word.letters));
      expect(akin::slice_code_points(text_, word.range.begin, word.range.end) == word.source);
    }
  }

  [[nodiscard]] bool complete() const { return count_ == slow_.size(); }
  [[nodiscard]] std::size_t sentences() const { return count_; }
  [[nodiscard]] const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  std::string_view text_;
  std::vector<akin::slow::Sentence> slow_;
  std::vector<std::uint64_t> sums_;
  std::size_t length_ = 0, count_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool valid = akin::validate_utf8(text, "text").has_value();
  const auto ranges = akin::split_sentences(text);
  expect(ranges.has_value() == valid);
  if (!valid) return 0;
  for (const std::string_view between : {"", "\n", "\n\n"}) {
    akin::fuzz::check_time(text, {.between = between}, [](std::string_view repeated) {
      (void)akin::extract_features(repeated, dictionary(), **akin::make_scheme("sentence-pairs"));
      (void)akin::find_clear_disguise(repeated, dictionary());
    });
  }

  Checker checker(text);
  const auto summary = akin::scan_text(text, dictionary(), checker);
  expect(summary.has_value() && checker.complete() && summary->sentences == checker.sentences());
  expect(ranges->size() == checker.sentences());
  const auto parts = akin::TextParts::of(text, 16);
  expect(parts.has_value());
  Checker of_parts(text);
  for (std::size_t part = 0; part < parts->size(); ++part) parts->scan(part, dictionary(), of_parts);
  expect(of_parts.complete());
  for (const akin::Alert& alert : akin::find_clear_disguise(text, dictionary()).alerts)
    expect(alert.range.begin < alert.range.end && alert.range.end <= summary->code_points);
  for (const akin::Alert& alert : akin::find_disguise(text).alerts)
    expect(alert.range.begin < alert.range.end && alert.range.end <= summary->code_points);
  // This scheme takes sentences without words: its features are their sums.
  const auto sums = akin::extract_features(text, dictionary(), **akin::make_scheme("sentences"));
  expect(sums.has_value() && sums->words == summary->words && sums->hashes.size() == checker.sums().size());
  for (std::size_t i = 0; i < checker.sums().size(); ++i)
    expect(sums->hashes[i] == akin::Feature{checker.sums()[i]});
  for (const std::string_view name :
       {"sentence-pairs", "sentences", "paper-2009(ids=plain)", "paper-2009(ids=squared)"}) {
    const auto features = akin::extract_features(text, dictionary(), **akin::make_scheme(name));
    expect(features.has_value());
    expect(features->hashes.size() == checker.sentences() && features->ranges.size() == checker.sentences());
  }

  akin::WordFolder folder;
  const std::string once = akin::to_utf8(folder.fold(text).letters);
  expect(akin::to_utf8(folder.fold(once).letters) == once);
  return 0;
}
