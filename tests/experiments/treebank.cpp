#include "tests/experiments/treebank.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "dict/read/form_folder.h"
#include "tests/experiments/corpora.h"

namespace akin::experiments {
namespace {

// Columns of CoNLL-U (universaldependencies.org/format.html).
enum Column : std::size_t { kId, kForm, kLemma, kUpos, kMisc = 9, kColumns };

using Fields = std::array<std::string_view, kColumns>;

Fields split_fields(std::string_view line) {
  Fields fields;
  for (std::size_t i = 0; i < kColumns && !line.empty(); ++i) {
    const std::size_t tab = line.find('\t');
    fields[i] = line.substr(0, tab);
    line = tab == std::string_view::npos ? std::string_view{} : line.substr(tab + 1);
  }
  return fields;
}

unsigned number(std::string_view digits) {
  unsigned value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// Whether such a word is one or several depends on the dictionary.
bool has_hyphen(std::u32string_view word) {
  return word.find_first_of(U"-\u2010\u2011") != std::u32string_view::npos;
}

bool has_letter(std::u32string_view word) {
  return std::any_of(word.begin(), word.end(), [](char32_t c) { return c > U'9'; });
}

std::uint64_t pairs(std::uint64_t n) { return n == 0 ? 0 : n * (n - 1) / 2; }

template <class Key>
class Tally {
 public:
  void add(const Key& key, std::uint64_t count) { counts_[key] += count; }
  [[nodiscard]] std::uint64_t pairs_within() const {
    std::uint64_t sum = 0;
    for (const auto& [key, count] : counts_) sum += pairs(count);
    return sum;
  }

 private:
  std::map<Key, std::uint64_t> counts_;
};

/// Words grouped by one key, and within it by another.
struct Group {
  std::uint64_t count = 0;
  std::vector<const FormWithLemma*> words;
};
using Groups = std::map<std::string, Group>;

std::string describe(const Groups& groups, bool by_lemma) {
  std::vector<std::pair<std::string, const Group*>> order;
  for (const auto& [key, group] : groups) order.emplace_back(key, &group);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second->count > b.second->count; });
  std::string text;
  for (const auto& [key, group] : order) {
    if (!text.empty()) text += " | ";
    if (by_lemma) text += key + ": ";
    std::vector<const FormWithLemma*> words = group->words;
    std::stable_sort(words.begin(), words.end(), [](auto* a, auto* b) { return a->count > b->count; });
    for (const FormWithLemma* word : words) {
      text += word->form + " " + std::to_string(word->count) + (word == words.back() ? "" : " ");
    }
  }
  return text;
}

/// What pairs of different forms cost within `groups`' outer key: all pairs but those inside one inner group,
/// and but those spelt alike.
std::uint64_t pairs_across(const Groups& groups) {
  std::uint64_t total = 0;
  std::uint64_t within = 0;
  std::map<std::string, std::vector<std::uint64_t>> spelling;
  for (const auto& [key, group] : groups) {
    total += group.count;
    within += pairs(group.count);
    for (const FormWithLemma* word : group.words) spelling[word->form].push_back(word->count);
  }
  std::uint64_t alike = 0;
  for (const auto& [form, counts] : spelling) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) {
      alike += sum * count;
      sum += count;
    }
  }
  return pairs(total) - within - alike;
}

std::vector<Disagreement> disagreements(const std::map<std::string, Groups>& outer, bool by_lemma) {
  std::vector<Disagreement> out;
  for (const auto& [key, groups] : outer) {
    if (groups.size() < 2) continue;
    const std::uint64_t cost = pairs_across(groups);
    if (cost == 0) continue;
    out.push_back({cost, key, describe(groups, by_lemma)});
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.pairs > b.pairs; });
  return out;
}

}  // namespace

