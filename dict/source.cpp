#include "dict/source.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "base/utf8.h"
#include "dict/aff_reader.h"
#include "dict/dic_reader.h"
#include "dict/form_folder.h"
#include "dict/parallel.h"

namespace akin {
namespace {

/// Entries expanded as one task.
constexpr std::size_t kChunk = 8192;

using WordSet = std::unordered_set<std::u32string>;

/// Words whose first entry is forbidden: no affixed form may be spelt so.
WordSet forbidden_words(const AffixData& affixes, const WordList& words) {
  WordSet forbidden;
  if (affixes.forbidden_word == 0) return forbidden;
  const auto spelling = [&](const DictionaryEntry& entry) {
    return affixes.reversed ? std::u32string(entry.word.rbegin(), entry.word.rend()) : entry.word;
  };
  for (const DictionaryEntry& entry : words.entries) {
    if (has_flag(words.flags_of(entry), affixes.forbidden_word)) forbidden.insert(spelling(entry));
  }
  if (forbidden.empty()) return forbidden;
  WordSet seen;
  for (const DictionaryEntry& entry : words.entries) {
    std::u32string word = spelling(entry);
    if (!forbidden.contains(word) || !seen.insert(word).second) continue;
    if (!has_flag(words.flags_of(entry), affixes.forbidden_word)) forbidden.erase(word);
  }
  return forbidden;
}

bool builds_compounds(const AffixData& affixes, const WordList& words) {
  if (affixes.compound_flags.empty()) return false;
  const CharTable& characters = CharTable::instance();
  const auto is_compounding = [&](const DictionaryEntry& entry) {
    const auto flags = words.flags_of(entry);
    const bool flagged = std::any_of(affixes.compound_flags.begin(), affixes.compound_flags.end(),
                                     [&](Flag flag) { return has_flag(flags, flag); });
    // Words with digits are never asked for: they hash by their spelling.
    return flagged && std::none_of(entry.word.begin(), entry.word.end(),
                                   [&](char32_t c) { return characters[c].kind() == CharKind::digit; });
  };
  return std::any_of(words.entries.begin(), words.entries.end(), is_compounding);
}

std::u32string folded_ignored(const AffixData& affixes) {
  std::u32string out;
  FormFolder folder;
  for (const char32_t c : affixes.ignored) {
    std::string utf8;
    append_utf8(utf8, c);
    out += folder.fold_spelling(utf8).letters;
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Turns the forms of one chunk of entries into edges.
class Collector : public FormSink {
 public:
  Collector(const AffixData& affixes, const WordSet& forbidden, EdgeList& out)
      : affixes_(affixes), forbidden_(forbidden), out_(out) {}

  void begin(const DictionaryEntry& entry) {
    entry_ = &entry;
    lemma_ = kNone;
    first_edge_ = out_.edges.size();
  }

  /// Drops the repeats among the entry's edges.
  void end() {
    const auto first = out_.edges.begin() + static_cast<std::ptrdiff_t>(first_edge_);
    std::sort(first, out_.edges.end(), [](const FormEdge& a, const FormEdge& b) {
      return a.form != b.form ? a.form < b.form : a.lemma < b.lemma;
    });
    out_.edges.erase(std::unique(first, out_.edges.end(),
                                 [](const FormEdge& a, const FormEdge& b) {
                                   return a.form == b.form && a.lemma == b.lemma;
                                 }),
                     out_.edges.end());
  }

  void on_form(std::u32string_view form, std::string_view surface_prefix) override {
    if (!forbidden_.empty() && forbidden_.contains(std::u32string(form))) return;
    if (!affixes_.input.may_touch(form)) {
      add(form, surface_prefix);
      return;
    }
    for (const std::u32string& source : affixes_.input.sources_of(form)) add(source, surface_prefix);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void add(std::u32string_view form, std::string_view surface_prefix) {
    const auto folded = folder_.fold_form(form);
    if (folded) out_.edges.push_back({folded->key, lemma_for(surface_prefix), 0});
  }

  std::uint32_t lemma_for(std::string_view surface_prefix) {
    if (surface_prefix.empty()) {
      if (lemma_ == kNone) lemma_ = append_lemma(entry_->stem);
      return lemma_;
    }
    std::string lemma = std::string(surface_prefix) + entry_->stem;
    const auto [at, is_new] = prefixed_lemmas_.try_emplace(std::move(lemma), 0);
    if (is_new) at->second = append_lemma(at->first);
    return at->second;
  }

  std::uint32_t append_lemma(const std::string& lemma) {
    out_.lemmas.push_back(lemma);
    return static_cast<std::uint32_t>(out_.lemmas.size() - 1);
  }

  const AffixData& affixes_;
  const WordSet& forbidden_;
  EdgeList& out_;
  FormFolder folder_;
  const DictionaryEntry* entry_ = nullptr;
  std::uint32_t lemma_ = kNone;
  std::size_t first_edge_ = 0;
  std::unordered_map<std::string, std::uint32_t> prefixed_lemmas_;
};

/// Expands all entries at one depth; false if that exceeds the budget.
bool expand_at(ExpansionDepth depth, const AffixData& affixes, const WordList& words,
               const WordSet& forbidden, ExpandedSource& out) {
  const std::size_t chunks = (words.entries.size() + kChunk - 1) / kChunk;
  out.parts.assign(chunks, {});
  out.depth = depth;
  std::atomic<std::uint64_t> forms{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> cut{0};
  const auto over_budget = [&] { return forms > kMaxFormsPerSource || steps > kMaxStepsPerSource; };
  run_parallel(chunks, [&](std::size_t chunk) {
    Expander expander(affixes);
    Collector collector(affixes, forbidden, out.parts[chunk]);
    const std::size_t end = std::min(words.entries.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end && !over_budget(); ++i) {
      const DictionaryEntry& entry = words.entries[i];
      collector.begin(entry);
      const ExpansionCost cost = expander.expand(entry, words.flags_of(entry), depth, collector);
      collector.end();
      forms += cost.forms;
      steps += cost.steps;
      cut += cost.cut ? 1 : 0;
    }
  });
  out.cut_entries = cut;
  return !over_budget();
}

}  // namespace

Result<ExpandedSource> expand_source(const DictionaryPair& names, std::string_view aff,
                                     std::string_view dic) {
  AKIN_TRY(const AffixData affixes, read_aff(aff, names.aff));
  AKIN_TRY(const WordList words, read_dic(dic, affixes, names.dic));
  const WordSet forbidden = forbidden_words(affixes, words);
  ExpandedSource out;
  out.compounds = builds_compounds(affixes, words);
  out.ignored = folded_ignored(affixes);
  for (const ExpansionDepth depth :
       {ExpansionDepth::full, ExpansionDepth::one_suffix, ExpansionDepth::roots}) {
    if (expand_at(depth, affixes, words, forbidden, out)) return out;
  }
  return Error{Errc::bad_dictionary, names.dic.string(),
               "it has more than " + std::to_string(kMaxFormsPerSource) + " words",
               "use a smaller dictionary"};
}

}  // namespace akin
