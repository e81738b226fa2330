#include "dict/read/expander.h"

#include <algorithm>

namespace akin {

ExpansionCost Expander::expand(const DictionaryEntry& entry, std::span<const Flag> flags,
                               ExpansionDepth depth, FormSink& sink) {
  sink_ = &sink;
  flags_ = flags;
  depth_ = depth;
  cost_ = {};
  // Forbidden words and words that are only parts of compounds are not words, and neither are their affixed
  // forms.
  if (has_flag(flags, affixes_.forbidden_word) || has_flag(flags, affixes_.only_in_compound)) return cost_;
  if (!has_flag(flags, affixes_.need_affix)) hand_out(entry.word, nullptr);
  if (depth == ExpansionDepth::roots) {
    cost_.cut = !flags.empty();
    return cost_;
  }
  prefixes_.clear();
  for (const Flag flag : flags) {
    for (const AffixRule& prefix : affixes_.prefixes.with_flag(flag)) prefixes_.push_back(&prefix);
  }
  for (const Flag flag : flags) {
    for_each_suffix(flag, entry.word, [&](const AffixRule& suffix) { add_suffix(entry.word, suffix); });
  }
  for (const AffixRule* prefix : prefixes_) {
    if (exhausted()) return cost_;
    add_prefix(entry.word, *prefix);
  }
  return cost_;
}

/// Visits the rules that the word's last letter does not exclude, until a bound is reached.
template <class Visit>
void Expander::for_each_suffix(Flag flag, std::u32string_view word, Visit visit) {
  const std::span<const AffixRule> rules = affixes_.suffixes.with_flag(flag);
  const std::span<const char32_t> edges = affixes_.suffixes.edges_with_flag(flag);
  const char32_t last = word.empty() ? U'\0' : word.back();
  if (exhausted()) return;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (edges[i] != last && edges[i] != U'\0') {
      ++cost_.steps;
      continue;
    }
    if (exhausted()) return;
    visit(rules[i]);
  }
}

void Expander::add_suffix(std::u32string_view root, const AffixRule& suffix) {
  if (suffix.only_in_compound || !apply_suffix(root, suffix, suffixed_)) return;
  if (!suffix.circumfix && !suffix.needs_affix) hand_out(suffixed_, nullptr);
  for (const AffixRule* prefix : prefixes_) add_prefix_to_suffixed(*prefix, suffix);
  for (const Flag flag : suffix.continuation) {
    if (has_flag(flags_, flag)) continue;
    for (const AffixRule& prefix : affixes_.prefixes.with_flag(flag)) add_prefix_to_suffixed(prefix, suffix);
  }
  add_second_suffixes(suffix);
}

void Expander::add_prefix(std::u32string_view root, const AffixRule& prefix) {
  if (prefix.only_in_compound) return;
  if (!prefix.needs_affix && apply_prefix(root, prefix, prefixed_)) hand_out(prefixed_, &prefix);
  for (const Flag flag : prefix.continuation) {
    if (has_flag(flags_, flag)) continue;  // add_suffix handles these
    for (const AffixRule& suffix : affixes_.suffixes.with_flag(flag))
      add_suffix_enabled_by(prefix, root, suffix);
  }
}

void Expander::add_suffix_enabled_by(const AffixRule& prefix, std::u32string_view root,
                                     const AffixRule& suffix) {
  if (exhausted() || suffix.only_in_compound || !apply_suffix(root, suffix, suffixed_)) return;
  add_prefix_to_suffixed(prefix, suffix);
  if (!suffix.cross_product || prefix.circumfix != suffix.circumfix) return;
  for (const Flag flag : suffix.continuation) {
    for_each_suffix(flag, suffixed_, [&](const AffixRule& second) {
      if (may_take_second() && apply_suffix(suffixed_, second, twofold_))
        add_prefix_to_twofold(prefix, second);
    });
  }
}

