#include "morph/schemes/winnow.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/key_set.h"
#include "morph/schemes/stop_words.h"

namespace akin {
namespace {

/// The parameter `shape`: a digit for each place in a gram, 1 where a unit counts.
std::string in_digits(std::uint64_t shape) {
  std::string digits;
  for (; shape != 0; shape >>= 1U) digits.insert(digits.begin(), (shape & 1U) != 0 ? '1' : '0');
  return digits;
}

Result<std::uint64_t> read_shape(const SchemeSpec& spec) {
  const std::string_view digits = spec.value("shape", "");
  std::uint64_t shape = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), shape, 2);
  const bool is_read = read.ec == std::errc{} && read.ptr == digits.data() + digits.size();
  if (!is_read || digits.front() != '1' || digits.back() != '1')
    return spec.wrong("shape", "must be digits 1 and 0, up to 64, the first and the last of them 1");
  return shape;
}

class WinnowStream final : public FeatureStream {
 public:
  /// `stop_words`: the units that are stop words, or nothing if none are. The references must outlive it.
  WinnowStream(const WinnowOptions& options, std::shared_ptr<const KeySet> stop_words, FeatureSequence& out)
      : options_(options),
        stop_words_(std::move(stop_words)),
        out_(out),
        gram_(options.gram()),
        span_(options.span()),
        sum_(gram_, options.ordered),
        winnowing_(options.run - span_ + 1, stop_words_ ? gram_ : 0),
        first_(options.run + kMostLaneWindow),
        units_(first_ + kMostGramsAtOnce + kGramLanes),
        begins_(units_.size()),
        ends_(units_.size()),
        stops_(units_.size()),
        values_(units_.size()),
        ranks_(units_.size()) {}

  [[nodiscard]] SentenceDetail needs() const override {
    return options_.unit == WinnowOptions::Unit::lemma ? SentenceDetail::classes : SentenceDetail::words;
  }

  void on_sentence(const Sentence& sentence) override {
    if (options_.unit == WinnowOptions::Unit::lemma) {
      add_all(sentence.classes, [](const PlacedClass& word) { return word.hash; });
    } else {
      add_all(sentence.words, [](const Word& word) { return word.key; });
    }
  }

  void finish() override {
    take_units();
    if (taken_ > 0 && taken_ < span_) {
      RollingSum sum(span_, options_.ordered);
      for (std::size_t i = first_ - taken_; i < first_; ++i) sum.advance(units_[i], 0);
      append(sum.value(), {begins_[first_ - taken_], ends_[first_ - 1]});
    }
    if (taken_ < options_.run)
      for (std::size_t i = first_ - taken_ + span_ - 1; i < first_; ++i) append_gram(i);
  }

 private:
  template <class Words, class UnitOf>
  void add_all(Words words, UnitOf unit_of) {
    while (!words.empty()) {
      const std::size_t count = std::min(words.size(), kMostGramsAtOnce - waiting_);
      const std::size_t at = first_ + waiting_;
      for (std::size_t i = 0; i < count; ++i) {
        units_[at + i] = unit_of(words[i]);
        begins_[at + i] = words[i].range.begin;
        ends_[at + i] = words[i].range.end;
      }
      words = words.subspan(count);
      waiting_ += count;
      if (waiting_ == kMostGramsAtOnce) take_units();
    }
  }

  /// Takes the units that wait, together: each step is a loop of its own, whose turns the processor can
  /// overlap.
  void take_units() {
    const std::size_t count = std::exchange(waiting_, 0);
    if (count == 0) return;
    if (stop_words_) {
      const KeySet& stop_words = *stop_words_;
      for (std::size_t i = first_; i < first_ + count; ++i) stops_[i] = stop_words.has(units_[i]) ? 1 : 0;
    }
    sum_units(count);
    const std::size_t incomplete = taken_ + 1 < span_ ? std::min<std::size_t>(count, span_ - 1 - taken_) : 0;
    const std::size_t begin = first_ + incomplete;
    winnowing_.push_all({values_.data() + begin, ranks_.data() + begin}, count - incomplete,
                        [&](std::ptrdiff_t at) { append_gram(begin + static_cast<std::size_t>(at)); });
    taken_ += count;
    keep_last(count);
  }

  void sum_units(std::size_t count) {
#if defined(__x86_64__)
    if (!options_.ordered && has_gram_lanes()) {
      sum_grams(units_.data() + first_, stops_.data() + first_, count, options_.shape,
                values_.data() + first_, ranks_.data() + first_);
      return;
    }
#endif
    for (std::size_t i = first_; i < first_ + count; ++i) {
      if (gram_ < span_) {
        sum_one(i);
        continue;
      }
      const std::size_t leaving = i - gram_;
      sum_.advance(units_[i], units_[leaving]);
      values_[i] = sum_.value();
      ranks_[i] = static_cast<std::uint8_t>(ranks_[i - 1] + stops_[i] - stops_[leaving]);
    }
  }

