#include "morph/schemes/tiers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/per_thread.h"

namespace akin {
namespace {

constexpr std::size_t kMaxNameBytes = 32;

bool is_tier_name(std::string_view name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  return name != kAllTiers && name.size() <= kMaxNameBytes && letter(name.front()) &&
         std::ranges::all_of(name, allowed);
}

/// One scheme's features, mapped into a tier.
class TierScheme final : public Scheme {
 public:
  TierScheme(std::size_t tier, std::shared_ptr<const Scheme> of) : tier_(tier), of_(std::move(of)) {}

  [[nodiscard]] std::string name() const override {
    return "tier(number=" + std::to_string(tier_ + 1) + ",of=" + of_->name() + ")";
  }
  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& dictionary) const override {
    return of_->word_hash(word, dictionary);
  }
  [[nodiscard]] bool has_containment() const override { return of_->has_containment(); }
  [[nodiscard]] bool joins_synonyms() const override { return of_->joins_synonyms(); }
  [[nodiscard]] bool sums_classes() const override { return of_->sums_classes(); }
  [[nodiscard]] unsigned least_run() const override { return of_->least_run(); }
  [[nodiscard]] std::uint64_t seed_shape() const override { return of_->seed_shape(); }
  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Stream>(*this, of_->stream(dictionary, out), out);
  }
  [[nodiscard]] const Scheme& of() const noexcept { return *of_; }

 private:
  class Stream final : public FeatureStream {
   public:
    Stream(const TierScheme& scheme, std::unique_ptr<FeatureStream> inner, FeatureSequence& out)
        : tier_(scheme.tier_),
          bits_(scheme.finds_passages() ? kSeedBits : kFeatureBits),
          begin_(out.hashes.size()),
          out_(out),
          inner_(std::move(inner)) {}

    [[nodiscard]] SentenceDetail needs() const override { return inner_->needs(); }
    void on_sentence(const Sentence& sentence) override { inner_->on_sentence(sentence); }
    void finish() override {
      inner_->finish();
      for (std::size_t at = begin_; at < out_.hashes.size(); ++at)
        out_.hashes[at] = in_tier(out_.hashes[at], tier_, bits_);
    }

   private:
    std::size_t tier_;
    unsigned bits_;
    std::size_t begin_;
    FeatureSequence& out_;
    std::unique_ptr<FeatureStream> inner_;
  };

  std::size_t tier_;
  std::shared_ptr<const Scheme> of_;
};

class Tiers final : public Scheme {
 public:
  explicit Tiers(std::vector<Tier> tiers) : tiers_(std::move(tiers)) {}

  [[nodiscard]] std::string name() const override {
    std::string name = "tiers(";
    for (const Tier& tier : tiers_) {
      if (&tier != &tiers_.front()) name += ',';
      name += tier.name + "=" + static_cast<const TierScheme&>(*tier.scheme).of().name();
    }
    return name + ")";
  }
  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& dictionary) const override {
    return verifying_scheme().word_hash(word, dictionary);
  }
  [[nodiscard]] bool has_containment() const override { return verifying_scheme().has_containment(); }
  [[nodiscard]] bool joins_synonyms() const override {
    return std::ranges::any_of(tiers_, [](const Tier& tier) { return tier.scheme->joins_synonyms(); });
  }
  [[nodiscard]] bool sums_classes() const override { return false; }
  [[nodiscard]] const Scheme& verifying_scheme() const override { return *tiers_.front().scheme; }
  [[nodiscard]] std::span<const Tier> tiers() const override { return tiers_; }
  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Stream>(tiers_, dictionary, out);
  }

 private:
  /// The first tier's features go to their place at once, those of the others when they are complete.
  class Stream final : public FeatureStream {
   public:
    Stream(std::span<const Tier> tiers, const Dictionary& dictionary, FeatureSequence& out)
        : out_(out), begin_(out.hashes.size()), parts_(tiers.size() - 1) {
      // What a text leaves is enough for most others: to grow costs as much as to make the features.
      if (FeatureSequence* const spare = PerThread<FeatureSequence, Stream>::find(); spare != nullptr)
        swap_with(*spare);
      streams_.reserve(tiers.size());
      for (std::size_t tier = 0; tier < tiers.size(); ++tier)
        streams_.push_back(tiers[tier].scheme->stream(dictionary, tier == 0 ? out : parts_[tier - 1]));
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() override {
      FeatureSequence& part = parts_.front();
      FeatureSequence* const spare = PerThread<FeatureSequence, Stream>::find();
      if (spare == nullptr || part.hashes.capacity() > kMostSpareFeatures) return;
      if (part.hashes.capacity() <= spare->hashes.capacity()) return;
      part.hashes.clear();
      part.ranges.clear();
      swap_with(*spare);
    }

    [[nodiscard]] SentenceDetail needs() const override {
      SentenceDetail most = SentenceDetail::sums;
      for (const auto& one : streams_) most = std::max(most, one->needs());
      return most;
    }
    void on_sentence(const Sentence& sentence) override {
      for (const auto& one : streams_) one->on_sentence(sentence);
    }
    void finish() override {
      for (const auto& one : streams_) one->finish();
      out_.tier_sizes.push_back(out_.hashes.size() - begin_);
      for (const FeatureSequence& part : parts_) {
        out_.hashes.insert(out_.hashes.end(), part.hashes.begin(), part.hashes.end());
        out_.ranges.insert(out_.ranges.end(), part.ranges.begin(), part.ranges.end());
        out_.tier_sizes.push_back(part.hashes.size());
      }
    }

   private:
    static constexpr std::size_t kMostSpareFeatures = std::size_t{1} << 16;  // 1 MiB, of a text of 3 MB
    void swap_with(FeatureSequence& spare) noexcept {
      parts_.front().hashes.swap(spare.hashes);
      parts_.front().ranges.swap(spare.ranges);
    }

    FeatureSequence& out_;
    std::size_t begin_;
    std::vector<FeatureSequence> parts_;  ///< of the tiers after the first
    std::vector<std::unique_ptr<FeatureStream>> streams_;
  };

  std::vector<Tier> tiers_;
};

