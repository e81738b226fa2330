#include "morph/schemes/winnow.h"

#include <algorithm>
#include <array>
#include <optional>
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
        hash_(options.gram, options.ordered),
        window_(options.run - options.gram + 1),
        winnowing_(window_) {
    short_text_.reserve(window_);
  }

  [[nodiscard]] SentenceDetail needs() const override {
    return options_.unit == WinnowOptions::Unit::lemma ? SentenceDetail::classes : SentenceDetail::words;
  }

  void on_sentence(const Sentence& sentence) override {
    if (options_.unit == WinnowOptions::Unit::lemma) {
      for (const PlacedClass& word : sentence.classes) push(word.hash, word.range);
    } else {
      for (const Word& word : sentence.words) push(word.key, word.range);
    }
  }

  void finish() override {
    if (units_ > 0 && units_ < options_.gram) append({hash_.value(), {begins_[0], end_}, 0});
    if (units_ < options_.run) {
      for (const Winnowing::Gram& gram : short_text_) append(gram);
    }
  }

 private:
  void push(std::uint64_t unit, TextRange range) {
    hash_.push(unit);
    if (stop_words_) {
      const bool is_stop_word = stop_words_->has(unit);
      rank_ += (is_stop_word ? 1U : 0U) - (stops_[at_] ? 1U : 0U);
      stops_[at_] = is_stop_word;
    }
    begins_[at_] = range.begin;
    end_ = range.end;
    at_ = at_ + 1 == options_.gram ? 0 : at_ + 1;
    if (++units_ < options_.gram) return;
    // The place that comes next holds the unit that was taken k - 1 units ago.
    const Winnowing::Gram gram{hash_.value(), {begins_[at_], end_}, rank_};
    if (units_ < options_.run) short_text_.push_back(gram);
    if (const auto selected = winnowing_.push(gram)) append(*selected);
  }

  void append(const Winnowing::Gram& gram) {
    out_.hashes.push_back(Feature{gram.value});
    out_.ranges.push_back(gram.range);
  }

  const WinnowOptions& options_;
  std::shared_ptr<const KeySet> stop_words_;
  FeatureSequence& out_;
  RollingHash hash_;
  const unsigned window_;
  Winnowing winnowing_;
  std::array<std::uint32_t, kMaxWindowUnits> begins_{};  ///< of the last units, a ring
  std::array<bool, kMaxWindowUnits> stops_{};            ///< whether they are stop words
  std::uint32_t rank_ = 0;                               ///< of the last units: how many are
  unsigned at_ = 0;
  std::uint32_t end_ = 0;                    ///< of the last unit
  std::uint64_t units_ = 0;                  ///< taken so far
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
