#include "tests/dict/read/hunspell_oracle.h"

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

HunspellOracle::HunspellOracle(const DictionaryPair& files)
    : hunspell_(files.aff.c_str(), files.dic.c_str()),
      encoding_(encoding_named(hunspell_.get_dict_encoding())) {}

bool HunspellOracle::encode(std::u32string_view word) { return encoding_.encode(word, bytes_); }

std::vector<std::string> HunspellOracle::stems(std::u32string_view word) {
  std::vector<std::string> out;
  if (!encode(word)) return out;
  for (const std::string& stem : hunspell_.stem(bytes_)) {
    std::u32string letters;
    if (encoding_.decode(stem, letters) && !letters.empty()) out.push_back(to_utf8(letters));
  }
  return out;
}

bool HunspellOracle::accepts(std::u32string_view word) { return encode(word) && hunspell_.spell(bytes_); }

std::string_view describe(Agreement agreement) {
  switch (agreement) {
    case Agreement::shared_lemma:
      return "share a lemma";
    case Agreement::same_class:
      return "share the class, not the lemma";
    case Agreement::no_stem:
      return "accepted by Hunspell, but stem() is empty";
    case Agreement::rejected:
      return "rejected by Hunspell";
    case Agreement::other_class:
      return "stem() is of another class";
    case Agreement::at_run_time:
      return "not in the table, class by stem()";
    case Agreement::compound:
      return "compound, class by its last part";
    case Agreement::only_hunspell:
      return "known to stem() only";
    case Agreement::unknown_to_both:
      return "unknown to both";
  }
  return "";
}

void AgreementCounts::add(Agreement agreement, std::u32string_view word, std::uint64_t weight) {
  Row& row = rows_[agreement];
  row.count += weight;
  total_ += weight;
  if (row.examples.size() < kExamples) row.examples.push_back(to_utf8(word));
}

std::uint64_t AgreementCounts::count(Agreement agreement) const {
  const auto row = rows_.find(agreement);
  return row == rows_.end() ? 0 : row->second.count;
}

double AgreementCounts::disagreement() const {
  const std::uint64_t known = total_ - count(Agreement::unknown_to_both);
  const std::uint64_t agreed =
      count(Agreement::shared_lemma) + count(Agreement::same_class) + count(Agreement::at_run_time);
  return known == 0 ? 0.0 : static_cast<double>(known - agreed) / static_cast<double>(known);
}

std::string AgreementCounts::examples(Agreement agreement) const {
  std::string text;
  const auto row = rows_.find(agreement);
  if (row == rows_.end()) return text;
  for (const std::string& example : row->second.examples)
    text.append(text.empty() ? "" : " ").append(example);
  return text;
}

Agreement compare(const Dictionary& dictionary, HunspellOracle& oracle, std::u32string_view word) {
  WordFolder folder;
  const WordClass known = dictionary.classify(folder.fold(to_utf8(word)));
  const std::vector<std::string> stems = oracle.stems(word);
  const auto has_class = [&](const std::string& stem) {
    return dictionary.classify(folder.fold(stem)).hash == known.hash;
  };
  if (known.form == WordClass::kNoForm) {
    if (std::any_of(stems.begin(), stems.end(), has_class)) return Agreement::at_run_time;
    if (dictionary.knows(folder.fold(to_utf8(word)))) return Agreement::compound;
    return stems.empty() ? Agreement::unknown_to_both : Agreement::only_hunspell;
  }
  if (stems.empty()) return oracle.accepts(word) ? Agreement::no_stem : Agreement::rejected;
  for (const std::uint32_t id : dictionary.lemma_ids(known.form)) {
    if (std::find(stems.begin(), stems.end(), dictionary.lemma(id)) != stems.end())
      return Agreement::shared_lemma;
  }
  return std::any_of(stems.begin(), stems.end(), has_class) ? Agreement::same_class : Agreement::other_class;
}

}  // namespace akin::test