  /// The gram that ends with a unit, of units that are not all in a row.
  void sum_one(std::size_t last) {
    unsigned rank = 0;
    values_[last] = sum_of_shape(options_.shape, options_.ordered, [&](std::size_t before) {
      rank += stops_[last - before];
      return units_[last - before];
    });
    ranks_[last] = static_cast<std::uint8_t>(rank);
  }

  /// Moves what later units need before first_: a run, of which `count` units are new.
  void keep_last(std::size_t count) {
    const auto keep = [&](auto& of_units) {
      const auto end = of_units.begin() + static_cast<std::ptrdiff_t>(first_ + count);
      std::copy(end - options_.run, end,
                of_units.begin() + static_cast<std::ptrdiff_t>(first_ - options_.run));
    };
    keep(units_);
    keep(begins_);
    keep(ends_);
    keep(stops_);
    keep(values_);
    keep(ranks_);
  }

  /// The gram that ends with a unit.
  void append_gram(std::size_t last) { append(values_[last], {begins_[last + 1 - span_], ends_[last]}); }

  void append(std::uint64_t value, TextRange range) {
    out_.hashes.push_back(Feature{value});
    out_.ranges.push_back(range);
  }

  const WinnowOptions& options_;
  std::shared_ptr<const KeySet> stop_words_;
  FeatureSequence& out_;
  const unsigned gram_, span_;
  RollingSum sum_;  ///< of the last units, where it is not computed in lanes
  Winnowing winnowing_;
  // Units, and grams each at the place of its last unit: a run of those taken, before it zeros, and from
  // first_ on those that wait.
  const std::size_t first_;
  std::vector<std::uint64_t> units_;
  std::vector<std::uint32_t> begins_, ends_;
  std::vector<std::uint8_t> stops_;  ///< 1 for a stop word
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> ranks_;  ///< stop words in the gram
  std::size_t waiting_ = 0;
  std::uint64_t taken_ = 0;  ///< units
};

class Winnow final : public Scheme {
 public:
  explicit Winnow(WinnowOptions options) : options_(options) {
    if (options.stop_words_last && options.unit == WinnowOptions::Unit::word) {
      stop_spellings_ = std::make_shared<const KeySet>(StopWords::of("removed").value().keys());
    }
  }

  [[nodiscard]] std::string name() const override {
    return "winnow(k=" + std::to_string(options_.gram()) + ",t=" + std::to_string(options_.run) +
           ",unit=" + (sums_classes() ? "lemma" : "word") + ",order=" + (options_.ordered ? "kept" : "any") +
           (options_.span() > options_.gram() ? ",shape=" + in_digits(options_.shape) : "") +
           (options_.stop_words_last ? ",stop=last)" : ")");
  }

  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& /*dictionary*/) const override {
    return sums_classes() ? word.lemma_class.hash : word.key;
  }

  [[nodiscard]] unsigned least_run() const override { return options_.run; }
  [[nodiscard]] std::uint64_t seed_shape() const override { return options_.shape; }
  [[nodiscard]] bool sums_classes() const override { return options_.unit == WinnowOptions::Unit::lemma; }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                      FeatureSequence& out) const override {
    return std::make_unique<WinnowStream>(options_, stop_words(dictionary), out);
  }

 private:
  [[nodiscard]] std::shared_ptr<const KeySet> stop_words(const Dictionary& dictionary) const {
    if (!options_.stop_words_last) return nullptr;
    if (sums_classes()) return stop_classes(dictionary);
    return stop_spellings_;
  }

  WinnowOptions options_;
  std::shared_ptr<const KeySet> stop_spellings_;  ///< if units are spellings and stop words count
};

}  // namespace

Result<std::shared_ptr<const Scheme>> winnow_scheme(const SchemeSpec& spec) {
  AKIN_CHECK(spec.expect_only({"k", "t", "unit", "order", "shape", "stop"}));
  WinnowOptions options;
  if (!spec.value("shape", "").empty()) {
    AKIN_TRY(options.shape, read_shape(spec));
    AKIN_CHECK(spec.number("k", options.gram(), {options.gram(), options.gram()}));
  } else {
    AKIN_TRY(const std::uint64_t gram, spec.number("k", options.gram(), {1, kMaxWindowUnits}));
    options.shape = shape_in_a_row(static_cast<unsigned>(gram));
  }
  const std::uint64_t span = options.span();
  AKIN_TRY(const std::uint64_t run,
           spec.number("t", std::max<std::uint64_t>(options.run, span), {span, span - 1 + kMaxWindowGrams}));
  options.run = static_cast<unsigned>(run);
  AKIN_TRY(const std::size_t unit, spec.choice("unit", {"lemma", "word"}));
  options.unit = static_cast<WinnowOptions::Unit>(unit);
  AKIN_TRY(const std::size_t order, spec.choice("order", {"any", "kept"}));
  options.ordered = order == 1;
  AKIN_TRY(const std::size_t stop, spec.choice("stop", {"kept", "last"}));
  options.stop_words_last = stop == 1;
  return std::shared_ptr<const Scheme>(std::make_shared<Winnow>(options));
}

}  // namespace akin
