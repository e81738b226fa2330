#include "morph/schemes.h"
#include "morph/sentence_hash.h"
#include "morph/seq2.h"

namespace akin {
namespace {

class SentencePairs final : public Scheme {
 public:
  [[nodiscard]] std::string name() const override { return "sentence-pairs"; }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& /*dictionary*/,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Seq2Stream<decltype(&sentence_hash)>>(out, &sentence_hash);
  }
};

}  // namespace

std::shared_ptr<const Scheme> sentence_pairs_scheme() { return std::make_shared<SentencePairs>(); }

}  // namespace akin
