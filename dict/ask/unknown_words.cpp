#include "dict/ask/unknown_words.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "dict/ask/look_ups.h"
#include "dict/fold/characters.h"
#include "dict/table/endings.h"

namespace akin {
namespace {

bool has_digit(std::u32string_view letters) {
  const CharTable& characters = CharTable::instance();
  return std::any_of(letters.begin(), letters.end(),
                     [&](char32_t c) { return characters[c].kind() == CharKind::digit; });
}

}  // namespace

UnknownWords::UnknownWords(std::span<const RunTimePair> run_time, std::span<const std::string> codes,
                           const WordClassTable& table, bool use_endings)
    : table_(table), snowball_(codes), use_endings_(use_endings) {
  for (const RunTimePair& pair : run_time) {
    asked_.push_back(std::make_unique<RunTimeDictionary>(pair));
    asked_scripts_ |= pair.scripts;
  }
}

UnknownWord UnknownWords::find(const FoldedWord& word) const {
  const bool is_asked = (scripts_of(word.letters) & ~asked_scripts_) == 0;
  if (is_asked) {
    if (const auto kept = kept_.find(word.key)) return {kept->number, kept->flag};
  }
  count_look_ups({.words = 0, .missed = 0, .not_in_table = 0, .resolved = 1});
  if (!is_asked && !has_digit(word.letters)) {
    const std::u32string_view stem = stem_by_endings(word.letters);
    if (!stem.empty()) return {word_hash(stem), false};  // the commonest case, without an allocation
  }
  const Named named = resolve(word.letters);
  const UnknownWord found{word_hash(named.name), named.known};
  if (is_asked) kept_.keep(word.key, {found.hash, found.known});
  return found;
}

std::u32string UnknownWords::name(const FoldedWord& word) const { return resolve(word.letters).name; }

UnknownWords::Named UnknownWords::resolve(std::u32string_view letters) const {
  if (has_digit(letters)) return {std::u32string(letters), false};
  Named named;
  const auto offer = [&named](std::u32string name) {
    const bool precedes =
        name.size() != named.name.size() ? name.size() < named.name.size() : name < named.name;
    if (!name.empty() && (named.name.empty() || precedes)) named.name = std::move(name);
  };
  std::vector<HunspellAnswer> answers;
  for (const auto& dictionary : asked_) {
    if ((scripts_of(letters) & ~dictionary->scripts()) != 0) continue;
    answers.push_back(dictionary->ask(letters, table_));
    named.known = named.known || answers.back().accepted;
    for (const std::string& stem : answers.back().stems) offer(name_of_stem(stem));
  }
  if (named.known && named.name.empty()) {
    for (const HunspellAnswer& answer : answers) {
      for (const auto& last : answer.last_parts) offer(name_of_compound(letters, last));
    }
  }
  if (named.known && named.name.empty()) named.name = name_by_known_end(letters);
  if (named.name.empty()) named.name = stem_by_endings(letters);
  if (named.name.empty()) named.name = snowball_.stem(letters);
  return named;
}

std::u32string_view UnknownWords::stem_by_endings(std::u32string_view letters) const {
  if (!use_endings_ || snowball_.precedes_endings(letters)) return {};
  return letters.substr(0,
                        stem_length(letters, [this](std::uint64_t key) { return table_.find_ending(key); }));
}

std::u32string UnknownWords::name_of_stem(const std::string& stem) const {
  if (const auto lemma_class = table_.class_of_lemma(stem)) return to_utf32(table_.class_name(*lemma_class));
  WordFolder folder;
  const FoldedWord folded = folder.fold(stem);
  const std::uint32_t row = table_.find(folded.key);
  if (row != WordClassTable::kNoRow) return to_utf32(table_.class_name_of_row(row));
  return std::u32string(folded.letters);
}

std::u32string UnknownWords::name_of_compound(std::u32string_view letters,
                                              const HunspellAnswer::LastPart& last) const {
  WordFolder folder;
  const FoldedWord form = folder.fold(last.form);
  if (!letters.ends_with(form.letters)) return {};
  std::u32string name(letters.substr(0, letters.size() - form.letters.size()));
  const std::uint32_t row = table_.find(form.key);
  return name +
         (row != WordClassTable::kNoRow ? to_utf32(table_.class_name_of_row(row)) : name_of_stem(last.stem));
}

std::u32string UnknownWords::name_by_known_end(std::u32string_view letters) const {
  constexpr std::size_t kShortestBegin = 2;
  constexpr std::size_t kShortestEnd = 3;
  for (std::size_t split = kShortestBegin; split + kShortestEnd <= letters.size(); ++split) {
    const std::uint32_t row = table_.find(spelling_key(letters.substr(split)));
    if (row != WordClassTable::kNoRow) {
      return std::u32string(letters.substr(0, split)) + to_utf32(table_.class_name_of_row(row));
    }
  }
  return {};
}

}  // namespace akin
