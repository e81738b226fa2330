#include "morph/schemes/schemes.h"

namespace akin {
namespace {

class SingleSentences final : public Scheme {
 public:
  [[nodiscard]] std::string name() const override { return "sentences"; }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& /*dictionary*/,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Stream>(out);
  }

 private:
  class Stream final : public FeatureStream {
   public:
    explicit Stream(FeatureSequence& out) : out_(out) {}

    [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::sums; }

    void on_sentence(const Sentence& sentence) override {
      out_.hashes.push_back(Feature{sentence.hash});
      out_.ranges.push_back(sentence.range);
    }

    void finish() override {}

   private:
    FeatureSequence& out_;
  };
};

}  // namespace

std::shared_ptr<const Scheme> sentences_scheme() { return std::make_shared<SingleSentences>(); }

}  // namespace akin