Result<std::shared_ptr<const Scheme>> make_part(const SchemeSpec& spec, std::string_view parameter,
                                                std::string_view text) {
  AKIN_TRY(std::shared_ptr<const Scheme> scheme, make_scheme(text));
  if (scheme->generates_candidates())
    return spec.wrong(parameter, "it only generates candidates, which a tier must not");
  if (!scheme->tiers().empty() || scheme->name().starts_with("tier(")) {
    return spec.wrong(parameter, "it is made of tiers itself");
  }
  return scheme;
}

}  // namespace

Feature in_tier(Feature own, std::size_t tier, unsigned bits) noexcept {
  const std::uint64_t mixed = mix64(static_cast<std::uint64_t>(own));
  return Feature{static_cast<std::uint64_t>(first_of_tier(tier)) | mixed >> (64 - bits)};
}

bool are_in_tiers(std::span<const Feature> features, std::span<const std::uint64_t> sizes) {
  std::size_t at = 0;
  for (std::size_t tier = 0; tier < sizes.size(); ++tier) {
    if (sizes[tier] > features.size() - at) return false;
    const auto part = features.subspan(at, static_cast<std::size_t>(sizes[tier]));
    if (!std::ranges::all_of(part, [&](Feature feature) { return tier_of(feature) == tier; })) return false;
    at += part.size();
  }
  return at == features.size();
}

FeatureSequence part_in_tier(FeatureSequence all, std::span<const std::uint64_t> sizes, std::size_t tier) {
  const auto of_tiers = [&](std::size_t count) {
    std::uint64_t sum = 0;
    for (const std::uint64_t size : sizes.first(count)) sum += size;
    return static_cast<std::ptrdiff_t>(sum);
  };
  const std::ptrdiff_t begin = of_tiers(tier);
  const std::ptrdiff_t end = of_tiers(tier + 1);
  const auto cut = [&](auto& list) {
    list.erase(list.begin() + end, list.end());
    list.erase(list.begin(), list.begin() + begin);
  };
  cut(all.hashes);
  cut(all.ranges);
  all.tier_sizes.clear();
  return all;
}

Result<std::shared_ptr<const Scheme>> tiers_scheme(const SchemeSpec& spec) {
  const auto& parts = spec.parameters();
  if (parts.size() < 2 || parts.size() > kMaxTiers) {
    return Error{Errc::invalid_argument, "scheme 'tiers'", "it does not have 2 to 4 tiers",
                 "write it as tiers(NAME=SCHEME,NAME=SCHEME), strictest first"};
  }
  std::vector<Tier> tiers;
  tiers.reserve(parts.size());
  for (const auto& [name, text] : parts) {
    if (!is_tier_name(name)) {
      return spec.wrong(
          name,
          "a tier's name is a letter a-z and up to 31 letters a-z, digits and hyphens behind it, not 'all'");
    }
    AKIN_TRY(std::shared_ptr<const Scheme> scheme, make_part(spec, name, text));
    tiers.push_back({std::string(name), std::make_shared<TierScheme>(tiers.size(), std::move(scheme))});
  }
  return std::shared_ptr<const Scheme>(std::make_shared<Tiers>(std::move(tiers)));
}

Result<std::shared_ptr<const Scheme>> tier_scheme(const SchemeSpec& spec) {
  AKIN_CHECK(spec.expect_only({"number", "of"}));
  AKIN_TRY(const std::uint64_t number, spec.number("number", 1, {1, kMaxTiers}));
  AKIN_TRY(std::shared_ptr<const Scheme> of, make_part(spec, "of", spec.value("of", kComparisonScheme)));
  return std::shared_ptr<const Scheme>(
      std::make_shared<TierScheme>(static_cast<std::size_t>(number - 1), std::move(of)));
}

Result<std::size_t> find_tier(const Scheme& scheme, std::string_view name) {
  const std::span<const Tier> tiers = scheme.tiers();
  const auto found = std::ranges::find(tiers, name, &Tier::name);
  if (found != tiers.end()) return static_cast<std::size_t>(found - tiers.begin());
  if (tiers.empty()) {
    return Error{Errc::invalid_argument, "tier '" + std::string(name) + "'",
                 "the collection's scheme " + scheme.name() + " has no tiers",
                 "name none, or rebuild the collection with a scheme tiers(NAME=SCHEME,…)"};
  }
  std::string names;
  for (const Tier& tier : tiers) names += (names.empty() ? "" : ", ") + tier.name;
  return Error{Errc::invalid_argument, "tier '" + std::string(name) + "'", "there is no such tier",
               "the tiers are " + names};
}

}  // namespace akin
