#include "dict/read/participles.h"

#include <string>

#include "base/built_in_list.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

struct Rule {
  std::u32string form;        // its end
  std::u32string participle;  // what replaces it
};

constexpr BuiltInList kParticipleFiles[] = {
#include "dict/participles.inc"
};

const std::vector<Rule>& participle_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    DictionaryLines lines(kParticipleFiles[0].content);
    while (lines.next()) {
      std::string_view line = lines.line();
      if (line.starts_with('#')) continue;
      const std::string_view form = next_field(line), participle = next_field(line);
      if (!participle.empty()) rules.push_back({to_utf32(form), to_utf32(participle)});
    }
    return rules;
  }();
  return kRules;
}

bool is_spelt_like_a_participle(std::u32string_view entry) {
  return entry.ends_with(U"ый") || entry.ends_with(U"ший") || entry.ends_with(U"щий") ||
         entry.ends_with(U"ийся");
}

}  // namespace

Participles::Participles(std::string_view code, const DictionaryForms& forms) {
  if (code != "ru") return;
  FormFolder folder;
  for (const DictionaryEntry& entry : forms.words().entries) {
    if (!is_spelt_like_a_participle(entry.word)) continue;
    if (const auto folded = folder.fold_form(entry.word)) entries_.insert(folded->key);
  }
}

bool Participles::is_verb(std::u32string_view entry) const noexcept {
  if (entries_.empty()) return false;
  if (entry.ends_with(U"ся")) entry.remove_suffix(2);
  return entry.ends_with(U"ть") || entry.ends_with(U"ти") || entry.ends_with(U"чь");
}

void Participles::append(std::u32string_view form, std::vector<std::uint64_t>& keys) const {
  for (const Rule& rule : participle_rules()) {
    if (rule.form.back() != form.back() || !form.ends_with(rule.form)) continue;
    SpellingHash hash;
    for (const char32_t letter : form.substr(0, form.size() - rule.form.size())) hash.add(letter);
    for (const char32_t letter : rule.participle) hash.add(letter);
    if (entries_.contains(hash.value())) keys.push_back(hash.value());
  }
}

}  // namespace akin
