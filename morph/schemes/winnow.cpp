#include "morph/schemes/winnow.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/key_set.h"
#include "morph/schemes/stop_words.h"

namespace akin {
namespace {

class WinnowStream final : public FeatureStream {
 public:
  /// `stop_words`: the units that are stop words, or nothing if none are. The references must outlive it.
  WinnowStream(const WinnowOptions& options, std::shared_ptr<const KeySet> stop_words, FeatureSequence& out)
      : options_(options),
        stop_words_(std::move(stop_words)),
        out_(out),
        sum_(options.gram, options.ordered),
        winnowing_(options.run - options.gram + 1),
        kept_(options.run),
        units_(kept_ + kAtOnce),
        grams_(kept_ + kAtOnce),
        at_(kept_) {}

  [[nodiscard]] SentenceDetail needs() const override {
    return options_.unit == WinnowOptions::Unit::lemma ? SentenceDetail::classes : SentenceDetail::words;
  }

  void on_sentence(const Sentence& sentence) override {
    if (options_.unit == WinnowOptions::Unit::lemma) {
      take_all(sentence.classes, [](const PlacedClass& word) { return word.hash; });
    } else {
      take_all(sentence.words, [](const Word& word) { return word.key; });
    }
  }

  void finish() override {
    const Unit& last = units_[at_ - 1];
    if (taken_ > 0 && taken_ < options_.gram)
      append({sum_.value(), {units_[at_ - taken_].begin, last.end}, 0});
    if (taken_ < options_.run) {
      for (const Winnowing::Gram& gram : short_text_) append(gram);
    }
  }

 private:
  struct Unit {
    std::uint64_t hash = 0;
    std::uint32_t begin = 0, end = 0;
    std::uint32_t stops = 0;  ///< 1 for a stop word
  };

  /// Most units that are taken together. Each step of that is a loop of its own, whose turns the processor
  /// can overlap.
  static constexpr std::size_t kAtOnce = 256;

  template <class Words, class UnitOf>
  void take_all(Words words, UnitOf unit_of) {
    while (!words.empty()) {
      if (at_ == units_.size()) go_back();
      const std::size_t count = std::min(words.size(), units_.size() - at_);
      for (std::size_t i = 0; i < count; ++i)
        units_[at_ + i] = {unit_of(words[i]), words[i].range.begin, words[i].range.end, 0};
      words = words.subspan(count);
      take_units(count);
    }
  }

  /// Makes room: keeps no more than later steps look at.
  void go_back() {
    const auto kept = static_cast<std::ptrdiff_t>(kept_);
    std::copy(units_.end() - kept, units_.end(), units_.begin());
    std::copy(grams_.end() - kept, grams_.end(), grams_.begin());
    at_ = kept_;
  }

  /// Takes the units from at_ on.
  void take_units(std::size_t count) {
    Unit* const units = units_.data() + at_;
    Winnowing::Gram* const grams = grams_.data() + at_;
    if (stop_words_) {
      const KeySet& stop_words = *stop_words_;
      for (std::size_t i = 0; i < count; ++i) units[i].stops = stop_words.has(units[i].hash) ? 1 : 0;
    }
    const Unit* const leaving = units - options_.gram;
    RollingSum sum = sum_;
    std::uint32_t rank = grams[-1].rank;
    for (std::size_t i = 0; i < count; ++i) {
      sum.advance(units[i].hash, leaving[i].hash);
      rank += units[i].stops - leaving[i].stops;
      grams[i] = {sum.value(), {leaving[i + 1].begin, units[i].end}, rank};
    }
    sum_ = sum;
    const std::size_t incomplete =
        taken_ + 1 < options_.gram ? std::min<std::size_t>(count, options_.gram - 1 - taken_) : 0;
    if (taken_ + 1 < options_.run) {
      const std::size_t end = std::min<std::size_t>(count, options_.run - 1 - taken_);
      for (std::size_t i = incomplete; i < end; ++i) short_text_.push_back(grams[i]);
    }
    winnowing_.push_all(grams + incomplete, count - incomplete,
                        [this](const Winnowing::Gram& gram) { append(gram); });
    taken_ += count;
    at_ += count;
  }

  void append(const Winnowing::Gram& gram) {
    out_.hashes.push_back(Feature{gram.value});
    out_.ranges.push_back(gram.range);
  }

  const WinnowOptions& options_;
  std::shared_ptr<const KeySet> stop_words_;
  FeatureSequence& out_;
  RollingSum sum_;  ///< of the last units
  Winnowing winnowing_;
  const std::size_t kept_;  ///< units of a window of grams
  // The next unit comes to at_; before it are the last kept_ ones or more, after zeros.
  std::vector<Unit> units_;
  std::vector<Winnowing::Gram> grams_;  ///< each at the place of its last unit
  std::size_t at_;
  std::uint64_t taken_ = 0;                  ///< units
  std::vector<Winnowing::Gram> short_text_;  ///< the first grams, fewer than a window
};

class Winnow final : public Scheme {
 public:
  explicit Winnow(WinnowOptions options) : options_(options) {
    if (options.stop_words_last && options.unit == WinnowOptions::Unit::word) {
      stop_spellings_ = std::make_shared<const KeySet>(StopWords::of("removed").value().keys());
    }
  }

  [[nodiscard]] std::string name() const override {
    return "winnow(k=" + std::to_string(options_.gram) + ",t=" + std::to_string(options_.run) +
           ",unit=" + (sums_classes() ? "lemma" : "word") + ",order=" + (options_.ordered ? "kept" : "any") +
           (options_.stop_words_last ? ",stop=last)" : ")");
  }

  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& /*dictionary*/) const override {
    return sums_classes() ? word.lemma_class.hash : word.key;
  }

  [[nodiscard]] bool finds_passages() const override { return true; }
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
  AKIN_CHECK(spec.expect_only({"k", "t", "unit", "order", "stop"}));
  WinnowOptions options;
  AKIN_TRY(const std::uint64_t gram, spec.number("k", options.gram, {1, kMaxWindowUnits}));
  AKIN_TRY(const std::uint64_t run,
           spec.number("t", std::max<std::uint64_t>(options.run, gram), {gram, gram - 1 + kMaxWindowGrams}));
  options.gram = static_cast<unsigned>(gram);
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
