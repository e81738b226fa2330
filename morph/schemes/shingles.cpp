#include "morph/schemes/shingles.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

using Unit = ShingleOptions::Unit;
using Kind = FeatureSample::Kind;

constexpr std::pair<std::uint64_t, std::uint64_t> kModulos{2, 1'000'000};
constexpr std::pair<std::uint64_t, std::uint64_t> kSmallest{1, 100'000};

class ShingleStream final : public FeatureStream {
 public:
  /// The references must outlive it.
  ShingleStream(const ShingleOptions& options, FeatureSequence& out)
      : options_(options), hash_(options.window, options.ordered), sampler_(options.sample, out) {}

  void on_sentence(const Sentence& sentence) override {
    for (const Word& word : sentence.words) {
      if (options_.marks) push_marks_before(word);
      if (!options_.stop_words.has(word.key)) take(word);
    }
  }

  void finish() override {
    if (units_ > 0 && units_ < options_.window) {
      sampler_.take(Feature{hash_.value()}, {begins_[0], end_});
    }
    sampler_.finish();
  }

 private:
  void take(const Word& word) {
    switch (options_.unit) {
      case Unit::lemma:
        push(word.lemma_class.hash, word.range);
        break;
      case Unit::word:
        push(word.key, word.range);
        break;
      case Unit::letter:
        if (units_ > 0 && options_.stop_words.languages().empty()) {
          push(letter_hash(U' '), {end_, word.range.begin});
        }
        push_letters(word);
    }
  }

  /// A letter has its own character's range if folding kept the number of characters, else the whole word's.
  void push_letters(const Word& word) {
    const bool one_by_one = word.range.end - word.range.begin == word.letters.size();
    TextRange range = one_by_one ? TextRange{word.range.begin, word.range.begin + 1} : word.range;
    for (const char32_t letter : word.letters) {
      push(letter_hash(letter), range);
      if (one_by_one) range = {range.end, range.end + 1};
    }
  }

  /// The marks between the previous word and this one, whether or not the two are stop words.
  void push_marks_before(const Word& word) {
    if (text_end_ != nullptr) {
      const std::string_view gap(text_end_, static_cast<std::size_t>(word.source.data() - text_end_));
      TextRange range{gap_begin_, gap_begin_ + 1};
      for (std::size_t at = 0; at < gap.size(); range = {range.end, range.end + 1}) {
        const CharInfo character = CharTable::instance()[next_code_point(gap, at)];
        if (is_stop_character(character.kind())) push(letter_hash(character.folded()), range);
      }
    }
    text_end_ = word.source.data() + word.source.size();
    gap_begin_ = word.range.end;
  }

  static bool is_stop_character(CharKind kind) noexcept {
    return kind == CharKind::other || kind == CharKind::hyphen || kind == CharKind::dash ||
           kind == CharKind::apostrophe || kind == CharKind::quote;
  }

  static std::uint64_t letter_hash(char32_t letter) noexcept { return spelling_key({&letter, 1}); }

  void push(std::uint64_t unit, TextRange range) {
    hash_.push(unit);
    begins_[at_] = range.begin;
    end_ = range.end;
    at_ = at_ + 1 == options_.window ? 0 : at_ + 1;
    // The next place holds the unit that was taken window - 1 units ago.
    if (++units_ >= options_.window) sampler_.take(Feature{hash_.value()}, {begins_[at_], end_});
  }

  const ShingleOptions& options_;
  RollingHash hash_;
  FeatureSampler sampler_;
  std::array<std::uint32_t, kMaxWindowUnits> begins_{};  ///< of the last units, a ring
  unsigned at_ = 0;
  std::uint32_t end_ = 0;           ///< of the last unit
  std::uint64_t units_ = 0;         ///< taken so far
  const char* text_end_ = nullptr;  ///< end of the last word in the text, stop words included
  std::uint32_t gap_begin_ = 0;     ///< the same place in characters
};

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::lemma:
      return "lemma";
    case Unit::word:
      return "word";
    case Unit::letter:
      return "letter";
  }
  return "";
}