void Expander::add_second_suffixes(const AffixRule& first) {
  for (const Flag flag : first.continuation) {
    for_each_suffix(flag, suffixed_, [&](const AffixRule& second) {
      if (may_take_second() && apply_suffix(suffixed_, second, twofold_)) add_twofold(first, second);
    });
  }
}

void Expander::add_twofold(const AffixRule& first, const AffixRule& second) {
  if (!first.circumfix) hand_out(twofold_, nullptr);
  if (first.cross_product) {
    for (const AffixRule* prefix : prefixes_) {
      if (prefix->circumfix == first.circumfix) add_prefix_to_twofold(*prefix, second);
    }
    for (const Flag flag : first.continuation) {
      for (const AffixRule& prefix : affixes_.prefixes.with_flag(flag)) {
        if (prefix.circumfix == first.circumfix) add_prefix_to_twofold(prefix, second);
      }
    }
  }
  if (first.circumfix) return;
  for (const Flag flag : second.continuation) {
    for (const AffixRule& prefix : affixes_.prefixes.with_flag(flag)) add_prefix_to_twofold(prefix, second);
  }
}

void Expander::add_prefix_to_suffixed(const AffixRule& prefix, const AffixRule& suffix) {
  if (exhausted() || !prefix.cross_product || !suffix.cross_product || prefix.only_in_compound ||
      prefix.circumfix != suffix.circumfix || (suffix.needs_affix && prefix.needs_affix)) {
    return;
  }
  if (apply_prefix(suffixed_, prefix, prefixed_)) hand_out(prefixed_, &prefix);
}

void Expander::add_prefix_to_twofold(const AffixRule& prefix, const AffixRule& second) {
  if (exhausted() || !prefix.cross_product || !second.cross_product) return;
  if (apply_prefix(twofold_, prefix, prefixed_)) hand_out(prefixed_, &prefix);
}

bool Expander::may_take_second() noexcept {
  if (depth_ >= ExpansionDepth::without_elisions) return true;
  cost_.cut = true;
  return false;
}

bool Expander::strippable(std::u32string_view word, const AffixRule& rule) const noexcept {
  return word.size() > rule.strip.size() || (affixes_.full_strip && word.size() == rule.strip.size());
}

bool Expander::apply_suffix(std::u32string_view word, const AffixRule& rule, std::u32string& out) {
  ++cost_.steps;
  if (!strippable(word, rule) || !word.ends_with(rule.strip) || !rule.condition.holds_at_end(word))
    return false;
  const std::u32string_view kept = word.substr(0, word.size() - rule.strip.size());
  if (kept.size() + rule.append.size() > kMaxFormLetters) return false;
  out.assign(kept).append(rule.append);
  return true;
}

bool Expander::apply_prefix(std::u32string_view word, const AffixRule& rule, std::u32string& out) {
  if (rule.elides && depth_ < ExpansionDepth::full) {
    cost_.cut = true;
    return false;
  }
  ++cost_.steps;
  if (!strippable(word, rule) || !word.starts_with(rule.strip) || !rule.condition.holds_at_begin(word))
    return false;
  const std::u32string_view kept = word.substr(rule.strip.size());
  if (kept.size() + rule.append.size() > kMaxFormLetters) return false;
  out.assign(rule.append).append(kept);
  return true;
}

void Expander::hand_out(std::u32string_view form, const AffixRule* prefix) {
  if (form.empty() || form.size() > kMaxFormLetters) return;
  ++cost_.forms;
  if (affixes_.reversed) {
    turned_.assign(form.rbegin(), form.rend());
    form = turned_;
  }
  sink_->on_form(form, prefix == nullptr ? std::string_view{} : std::string_view(prefix->surface_prefix));
}

bool Expander::exhausted() noexcept {
  if (cost_.forms < kMaxFormsPerEntry && cost_.steps < kMaxStepsPerEntry) return false;
  cost_.cut = true;
  return true;
}

}  // namespace akin
