#include "morph/schemes/schemes.h"
#include "morph/schemes/seq2.h"
#include "morph/schemes/windows_1251.h"

namespace akin {
namespace {

/// WH and SH of the paper.
class PaperHash {
 public:
  static constexpr SentenceDetail kNeeds = SentenceDetail::words;

  PaperHash(const Dictionary& dictionary, PaperIds ids) : dictionary_(dictionary), ids_(ids) {}

  std::uint32_t operator()(const Sentence& sentence) const {
    std::uint32_t sum = 0;
    for (const Word& word : sentence.words) sum += (*this)(word);
    return sum;
  }

  std::uint32_t operator()(const Word& word) const {
    return word.lemma_class.form == WordClass::kNoForm ? unknown(word) : known(word.lemma_class.form);
  }

 private:
  [[nodiscard]] std::uint32_t known(std::uint32_t form) const {
    std::uint32_t sum = 0;
    for (const std::uint32_t id : dictionary_.lemma_ids(form)) sum += ids_ == PaperIds::plain ? id : id * id;
    return sum;
  }

  [[nodiscard]] static std::uint32_t unknown(const Word& word) {
    std::uint32_t sum = 0;
    for (const char32_t c : word.letters) {
      const std::uint32_t code = windows_1251(c);
      sum += code * code * code * code;
    }
    return sum;
  }

  const Dictionary& dictionary_;
  PaperIds ids_;
};

class Paper2009 final : public Scheme {
 public:
  explicit Paper2009(PaperIds ids) : ids_(ids) {}

  [[nodiscard]] std::string name() const override {
    return ids_ == PaperIds::plain ? "paper-2009(ids=plain)" : "paper-2009(ids=squared)";
  }

  [[nodiscard]] std::uint64_t word_hash(const Word& word, const Dictionary& dictionary) const override {
    return PaperHash(dictionary, ids_)(word);
  }

  [[nodiscard]] bool sums_classes() const override { return false; }

  [[nodiscard]] std::unique_ptr<FeatureStream> stream(const Dictionary& dictionary,
                                                      FeatureSequence& out) const override {
    return std::make_unique<Seq2Stream<PaperHash>>(out, PaperHash(dictionary, ids_));
  }

 private:
  PaperIds ids_;
};

}  // namespace

std::shared_ptr<const Scheme> paper_2009_scheme(PaperIds ids) { return std::make_shared<Paper2009>(ids); }

}  // namespace akin
