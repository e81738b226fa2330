#include "dict/ask/compounds/part_finder.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

/// Spellings tried; dictionaries with more are left to Hunspell.
constexpr std::size_t kMostSpellings = 8'000'000;

char32_t upper_of(char32_t c) { return static_cast<char32_t>(u_toupper(static_cast<UChar32>(c))); }
char32_t lower_of(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

/// An affix rule with what decides about it in compounds.
struct PartRule {
  explicit PartRule(const AffixRule& of, const AffixData& affixes)
      : rule(&of),
        begin(has_flag(of.continuation, affixes.compounds.begin)),
        middle(has_flag(of.continuation, affixes.compounds.middle)),
        end(has_flag(of.continuation, affixes.compounds.end)),
        permit(has_flag(of.continuation, affixes.compounds.permit)) {}
  const AffixRule* rule;
  bool begin, middle, end, permit;
};

/// An affix with a hyphen or another character that no word has makes no part of a word.
bool makes_words(const AffixRule& rule) {
  return std::ranges::all_of(rule.append, [](char32_t c) {
    const CharKind kind = CharTable::instance()[c].kind();
    return kind == CharKind::letter || kind == CharKind::mark || kind == CharKind::apostrophe;
  });
}

/// The rules that make words, by flag.
class PartRules {
 public:
  PartRules(const AffixData& affixes, const RuleSet& rules) : begin_(std::size_t{0x10000} + 1) {
    for (std::size_t flag = 0; flag < 0x10000; ++flag) {
      begin_[flag] = static_cast<std::uint32_t>(rules_.size());
      for (const AffixRule& rule : rules.with_flag(static_cast<Flag>(flag)))
        if (makes_words(rule)) rules_.emplace_back(rule, affixes);
    }
    begin_.back() = static_cast<std::uint32_t>(rules_.size());
  }
  [[nodiscard]] std::span<const PartRule> with_flag(Flag flag) const {
    return std::span(rules_).subspan(begin_[flag], begin_[flag + std::size_t{1}] - begin_[flag]);
  }
  [[nodiscard]] std::span<const PartRule> all() const { return rules_; }
  [[nodiscard]] bool has(std::span<const Flag> flags) const {
    return std::ranges::any_of(flags, [this](Flag flag) { return !with_flag(flag).empty(); });
  }

 private:
  std::vector<PartRule> rules_;
  std::vector<std::uint32_t> begin_;
};

class PartFinder {
 public:
  PartFinder(const DictionaryForms& forms, const WordClassTable& table)
      : forms_(forms),
        affixes_(forms.affixes()),
        words_(forms.words()),
        table_(table),
        prefixes_(affixes_, affixes_.prefixes),
        suffixes_(affixes_, affixes_.suffixes) {}

  CompoundParts find() {
    if (!is_modelled()) return {};
    CompoundSettings settings{affixes_.compounds.least_letters, affixes_.check_sharps,
                              affixes_.compounds.breaks};
    for (const DictionaryEntry& entry : words_.entries) spellings_.insert(entry.word);
    for (const DictionaryEntry& entry : words_.entries) {
      for (const char32_t c : entry.word) note_character(c, settings.special);
      add_entry(entry);
      if (tried_ > kMostSpellings) return {};
    }
    if (elides_) return {};
    for (const RuleSet* rules : {&affixes_.prefixes, &affixes_.suffixes}) note_characters(*rules, settings);
    std::ranges::sort(settings.special);
    settings.special.erase(std::unique(settings.special.begin(), settings.special.end()),
                           settings.special.end());
    return {std::move(parts_), std::move(stems_), std::move(settings)};
  }

 private:
  /// What of the current entry decides about all its forms.
  struct Entry {
    std::u32string_view word;
    std::string stem;      ///< that an analysis gives
    bool is_stem = false;  ///< that is the word itself
    bool begin = false, middle = false, end = false;
    bool only_in_compound = false, forbidden = false, keep_case = false, need_affix = false;
    bool hidden = false;  ///< see add_hidden
  };

  /// Two suffixes, and affixes that permit each other, are not modelled, nor are roots as first parts if a
  /// prefix has compound flags: then Hunspell's answer depends on the prefix that it saw last. A space in a
  /// word forbids the compound of its two halves.
  [[nodiscard]] bool is_modelled() const {
    const CompoundOptions& options = affixes_.compounds;
    if (!options.complete || options.end == 0 || affixes_.reversed || affixes_.full_strip) return false;
    if (!words_.plain_fields) return false;
    for (const PartRule& suffix : suffixes_.all()) {
      if (suffix.rule->needs_affix || prefixes_.has(suffix.rule->continuation)) return false;
      if (!suffix.rule->only_in_compound && suffixes_.has(suffix.rule->continuation)) return false;
    }
    bool flagged_prefix = false;
    for (const PartRule& prefix : prefixes_.all()) {
      if (prefix.rule->needs_affix || suffixes_.has(prefix.rule->continuation)) return false;
      flagged_prefix = flagged_prefix || prefix.middle || prefix.end;
    }
    return std::ranges::all_of(words_.entries, [&](const DictionaryEntry& entry) {
      const auto flags = words_.flags_of(entry);
      const bool begins = has_flag(flags, options.begin) || has_flag(flags, options.middle);
      return !(begins && flagged_prefix) && entry.word.find(U' ') == std::u32string::npos;
    });
  }

  void note_characters(const RuleSet& rules, CompoundSettings& settings) const {
    for (std::size_t flag = 0; flag < 0x10000; ++flag)
      for (const AffixRule& rule : rules.with_flag(static_cast<Flag>(flag)))
        for (const char32_t c : rule.append) note_character(c, settings.special);
  }

  /// Hunspell's tables of capitals are those of Unicode for the letters of the usual alphabets.
  static void note_character(char32_t c, std::u32string& special) {
    constexpr char32_t kUsual = 0x180;
    const char32_t lower = lower_of(c), upper = upper_of(c);
    if (c == U'ß' || (c < kUsual && lower_of(upper) == lower && upper_of(lower) == upper)) return;
    for (const char32_t one : {c, lower, upper, lower_of(upper)})
      if (special.find(one) == std::u32string::npos) special += one;
  }

  void add_entry(const DictionaryEntry& entry) {
    const auto flags = words_.flags_of(entry);
    const CompoundOptions& options = affixes_.compounds;
    entry_ = {.word = entry.word,
              .stem = entry.stem,
              .is_stem = to_utf8(entry.word) == entry.stem,
              .begin = has_flag(flags, options.begin),
              .middle = has_flag(flags, options.middle),
              .end = has_flag(flags, options.end),
              .only_in_compound = has_flag(flags, affixes_.only_in_compound),
              .forbidden = has_flag(flags, affixes_.forbidden_word),
              .keep_case = has_flag(flags, options.keep_case),
              .need_affix = has_flag(flags, affixes_.need_affix)};
    add_forms(flags);
    add_hidden(entry, flags);
  }

  /// For words in mixed case, and words in capitals that have flags, Hunspell has a further entry in title
  /// case, unless there is an entry of that spelling. It is a word in capitals only, and ends the search for
  /// a compound that begins with it.
  void add_hidden(const DictionaryEntry& entry, std::span<const Flag> flags) {
    const auto is_capital = [](char32_t c) { return lower_of(c) != c; };
    const auto is_small = [](char32_t c) { return upper_of(c) != lower_of(c) && lower_of(c) == c; };
    const auto capitals = static_cast<std::size_t>(std::ranges::count_if(entry.word, is_capital));
    if (capitals == 0 || (capitals == 1 && is_capital(entry.word.front())) || entry_.forbidden) return;
    if (flags.empty() && std::ranges::none_of(entry.word, is_small)) return;
    std::u32string title = entry.word;
    for (char32_t& c : title) c = lower_of(c);
    title.front() = upper_of(title.front());
    if (!spellings_.insert(title).second) return;
    entry_.word = title;
    if (entry_.is_stem) entry_.stem = to_utf8(title);
    entry_.hidden = true;
    add_forms(flags);
  }

  void add_forms(std::span<const Flag> flags) {
    const std::u32string_view root = entry_.word;
    unsigned roles = kNoPart;
    if (!entry_.need_affix) {
      if (entry_.begin) roles |= kFirstPart;
      if (entry_.middle) roles |= kMiddlePart;
      if (entry_.end) roles |= kLastWord;
    }
    const bool is_word = !entry_.need_affix && !entry_.only_in_compound && !entry_.forbidden;
    if (is_word && is_missing(root)) roles |= kHunspellAlone;
    if (entry_.forbidden) {
      // Of entries with one spelling, Hunspell asks only the first whether it is forbidden.
      if (forms_.is_forbidden(root)) {
        roles |= kForbiddenWord;
      } else if (is_missing(root)) {
        roles |= kHunspellAlone;
      }
    }
    add(root, roles);
    for (const Flag flag : flags) {
      for (const PartRule& suffix : suffixes_.with_flag(flag)) add_suffixed(root, suffix, flags);
      for (const PartRule& prefix : prefixes_.with_flag(flag)) add_prefixed(root, prefix);
    }
  }

  void add_suffixed(std::u32string_view root, const PartRule& suffix, std::span<const Flag> flags) {
    const AffixRule& rule = *suffix.rule;
    if (!apply(root, rule, AffixKind::suffix, suffixed_)) return;
    if (!rule.circumfix) {
      unsigned roles = kNoPart;
      if (suffix.permit && (entry_.begin || suffix.begin)) roles |= kFirstPart;
      if (suffix.permit && (entry_.middle || suffix.middle)) roles |= kMiddlePart;
      if (entry_.end || suffix.end) {
        if (rule.append.empty() || !rule.only_in_compound) roles |= kLastForm;
        if (!rule.only_in_compound && !entry_.only_in_compound) roles |= kHunspellAsPart;
      }
      if (!rule.only_in_compound) roles |= analyze(suffixed_, entry_.only_in_compound);
      add(suffixed_, roles);
    }
    for (const Flag flag : flags)
      for (const PartRule& prefix : prefixes_.with_flag(flag)) add_both(prefix, suffix);
  }

  void add_prefixed(std::u32string_view root, const PartRule& prefix) {
    const AffixRule& rule = *prefix.rule;
    if (!apply(root, rule, AffixKind::prefix, prefixed_)) return;
    unsigned roles = kNoPart;
    if (entry_.begin || prefix.begin) roles |= kFirstPart;
    if (entry_.middle || prefix.middle) roles |= kMiddlePart;
    if (entry_.end || prefix.end) {
      if (prefix.permit) roles |= kLastForm;
      if (!rule.only_in_compound) roles |= kHunspellAsPart;
    }
    if (is_analyzed(rule)) roles |= analyze(prefixed_, entry_.only_in_compound || rule.only_in_compound);
    add(prefixed_, roles);
  }

  /// A prefix to the suffixed form.
  void add_both(const PartRule& prefix, const PartRule& suffix) {
    const AffixRule& before = *prefix.rule;
    const AffixRule& after = *suffix.rule;
    if (!before.cross_product || !after.cross_product || before.circumfix != after.circumfix) return;
    if (!apply(suffixed_, before, AffixKind::prefix, prefixed_)) return;
    unsigned roles = kNoPart;
    if (suffix.permit && (entry_.begin || suffix.begin)) roles |= kFirstPart;
    if (suffix.permit && (entry_.middle || suffix.middle)) roles |= kMiddlePart;
    if (entry_.end || suffix.end) {
      if (prefix.permit) roles |= kLastForm;
      if (!before.only_in_compound && !after.only_in_compound && !entry_.only_in_compound)
        roles |= kHunspellAsPart;
    }
    if (is_analyzed(before) && !after.only_in_compound)
      roles |= analyze(prefixed_, entry_.only_in_compound || before.only_in_compound);
    add(prefixed_, roles);
  }

  /// An analysis does not ask whether a prefix without letters is for compounds only.
  static bool is_analyzed(const AffixRule& prefix) {
    return !prefix.only_in_compound || prefix.append.empty();
  }

  /// An analysis does not ask either whether the entry of an affixed form is forbidden or for compounds only.
  /// If the table has the form, nobody asks. `never_accepted`: Hunspell's spell() does ask that.
  unsigned analyze(std::u32string_view form, bool never_accepted) {
    if (!is_missing(form)) return kNoPart;
    stems_.push_back({spelling_key(form), entry_.stem});
    return never_accepted && !entry_.forbidden ? kAnalyzed : kAnalyzed | kPerhapsWord;
  }

  static bool apply(std::u32string_view word, const AffixRule& rule, AffixKind kind, std::u32string& out) {
    if (word.size() <= rule.strip.size()) return false;
    if (kind == AffixKind::suffix) {
      if (!word.ends_with(rule.strip) || !rule.condition.holds_at_end(word)) return false;
      out.assign(word.substr(0, word.size() - rule.strip.size())).append(rule.append);
    } else {
      if (!word.starts_with(rule.strip) || !rule.condition.holds_at_begin(word)) return false;
      out.assign(rule.append).append(word.substr(rule.strip.size()));
    }
    return true;
  }

  /// `roles`: as if the entry were neither forbidden nor hidden, and kept its case as others do.
  void add(std::u32string_view spelling, unsigned roles) {
    ++tried_;
    const unsigned before = roles & (kFirstPart | kMiddlePart);
    const unsigned last = roles & (kLastWord | kLastForm | kHunspellAsPart);
    if (entry_.hidden || entry_.forbidden) {
      roles &= ~(before | last);
      if ((before & kFirstPart) != 0) roles |= kStopsFirst;
      // In no spelling of a word in capitals does the capital of a hidden entry follow a small letter.
      if (entry_.forbidden && (before & kMiddlePart) != 0) roles |= kStopsMiddle;
      if (entry_.forbidden && last != 0) roles |= kHunspellAsPart;
      if (entry_.forbidden) roles |= kForbiddenForm;
    }
    if ((entry_.keep_case && before != 0) || (!entry_.is_stem && (last & kLastWord) != 0))
      roles |= kHunspellAsPart;
    elides_ = elides_ || (before != 0 && spelling.back() == U'\'');
    if (roles != kNoPart) parts_.push_back({spelling_key(spelling), static_cast<PartRoles>(roles)});
  }

  /// Whether it is a spelling that words can have, and the table lacks it.
  bool is_missing(std::u32string_view spelling) {
    const auto folded = folder_.fold_form(spelling);
    return folded && table_.find(folded->key) == WordClassTable::kNoRow;
  }

  const DictionaryForms& forms_;
  const AffixData& affixes_;
  const WordList& words_;
  const WordClassTable& table_;
  PartRules prefixes_, suffixes_;
  FormFolder folder_;
  Entry entry_;
  std::unordered_set<std::u32string> spellings_;  ///< of entries, hidden ones included
  std::vector<CompoundParts::Part> parts_;
  std::vector<CompoundParts::Stem> stems_;
  std::u32string suffixed_, prefixed_;
  std::size_t tried_ = 0;
  bool elides_ =
      false;  ///< a part before others ends with an apostrophe, after which Hunspell tries a capital
};

}  // namespace

CompoundParts find_parts(const DictionaryForms& forms, const WordClassTable& table) {
  return PartFinder(forms, table).find();
}

}  // namespace akin
