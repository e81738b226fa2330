#include "dict/read/participles.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

struct Rule {
  std::u32string_view form;        // its end
  std::u32string_view participle;  // what replaces it
};

// ё is folded to е.
constexpr auto kRules = std::to_array<Rule>({
    // Third person plural: present active, and the past active of stems in д and т.
    {U"ут", U"ущий"},
    {U"ют", U"ющий"},
    {U"ат", U"ащий"},
    {U"ят", U"ящий"},
    {U"дут", U"дший"},
    {U"тут", U"тший"},
    {U"утся", U"ущийся"},
    {U"ются", U"ющийся"},
    {U"атся", U"ащийся"},
    {U"ятся", U"ящийся"},
    {U"дутся", U"дшийся"},
    {U"тутся", U"тшийся"},
    // Feminine past: past active.
    {U"ала", U"авший"},
    {U"яла", U"явший"},
    {U"ила", U"ивший"},
    {U"ела", U"евший"},
    {U"ола", U"овший"},
    {U"ула", U"увший"},
    {U"ыла", U"ывший"},
    {U"шла", U"шедший"},
    {U"бла", U"бший"},
    {U"гла", U"гший"},
    {U"зла", U"зший"},
    {U"кла", U"кший"},
    {U"пла", U"пший"},
    {U"рла", U"рший"},
    {U"сла", U"сший"},
    {U"хла", U"хший"},
    {U"алась", U"авшийся"},
    {U"ялась", U"явшийся"},
    {U"илась", U"ившийся"},
    {U"елась", U"евшийся"},
    {U"олась", U"овшийся"},
    {U"улась", U"увшийся"},
    {U"ылась", U"ывшийся"},
    {U"шлась", U"шедшийся"},
    {U"блась", U"бшийся"},
    {U"глась", U"гшийся"},
    {U"злась", U"зшийся"},
    {U"клась", U"кшийся"},
    {U"рлась", U"ршийся"},
    {U"слась", U"сшийся"},
    // Infinitive: past passive, and the present passive of stems in ава.
    {U"ать", U"анный"},
    {U"ять", U"янный"},
    {U"еть", U"енный"},
    {U"ть", U"тый"},
    {U"ереть", U"ертый"},
    {U"авать", U"аваемый"},
    // First person singular: past passive, with the stem's last consonant as the present has it.
    {U"у", U"енный"},
    {U"ю", U"енный"},
    {U"жу", U"жденный"},
    {U"гу", U"женный"},
    {U"ку", U"ченный"},
    // First person plural: present passive.
    {U"ем", U"емый"},
    {U"им", U"имый"},
});

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
  for (const Rule& rule : kRules) {
    if (rule.form.back() != form.back() || !form.ends_with(rule.form)) continue;
    SpellingHash hash;
    for (const char32_t letter : form.substr(0, form.size() - rule.form.size())) hash.add(letter);
    for (const char32_t letter : rule.participle) hash.add(letter);
    if (entries_.contains(hash.value())) keys.push_back(hash.value());
  }
}

}  // namespace akin
