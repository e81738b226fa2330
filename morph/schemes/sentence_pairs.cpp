#include "morph/schemes/schemes.h"
#include "morph/schemes/seq2.h"

namespace akin {
namespace {

struct SumOfWords {
  static constexpr SentenceDetail kNeeds = SentenceDetail::sums;
  std::uint64_t operator()(const Sentence& sentence) const noexcept { return sentence.hash; }
};

class SentencePairs final : public Scheme {
 public:
  [[nodiscard]] std::string name() const override { return "sentence-pairs"; }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& /*dictionary*/,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Seq2Stream<SumOfWords>>(out, SumOfWords{});
  }
};

}  // namespace

std::shared_ptr<const Scheme> sentence_pairs_scheme() { return std::make_shared<SentencePairs>(); }

}  // namespace akin
