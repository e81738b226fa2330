#include "dict/read/conversion.h"

#include <algorithm>

namespace akin {
namespace {

constexpr char32_t kBasicPlane = 0x10000;

void blank_underscores(std::u32string& text) { std::replace(text.begin(), text.end(), U'_', U' '); }

std::u32string replace_all(std::u32string_view text, std::u32string_view what, std::u32string_view by) {
  std::u32string out;
  std::size_t at = 0;
  for (std::size_t hit = text.find(what); hit != std::u32string_view::npos; hit = text.find(what, at)) {
    out.append(text.substr(at, hit - at)).append(by);
    at = hit + what.size();
  }
  return out.append(text.substr(at));
}

}  // namespace

void ConversionTable::add(std::u32string_view pattern, std::u32string_view replacement) {
  const bool begin = pattern.starts_with(U'_');
  if (begin) pattern.remove_prefix(1);
  const bool end = pattern.ends_with(U'_');
  if (end) pattern.remove_suffix(1);
  if (pattern.empty() || replacement.empty()) return;
  std::u32string key(pattern);
  blank_underscores(key);
  std::vector<std::uint32_t>& alike = by_first_[key.front()];
  const auto found = std::find_if(alike.begin(), alike.end(),
                                  [&](std::uint32_t index) { return rules_[index].pattern == key; });
  const std::size_t index = found == alike.end() ? rules_.size() : *found;
  if (found == alike.end()) {
    alike.push_back(static_cast<std::uint32_t>(index));
    rules_.push_back(Rule{key, {}, {}, {}, {}});
  }
  Rule* rule = &rules_[index];
  std::u32string& out = begin ? (end ? rule->whole : rule->at_begin) : (end ? rule->at_end : rule->anywhere);
  out = replacement;
  blank_underscores(out);
  starts_.resize(kBasicPlane);
  for (const char32_t first : {key.front(), out.front()}) {
    if (first < kBasicPlane) {
      starts_[first] = true;
    } else {
      starts_beyond_ = true;
    }
  }
}

const ConversionTable::Rule* ConversionTable::longest_at(std::u32string_view rest) const noexcept {
  const Rule* best = nullptr;
  const auto alike = by_first_.find(rest.front());
  if (alike == by_first_.end()) return nullptr;
  for (const std::uint32_t index : alike->second) {
    const Rule& rule = rules_[index];
    if (rest.starts_with(rule.pattern) && (best == nullptr || rule.pattern.size() > best->pattern.size())) {
      best = &rule;
    }
  }
  return best;
}

std::u32string ConversionTable::apply(std::u32string_view word) const {
  std::u32string out;
  for (std::size_t i = 0; i < word.size();) {
    const Rule* rule = longest_at(word.substr(i));
    const std::u32string* replacement = nullptr;
    if (rule != nullptr) {
      const bool begin = i == 0;
      const bool end = word.size() - i == rule->pattern.size();
      if (begin && end && !rule->whole.empty()) {
        replacement = &rule->whole;
      } else if (end && !rule->at_end.empty()) {
        replacement = &rule->at_end;
      } else if (begin && !rule->at_begin.empty()) {
        replacement = &rule->at_begin;
      } else if (!rule->anywhere.empty()) {
        replacement = &rule->anywhere;
      }
    }
    if (replacement == nullptr) {
      out.push_back(word[i++]);
    } else {
      out.append(*replacement);
      i += rule->pattern.size();
    }
  }
  return out;
}

std::vector<std::u32string> ConversionTable::sources_of(std::u32string_view word) const {
  std::vector<std::u32string> sources;
  const auto keep = [&](std::u32string source) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end() && apply(source) == word) {
      sources.push_back(std::move(source));
    }
  };
  keep(std::u32string(word));
  for (const Rule& rule : rules_) {
    for (const std::u32string* out : {&rule.anywhere, &rule.at_begin, &rule.at_end, &rule.whole}) {
      if (!out->empty() && word.find(*out) != std::u32string_view::npos) {
        keep(replace_all(word, *out, rule.pattern));
      }
    }
  }
  return sources;
}

bool ConversionTable::may_touch(std::u32string_view word) const noexcept {
  return !rules_.empty() && std::any_of(word.begin(), word.end(), [this](char32_t c) {
    return c < kBasicPlane ? starts_[c] : starts_beyond_;
  });
}

}  // namespace akin
