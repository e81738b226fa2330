#include "morph/schemes/joined_synonyms.h"

#include <utility>
#include <vector>

namespace akin {
namespace {

/// Passes sentences on with their words' classes replaced. Its buffer is reused from sentence to sentence.
class JoiningStream final : public FeatureStream {
 public:
  /// The dictionary must outlive it.
  JoiningStream(const Dictionary& dictionary, std::unique_ptr<FeatureStream> next)
      : dictionary_(dictionary), next_(std::move(next)) {}

  void on_sentence(const Sentence& sentence) override {
    words_.assign(sentence.words.begin(), sentence.words.end());
    std::uint64_t sum = 0;
    for (Word& word : words_) {
      word.lemma_class.hash = dictionary_.synonym_hash(word.lemma_class.hash);
      sum += word.lemma_class.hash;
    }
    classes_.assign(sentence.classes.begin(), sentence.classes.end());
    for (std::size_t i = 0; i < classes_.size(); ++i) classes_[i].hash = words_[i].lemma_class.hash;
    next_->on_sentence({sentence.range, sum, classes_, words_});
  }

  void finish() override { next_->finish(); }

 private:
  const Dictionary& dictionary_;
  std::unique_ptr<FeatureStream> next_;
  std::vector<PlacedClass> classes_;
  std::vector<Word> words_;
};

class JoinedSynonymsScheme final : public Scheme {
 public:
  explicit JoinedSynonymsScheme(std::shared_ptr<const Scheme> of) : of_(std::move(of)) {}

  [[nodiscard]] std::string name() const override { return "synonyms(of=" + of_->name() + ")"; }

  [[nodiscard]] bool joins_synonyms() const override { return true; }

  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& dictionary) const override {
    return dictionary.synonym_hash(of_->word_hash(word, dictionary));
  }

  [[nodiscard]] bool has_containment() const override { return of_->has_containment(); }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                      FeatureSequence& out) const override {
    return std::make_unique<JoiningStream>(dictionary, of_->stream(dictionary, out));
  }

 private:
  std::shared_ptr<const Scheme> of_;
};

}  // namespace

Result<std::shared_ptr<const Scheme>> synonyms_scheme(const SchemeSpec& spec) {
  AKIN_CHECK(spec.expect_only({"of"}));
  AKIN_TRY(auto of, make_scheme(spec.value("of", kComparisonScheme)));
  if (of->generates_candidates()) {
    return spec.wrong("of",
                      "it only generates candidates: join the synonyms of the scheme that verifies, as in "
                      "supershingles(of=synonyms(of=shingles))");
  }
  if (of->joins_synonyms()) return spec.wrong("of", "it joins synonyms itself");
  if (!of->sums_classes()) return spec.wrong("of", "its features are not made of the words' classes");
  return std::shared_ptr<const Scheme>(std::make_shared<JoinedSynonymsScheme>(std::move(of)));
}

}  // namespace akin
