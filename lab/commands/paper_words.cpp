#include "lab/commands/paper_words.h"

#include "cli/frame/format.h"
#include "morph/schemes/windows_1251.h"

namespace akin::cli {

namespace {

void add(std::string& sum, const std::string& term) { sum += (sum.empty() ? "" : " + ") + term; }

}  // namespace

bool is_paper_scheme(const Scheme& scheme) { return scheme.name().starts_with("paper-2009("); }

std::string paper_terms(const Word& word, const Dictionary& dictionary, const Scheme& scheme) {
  std::string sum;
  if (word.lemma_class.form == WordClass::kNoForm) {
    for (const char32_t c : word.letters) add(sum, std::to_string(windows_1251(c)) + "⁴");
    return sum;
  }
  const std::string power = scheme.name() == "paper-2009(ids=squared)" ? "²" : "";
  for (const std::uint32_t id : dictionary.lemma_ids(word.lemma_class.form))
    add(sum, std::string(dictionary.lemma(id)) + " " + grouped(id) + power);
  return sum;
}

std::uint32_t paper_sentence_hash(const Sentence& sentence, const Dictionary& dictionary,
                                  const Scheme& scheme) {
  std::uint32_t sum = 0;
  for (const Word& word : sentence.words)
    sum += static_cast<std::uint32_t>(scheme.word_hash(word, dictionary));
  return sum;
}

}  // namespace akin::cli
