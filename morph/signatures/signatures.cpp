#include "morph/signatures/signatures.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "morph/signatures/min_hash.h"

namespace akin {
namespace {

enum class SignatureKind { minhash, supershingles, megashingles };

/// A minhash is a signature of k groups of one minimum.
struct SignatureOptions {
  SignatureKind kind = SignatureKind::minhash;
  std::size_t groups = 0;
  std::size_t size = 1;
  Minima minima = Minima::bins;
  std::shared_ptr<const Scheme> of;
};

std::uint64_t joined(std::uint64_t hash, std::uint64_t next) noexcept { return mix64(hash * 3 + next); }

/// One hash per group of minima, with the group's number mixed in.
std::vector<std::uint64_t> group_hashes(const SignatureOptions& options, std::span<const Feature> features) {
  const std::vector<std::uint64_t> minima = min_hash(features, options.groups * options.size, options.minima);
  std::vector<std::uint64_t> hashes;
  if (minima.empty()) return hashes;
  hashes.reserve(options.groups);
  for (std::size_t group = 0; group < options.groups; ++group) {
    std::uint64_t hash = mix64(group + 1);
    for (std::size_t i = 0; i < options.size; ++i) hash = joined(hash, minima[group * options.size + i]);
    hashes.push_back(hash);
  }
  return hashes;
}

/// One hash per pair of group hashes, each of which already contains its group's number.
std::vector<std::uint64_t> pair_hashes(const std::vector<std::uint64_t>& hashes) {
  std::vector<std::uint64_t> pairs;
  for (std::size_t a = 0; a < hashes.size(); ++a) {
    for (std::size_t b = a + 1; b < hashes.size(); ++b) pairs.push_back(joined(hashes[a], hashes[b]));
  }
  return pairs;
}

class Signature final : public Scheme {
 public:
  explicit Signature(SignatureOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string name() const override {
    const std::string minima = options_.minima == Minima::bins ? "bins" : "functions";
    const std::string rest = ",minima=" + minima + ",of=" + options_.of->name() + ")";
    if (options_.kind == SignatureKind::minhash) return "minhash(k=" + std::to_string(options_.groups) + rest;
    return (options_.kind == SignatureKind::supershingles ? "supershingles(groups="
                                                          : "megashingles(groups=") +
           std::to_string(options_.groups) + ",size=" + std::to_string(options_.size) + rest;
  }

  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& dictionary) const override {
    return options_.of->word_hash(word, dictionary);
  }

  [[nodiscard]] bool has_containment() const override { return options_.of->has_containment(); }

  [[nodiscard]] bool sums_classes() const override { return options_.of->sums_classes(); }
  [[nodiscard]] bool joins_synonyms() const override { return options_.of->joins_synonyms(); }

  [[nodiscard]] const Scheme& verifying_scheme() const override { return *options_.of; }

  [[nodiscard]] FeatureSequence signature(const FeatureSequence& verifying) const override {
    FeatureSequence result;
    result.sentences = verifying.sentences;
    result.words = verifying.words;
    result.code_points = verifying.code_points;
    result.alert_counts = verifying.alert_counts;
    result.alerts = verifying.alerts;
    append(verifying, result);
    return result;
  }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Stream>(*this, dictionary, out);
  }

 private:
  class Stream final : public FeatureStream {
   public:
    Stream(const Signature& scheme, const Dictionary& dictionary, FeatureSequence& out)
        : scheme_(scheme), out_(out), inner_(scheme.options_.of->stream(dictionary, verifying_)) {}

    [[nodiscard]] SentenceDetail needs() const override { return inner_->needs(); }
    void on_sentence(const Sentence& sentence) override { inner_->on_sentence(sentence); }
    void finish() override {
      inner_->finish();
      scheme_.append(verifying_, out_);
    }

   private:
    const Signature& scheme_;
    FeatureSequence& out_;
    FeatureSequence verifying_;
    std::unique_ptr<FeatureStream> inner_;
  };

  void append(const FeatureSequence& verifying, FeatureSequence& out) const {
    std::vector<std::uint64_t> hashes = group_hashes(options_, verifying.hashes);
    if (options_.kind == SignatureKind::megashingles) hashes = pair_hashes(hashes);
    if (hashes.empty()) return;
    const TextRange whole{verifying.ranges.front().begin,
                          std::ranges::max(verifying.ranges, {}, &TextRange::end).end};
    for (const std::uint64_t hash : hashes) {
      out.hashes.push_back(Feature{hash});
      out.ranges.push_back(whole);
    }
  }

  SignatureOptions options_;
};

/// The parameters that all three have: `minima` and `of`.
Result<void> read_common(const SchemeSpec& spec, MakeScheme make, SignatureOptions& options) {
  AKIN_TRY(const std::size_t minima, spec.choice("minima", {"bins", "functions"}));
  options.minima = minima == 0 ? Minima::bins : Minima::functions;
  AKIN_TRY(options.of, make(spec.value("of", "shingles")));
  if (options.of->generates_candidates())
    return spec.wrong("of", "it is a signature itself, and cannot verify");
  if (!options.of->tiers().empty()) return spec.wrong("of", "it has tiers, and cannot verify");
  return {};
}

Result<std::shared_ptr<const Scheme>> grouped(const SchemeSpec& spec, MakeScheme make,
                                              SignatureOptions options) {
  AKIN_CHECK(spec.expect_only({"groups", "size", "minima", "of"}));
  const std::uint64_t least = options.kind == SignatureKind::megashingles ? 2 : 1;
  const std::uint64_t most = options.kind == SignatureKind::megashingles ? 64 : kMaxMinima;
  AKIN_TRY(options.groups, spec.number("groups", options.groups, {least, most}));
  AKIN_TRY(options.size, spec.number("size", options.size, {1, kMaxMinima}));
  if (options.groups * options.size > kMaxMinima) {
    return spec.wrong("size", "groups times size is over " + std::to_string(kMaxMinima));
  }
  AKIN_CHECK(read_common(spec, make, options));
  return std::shared_ptr<const Scheme>(std::make_shared<Signature>(std::move(options)));
}

}  // namespace

Result<std::shared_ptr<const Scheme>> minhash_scheme(const SchemeSpec& spec, MakeScheme make) {
  AKIN_CHECK(spec.expect_only({"k", "minima", "of"}));
  SignatureOptions options;
  AKIN_TRY(options.groups, spec.number("k", 84, {1, kMaxMinima}));
  AKIN_CHECK(read_common(spec, make, options));
  return std::shared_ptr<const Scheme>(std::make_shared<Signature>(std::move(options)));
}

Result<std::shared_ptr<const Scheme>> supershingles_scheme(const SchemeSpec& spec, MakeScheme make) {
  return grouped(spec, make, {.kind = SignatureKind::supershingles, .groups = 14, .size = 6, .of = nullptr});
}

Result<std::shared_ptr<const Scheme>> megashingles_scheme(const SchemeSpec& spec, MakeScheme make) {
  return grouped(spec, make, {.kind = SignatureKind::megashingles, .groups = 6, .size = 14, .of = nullptr});
}

}  // namespace akin