std::string sample_name(const FeatureSample& sample) {
  switch (sample.kind) {
    case Kind::all:
      return "all";
    case Kind::modulo:
      return "mod:" + std::to_string(sample.size);
    case Kind::smallest:
      return "min:" + std::to_string(sample.size);
  }
  return "";
}

class Shingles final : public Scheme {
 public:
  explicit Shingles(ShingleOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string name() const override {
    const std::string& languages = options_.stop_words.languages();
    return "shingles(w=" + std::to_string(options_.window) +
           ",unit=" + std::string(unit_name(options_.unit)) +
           ",order=" + (options_.ordered ? "kept" : "sorted") +
           ",stop=" + (languages.empty() ? "kept" : languages) + ",sample=" + sample_name(options_.sample) +
           ",count=" + (options_.sample.distinct ? "set" : "multiset") +
           (options_.marks ? ",marks=kept)" : ")");
  }

  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& /*dictionary*/) const override {
    return options_.unit == Unit::lemma ? word.lemma_class.hash : word.key;
  }

  [[nodiscard]] bool sums_classes() const override { return options_.unit == Unit::lemma; }

  [[nodiscard]] bool has_containment() const override { return options_.sample.kind != Kind::smallest; }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& /*dictionary*/,
                                                      FeatureSequence& out) const override {
    return std::make_unique<ShingleStream>(options_, out);
  }

 private:
  ShingleOptions options_;
};

Result<StopWords> read_stop_words(const SchemeSpec& spec) {
  const std::string_view languages = spec.value("stop", "kept");
  if (languages == "kept") return StopWords();
  Result<StopWords> words = StopWords::of(languages);
  if (words.has_error()) return spec.wrong("stop", words.error().reason);
  return words;
}

Result<FeatureSample> read_sample(const SchemeSpec& spec) {
  FeatureSample sample;
  const std::string_view value = spec.value("sample", "all");
  if (value.starts_with("mod:") || value.starts_with("min:")) {
    sample.kind = value[1] == 'o' ? Kind::modulo : Kind::smallest;
    const auto size = read_number(value.substr(4), sample.kind == Kind::modulo ? kModulos : kSmallest);
    if (size.has_error()) return spec.wrong("sample", size.error().reason);
    sample.size = *size;
  } else if (value != "all") {
    return spec.wrong("sample", "it is not one of all, mod:M, min:N");
  }
  const std::string_view otherwise = sample.kind == Kind::smallest ? "set" : "multiset";
  const std::string_view count = spec.value("count", otherwise);
  if (count != "set" && count != "multiset") return spec.wrong("count", "it is not one of multiset, set");
  sample.distinct = count == "set";
  if (sample.kind == Kind::smallest && !sample.distinct) {
    return spec.wrong("count", "the smallest features are a set: with sample=min:N it is count=set");
  }
  return sample;
}

}  // namespace

Result<std::shared_ptr<const Scheme>> shingles_scheme(const SchemeSpec& spec) {
  AKIN_CHECK(spec.expect_only({"w", "unit", "order", "stop", "sample", "count", "marks"}));
  ShingleOptions options;
  AKIN_TRY(const std::uint64_t window, spec.number("w", options.window, {1, kMaxWindowUnits}));
  options.window = static_cast<unsigned>(window);
  AKIN_TRY(const std::size_t unit, spec.choice("unit", {"lemma", "word", "letter"}));
  options.unit = static_cast<Unit>(unit);
  AKIN_TRY(const std::size_t order, spec.choice("order", {"kept", "sorted"}));
  options.ordered = order == 0;
  AKIN_TRY(options.stop_words, read_stop_words(spec));
  AKIN_TRY(const std::size_t marks, spec.choice("marks", {"removed", "kept"}));
  options.marks = marks == 1;
  AKIN_TRY(options.sample, read_sample(spec));
  return std::shared_ptr<const Scheme>(std::make_shared<Shingles>(std::move(options)));
}

}  // namespace akin
