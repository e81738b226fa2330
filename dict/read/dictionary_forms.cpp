#include "dict/read/dictionary_forms.h"

#include <algorithm>
#include <utility>

#include "dict/fold/characters.h"
#include "dict/read/aff_reader.h"
#include "dict/read/dic_reader.h"

namespace akin {
namespace {

using WordSet = std::unordered_set<std::u32string>;

/// If several entries have one spelling, Hunspell checks only whether the first is forbidden.
WordSet find_forbidden(const AffixData& affixes, const WordList& words) {
  WordSet forbidden;
  if (affixes.forbidden_word == 0) return forbidden;
  const auto is_forbidden = [&](const DictionaryEntry& entry) {
    return has_flag(words.flags_of(entry), affixes.forbidden_word);
  };
  // From the last entry to the first, so that the first one decides.
  for (auto entry = words.entries.rbegin(); entry != words.entries.rend(); ++entry) {
    std::u32string word = entry->word;
    if (affixes.reversed) std::reverse(word.begin(), word.end());
    if (is_forbidden(*entry)) {
      forbidden.insert(std::move(word));
    } else if (!forbidden.empty()) {
      forbidden.erase(word);
    }
  }
  return forbidden;
}

/// Leaves out forbidden words and undoes ICONV.
class SpellingFilter : public FormSink {
 public:
  SpellingFilter(const ConversionTable& input, const WordSet& forbidden, FormSink& sink)
      : input_(input), forbidden_(forbidden), sink_(sink) {}

  void on_form(std::u32string_view form, std::string_view surface_prefix) override {
    if (!forbidden_.empty() && forbidden_.contains(std::u32string(form))) return;
    if (!input_.may_touch(form)) {
      sink_.on_form(form, surface_prefix);
      return;
    }
    for (const std::u32string& source : input_.sources_of(form)) sink_.on_form(source, surface_prefix);
  }

 private:
  const ConversionTable& input_;
  const WordSet& forbidden_;
  FormSink& sink_;
};

}  // namespace

DictionaryForms::DictionaryForms(AffixData affixes, WordList words)
    : affixes_(std::move(affixes)), words_(std::move(words)), forbidden_(find_forbidden(affixes_, words_)) {}

Result<DictionaryForms> DictionaryForms::read(const DictionaryPair& names, std::string_view aff,
                                              std::string_view dic) {
  AKIN_TRY(AffixData affixes, read_aff(aff, names.aff));
  AKIN_TRY(WordList words, read_dic(dic, affixes, names.dic));
  return DictionaryForms(std::move(affixes), std::move(words));
}

ExpansionCost DictionaryForms::expand(std::size_t entry, ExpansionDepth depth, Expander& expander,
                                      FormSink& sink) const {
  SpellingFilter filter(affixes_.input, forbidden_, sink);
  return expander.expand(words_.entries[entry], words_.flags_of(words_.entries[entry]), depth, filter);
}

bool DictionaryForms::builds_compounds() const {
  if (affixes_.compound_flags.empty()) return false;
  const CharTable& characters = CharTable::instance();
  return std::any_of(words_.entries.begin(), words_.entries.end(), [&](const DictionaryEntry& entry) {
    const auto flags = words_.flags_of(entry);
    const bool flagged = std::any_of(affixes_.compound_flags.begin(), affixes_.compound_flags.end(),
                                     [&](Flag flag) { return has_flag(flags, flag); });
    // Hunspell is never asked about words with digits: they hash by their spelling.
    return flagged && std::none_of(entry.word.begin(), entry.word.end(),
                                   [&](char32_t c) { return characters[c].kind() == CharKind::digit; });
  });
}

}  // namespace akin
