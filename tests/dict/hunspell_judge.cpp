#include "tests/dict/hunspell_judge.h"

#include <algorithm>
#include <stdexcept>

#include "base/utf8.h"

namespace akin::test {
namespace {

constexpr std::size_t kExamples = 12;

Encoding encoding_named(const std::string& name) {
  const auto encoding = Encoding::named(name);
  if (!encoding) throw std::runtime_error("no encoding " + name);
  return *encoding;
}

}  // namespace

HunspellJudge::HunspellJudge(const DictionaryPair& files)
    : hunspell_(files.aff.c_str(), files.dic.c_str()),
      encoding_(encoding_named(hunspell_.get_dict_encoding())) {}

bool HunspellJudge::encode(std::u32string_view word) { return encoding_.encode(word, bytes_); }

std::vector<std::string> HunspellJudge::stems(std::u32string_view word) {
  std::vector<std::string> out;
  if (!encode(word)) return out;
  for (const std::string& stem : hunspell_.stem(bytes_)) {
    std::u32string letters;
    if (encoding_.decode(stem, letters) && !letters.empty()) out.push_back(to_utf8(letters));
  }
  return out;
}

bool HunspellJudge::accepts(std::u32string_view word) { return encode(word) && hunspell_.spell(bytes_); }

std::string_view describe(Verdict verdict) {
  switch (verdict) {
    case Verdict::shared_lemma:
      return "share a lemma";
    case Verdict::same_class:
      return "share the class, not the lemma";
    case Verdict::no_stem:
      return "accepted by Hunspell, but stem() is empty";
    case Verdict::rejected:
      return "rejected by Hunspell";
    case Verdict::other_class:
      return "stem() is of another class";
    case Verdict::at_run_time:
      return "not in the table, class by stem()";
    case Verdict::compound:
      return "compound, class by its last part";
    case Verdict::only_hunspell:
      return "known to stem() only";
    case Verdict::unknown_to_both:
      return "unknown to both";
  }
  return "";
}

void Verdicts::add(Verdict verdict, std::u32string_view word, std::uint64_t weight) {
  Row& row = rows_[verdict];
  row.count += weight;
  total_ += weight;
  if (row.examples.size() < kExamples) row.examples.push_back(to_utf8(word));
}

std::uint64_t Verdicts::count(Verdict verdict) const {
  const auto row = rows_.find(verdict);
  return row == rows_.end() ? 0 : row->second.count;
}

double Verdicts::disagreement() const {
  const std::uint64_t known = total_ - count(Verdict::unknown_to_both);
  const std::uint64_t agreed =
      count(Verdict::shared_lemma) + count(Verdict::same_class) + count(Verdict::at_run_time);
  return known == 0 ? 0.0 : static_cast<double>(known - agreed) / static_cast<double>(known);
}

std::string Verdicts::examples(Verdict verdict) const {
  std::string text;
  const auto row = rows_.find(verdict);
  if (row == rows_.end()) return text;
  for (const std::string& example : row->second.examples)
    text.append(text.empty() ? "" : " ").append(example);
  return text;
}

Verdict compare(const Dictionary& dictionary, HunspellJudge& judge, std::u32string_view word) {
  WordFolder folder;
  const WordClass known = dictionary.classify(folder.fold(to_utf8(word)));
  const std::vector<std::string> stems = judge.stems(word);
  const auto has_class = [&](const std::string& stem) {
    return dictionary.classify(folder.fold(stem)).hash == known.hash;
  };
  if (known.form == WordClass::kNoForm) {
    if (std::any_of(stems.begin(), stems.end(), has_class)) return Verdict::at_run_time;
    if (dictionary.knows(folder.fold(to_utf8(word)))) return Verdict::compound;
    return stems.empty() ? Verdict::unknown_to_both : Verdict::only_hunspell;
  }
  if (stems.empty()) return judge.accepts(word) ? Verdict::no_stem : Verdict::rejected;
  for (const std::uint32_t id : dictionary.lemma_ids(known.form)) {
    if (std::find(stems.begin(), stems.end(), dictionary.lemma(id)) != stems.end())
      return Verdict::shared_lemma;
  }
  return std::any_of(stems.begin(), stems.end(), has_class) ? Verdict::same_class : Verdict::other_class;
}

}  // namespace akin::test