Treebank read_treebank(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + ": cannot be read");
  Treebank out;
  out.name = file.stem().string();

  FormFolder folder;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;  // lemma, form
  unsigned last_part = 0;
  bool glued = false;  // to the word before: no space is between them
  bool glues_to_next = false;
  std::optional<std::pair<std::string, std::string>> word;  // the last one, counted when the next is known
  const auto count_word = [&](bool is_one) {
    if (!word) return;
    if (is_one) ++counts[*word];
    ++(is_one ? out.tokens : out.skipped);
    word.reset();
  };
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') {
      count_word(!glued);
      last_part = 0;
      glued = glues_to_next = false;
      continue;
    }
    const Fields fields = split_fields(line);
    if (fields[kId].find('.') != std::string_view::npos || number(fields[kId]) <= last_part) continue;
    const std::u32string letters = to_utf32(fields[kForm]);
    const bool is_word = fields[kUpos] != "PUNCT" && fields[kUpos] != "SYM" && has_letter(letters);
    count_word(!glued && !(glues_to_next && is_word));
    glued = glues_to_next && is_word;
    glues_to_next = is_word && fields[kMisc].find("SpaceAfter=No") != std::string_view::npos;
    if (const std::size_t dash = fields[kId].find('-'); dash != std::string_view::npos) {
      last_part = number(fields[kId].substr(dash + 1));
      ++out.skipped;
      continue;
    }
    if (!is_word || fields[kLemma] == "_") continue;
    const auto folded = folder.fold_form(letters);
    if (!folded || has_hyphen(letters)) {
      ++out.skipped;
      continue;
    }
    std::string form = to_utf8(folded->letters);
    std::string lemma = to_utf8(folder.fold_spelling(fields[kLemma]).letters);
    if (!lemma.empty()) word.emplace(std::move(lemma), std::move(form));
  }
  count_word(!glued);
  for (const auto& [key, count] : counts) out.words.push_back({key.second, key.first, count});
  return out;
}

Agreement count_pairs(const Treebank& treebank, const std::vector<std::uint64_t>& classes) {
  using Class = std::uint64_t;
  Tally<std::string_view> lemma;
  Tally<std::string_view> form;
  Tally<Class> word_class;
  Tally<std::pair<std::string_view, std::string_view>> form_and_lemma;
  Tally<std::pair<Class, std::string_view>> class_and_lemma;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const FormWithLemma& word = treebank.words[i];
    lemma.add(word.lemma, word.count);
    form.add(word.form, word.count);
    word_class.add(classes[i], word.count);
    form_and_lemma.add({word.form, word.lemma}, word.count);
    class_and_lemma.add({classes[i], word.lemma}, word.count);
  }
  Agreement out;
  out.all.one_lemma = lemma.pairs_within();
  out.all.one_lemma_one_class = class_and_lemma.pairs_within();
  out.all.two_lemmas = pairs(treebank.tokens) - out.all.one_lemma;
  out.all.two_lemmas_one_class = word_class.pairs_within() - out.all.one_lemma_one_class;

  const std::uint64_t alike_one_lemma = form_and_lemma.pairs_within();
  const std::uint64_t alike_two_lemmas = form.pairs_within() - alike_one_lemma;
  out.other_forms.one_lemma = out.all.one_lemma - alike_one_lemma;
  out.other_forms.one_lemma_one_class = out.all.one_lemma_one_class - alike_one_lemma;
  out.other_forms.two_lemmas = out.all.two_lemmas - alike_two_lemmas;
  out.other_forms.two_lemmas_one_class = out.all.two_lemmas_one_class - alike_two_lemmas;
  return out;
}

std::uint64_t pairs_by_homographs(const Treebank& treebank, const std::vector<std::uint64_t>& classes) {
  std::set<std::pair<std::string_view, std::string_view>> occurs;  // form, lemma
  std::map<std::uint64_t, std::vector<const FormWithLemma*>> by_class;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const FormWithLemma& word = treebank.words[i];
    occurs.emplace(word.form, word.lemma);
    by_class[classes[i]].push_back(&word);
  }
  std::uint64_t sum = 0;
  for (const auto& [word_class, words] : by_class) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const FormWithLemma& a = *words[i];
        const FormWithLemma& b = *words[j];
        if (a.form == b.form || a.lemma == b.lemma) continue;
        if (occurs.contains({a.form, b.lemma}) || occurs.contains({b.form, a.lemma}))
          sum += a.count * b.count;
      }
    }
  }
  return sum;
}

std::vector<Disagreement> split_lemmas(const Treebank& treebank, const std::vector<std::uint64_t>& classes) {
  std::map<std::string, Groups> by_lemma;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const FormWithLemma& word = treebank.words[i];
    Group& group = by_lemma[word.lemma][std::to_string(classes[i])];
    group.count += word.count;
    group.words.push_back(&word);
  }
  return disagreements(by_lemma, false);
}

std::vector<Disagreement> mixed_classes(const Treebank& treebank, const std::vector<std::uint64_t>& classes) {
  std::map<std::string, Groups> by_class;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const FormWithLemma& word = treebank.words[i];
    Group& group = by_class[std::to_string(classes[i])][word.lemma];
    group.count += word.count;
    group.words.push_back(&word);
  }
  std::vector<Disagreement> out = disagreements(by_class, true);
  for (Disagreement& mixed : out) mixed.what = mixed.detail.substr(0, mixed.detail.find(':'));
  return out;
}

std::vector<std::filesystem::path> treebanks_of_corpora() {
  const std::filesystem::path folder = corpora_folder() / "ud";
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".conllu") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace akin::experiments
