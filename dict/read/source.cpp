#include "dict/read/source.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include "base/parallel.h"
#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/read/dictionary_forms.h"
#include "dict/read/form_folder.h"
#include "dict/read/participles.h"
#include "dict/table/content_hash.h"

namespace akin {
namespace {

/// Entries expanded as one task.
constexpr std::size_t kChunk = 8192;
/// Entries expanded between two looks at the budget.
constexpr std::size_t kStep = 16;

std::u32string folded_ignored(const AffixData& affixes) {
  std::u32string out;
  ClusterFolder folder;
  for (const char32_t c : affixes.ignored) {
    const CharKind kind = CharTable::instance()[c].kind();
    const bool in_words = kind == CharKind::letter || kind == CharKind::mark || kind == CharKind::digit;
    if (in_words) out += folder.fold({&c, 1});
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// A letter of an alphabet: "s", "é"; not a syllable or a sign that is a word.
bool is_letter_name(std::u32string_view folded) {
  constexpr unsigned kAlphabets = kLatin | kCyrillic | kGreek;
  return folded.size() == 1 && (CharTable::instance()[folded.front()].scripts() & kAlphabets) != 0;
}

/// Turns the spellings of one chunk of entries into edges.
///
/// Affix rules give a letter forms that are other words: the plural of "i", the units of SI (fr: as, en, ms).
/// Folding discards the case that distinguishes them, so such a form would make one class of frequent words.
/// An entry of one letter keeps its own spelling and the forms with an apostrophe (l'a, c's); its other forms
/// are cuts.
class Collector : public FormSink {
 public:
  Collector(const Participles& participles, EdgeList& out) : participles_(participles), out_(out) {}

  void begin(const DictionaryEntry& entry) {
    entry_ = &entry;
    lemma_ = kNone;
    letter_key_ = key_of_letter(entry.word);
    is_verb_ = participles_.is_verb(entry.word);
    first_edge_ = out_.edges.size();
  }

  /// Removes the duplicates among the entry's edges.
  void end() {
    const auto first = out_.edges.begin() + static_cast<std::ptrdiff_t>(first_edge_);
    std::sort(first, out_.edges.end(), [](const FormEdge& a, const FormEdge& b) {
      return a.form != b.form ? a.form < b.form : a.lemma < b.lemma;
    });
    const auto same = [](const FormEdge& a, const FormEdge& b) {
      return a.form == b.form && a.lemma == b.lemma;
    };
    out_.edges.erase(std::unique(first, out_.edges.end(), same), out_.edges.end());
  }

  void on_form(std::u32string_view form, std::string_view surface_prefix) override {
    const auto folded = folder_.fold_form(form);
    if (!folded) return;
    if (letter_key_ != 0 && folded->key != letter_key_ &&
        folded->letters.find(U'\'') == std::u32string_view::npos) {
      out_.cuts.push_back({letter_key_, folded->key, to_utf8(form), false});
      return;
    }
    const std::uint32_t lemma = lemma_for(surface_prefix);
    out_.edges.push_back({folded->key, lemma, 0});
    if (!is_verb_) return;
    keys_.clear();
    participles_.append(folded->letters, keys_);
    for (const std::uint64_t key : keys_) out_.edges.push_back({key, lemma, 0});
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// 0 if the word is not a letter.
  std::uint64_t key_of_letter(std::u32string_view word) {
    constexpr std::size_t kLongestLetter = 2;  // with a combining mark, or a full stop
    if (word.size() > kLongestLetter) return 0;
    const auto folded = folder_.fold_form(word);
    return folded && is_letter_name(folded->letters) ? folded->key : 0;
  }

  std::uint32_t lemma_for(std::string_view surface_prefix) {
    if (surface_prefix.empty()) {
      if (lemma_ == kNone) lemma_ = append_lemma(entry_->stem);
      return lemma_;
    }
    const auto [at, is_new] =
        prefixed_lemmas_.try_emplace(std::string(surface_prefix).append(entry_->stem), 0);
    if (is_new) at->second = append_lemma(at->first);
    return at->second;
  }

  std::uint32_t append_lemma(const std::string& lemma) {
    out_.lemmas.push_back(lemma);
    return static_cast<std::uint32_t>(out_.lemmas.size() - 1);
  }

  const Participles& participles_;
  EdgeList& out_;
  FormFolder folder_;
  bool is_verb_ = false;             // the entry
  std::vector<std::uint64_t> keys_;  // of a form's participles
  const DictionaryEntry* entry_ = nullptr;
  std::uint32_t lemma_ = kNone;
  std::uint64_t letter_key_ = 0;  // of an entry of one letter
  std::size_t first_edge_ = 0;
  std::unordered_map<std::string, std::uint32_t> prefixed_lemmas_;
};

/// Counts spellings and does not keep them.
class NoSink : public FormSink {
 public:
  void on_form(std::u32string_view, std::string_view) override {}
};

/// Keeps the folded forms of one entry.
class ParadigmSink : public FormSink {
 public:
  void on_form(std::u32string_view form, std::string_view) override {
    const auto folded = folder_.fold_form(form);
    if (!folded) return;
    letters_ += folded->letters;
    ends_.push_back(letters_.size());
  }
  void hand_over(std::string_view stem, Paradigms& out) {
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      forms_.push_back(std::u32string_view(letters_).substr(begin, end - begin));
      begin = end;
    }
    std::sort(forms_.begin(), forms_.end());
    forms_.erase(std::unique(forms_.begin(), forms_.end()), forms_.end());
    out.add(folder_.fold_spelling(stem).letters, forms_);
    letters_.clear();
    ends_.clear();
    forms_.clear();
  }

 private:
  FormFolder folder_;
  std::u32string letters_;         // of all forms
  std::vector<std::size_t> ends_;  // of each form
  std::vector<std::u32string_view> forms_;
};

/// Entries in the order of their stems' keys, which is as good as a random order and the same for any file
/// that lists the same entries.
Paradigms sample_paradigms(const DictionaryForms& forms, ExpansionDepth depth) {
  const std::vector<DictionaryEntry>& entries = forms.words().entries;
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    order.emplace_back(content_hash(entries[i].stem).low, i);
  }
  std::sort(order.begin(), order.end());
  Paradigms out;
  Expander expander(forms.affixes());
  ParadigmSink sink;
  std::uint64_t previous = 0;
  for (const auto& [key, entry] : order) {
    if (out.forms() >= kSampledForms && key != previous) break;
    previous = key;
    forms.expand(entry, depth, expander, sink);
    sink.hand_over(entries[entry].stem, out);
  }
  return out;
}

/// Whether a sample of the entries shows that the dictionary exceeds its budget by a quarter at this depth.
bool is_hopeless(ExpansionDepth depth, const DictionaryForms& forms) {
  constexpr std::size_t kEvery = 64;
  constexpr std::uint64_t kFormsPerSample = kMaxFormsPerSource / kEvery * 5 / 4;
  constexpr std::uint64_t kStepsPerSample = kMaxStepsPerSource / kEvery * 5 / 4;
  Expander expander(forms.affixes());
  NoSink sink;
  std::uint64_t made = 0;
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < forms.words().entries.size(); i += kEvery) {
    const ExpansionCost cost = forms.expand(i, depth, expander, sink);
    made += cost.forms;
    steps += cost.steps;
    if (made > kFormsPerSample || steps > kStepsPerSample) return true;
  }
  return false;
}

/// Expands all entries at one depth, and samples the paradigms if that is the full depth; false if that
/// exceeds the budget.
bool expand_at(ExpansionDepth depth, const DictionaryForms& forms, const Participles& participles,
               ExpandedSource& out) {
  const std::vector<DictionaryEntry>& entries = forms.words().entries;
  const std::size_t chunks = (entries.size() + kChunk - 1) / kChunk;
  out.parts.assign(chunks, {});
  out.depth = depth;
  std::atomic<std::uint64_t> made{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> cut{0};
  const auto over_budget = [&] { return made > kMaxFormsPerSource || steps > kMaxStepsPerSource; };
  const std::size_t samples = depth == ExpansionDepth::full ? 1 : 0;
  for_each_index(chunks + samples, [&](std::size_t task) {
    if (task < samples) {
      out.paradigms = sample_paradigms(forms, depth);
      return;
    }
    const std::size_t chunk = task - samples;
    Expander expander(forms.affixes());
    Collector collector(participles, out.parts[chunk]);
    const std::size_t end = std::min(entries.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end && !over_budget();) {
      ExpansionCost sum;
      std::uint64_t cut_here = 0;
      for (const std::size_t step = std::min(end, i + kStep); i < step; ++i) {
        collector.begin(entries[i]);
        const ExpansionCost cost = forms.expand(i, depth, expander, collector);
        collector.end();
        sum.forms += cost.forms;
        sum.steps += cost.steps;
        cut_here += cost.cut ? 1 : 0;
      }
      made += sum.forms;
      steps += sum.steps;
      cut += cut_here;
    }
  });
  out.cut_entries = cut;
  return !over_budget();
}

}  // namespace

Result<ExpandedSource> expand_source(const DictionaryPair& names, std::string_view code, std::string_view aff,
                                     std::string_view dic) {
  AKIN_TRY(const DictionaryForms forms, DictionaryForms::read(names, aff, dic));
  const Participles participles(code, forms);
  ExpandedSource out;
  out.compounds = forms.builds_compounds();
  out.ignored = folded_ignored(forms.affixes());
  for (const DictionaryEntry& entry : forms.words().entries) out.scripts |= scripts_of(entry.word);
  for (const ExpansionDepth depth : {ExpansionDepth::full, ExpansionDepth::without_elisions,
                                     ExpansionDepth::one_suffix, ExpansionDepth::roots}) {
    const bool last_resort = depth == ExpansionDepth::roots;
    if (!last_resort && is_hopeless(depth, forms)) continue;
    if (!expand_at(depth, forms, participles, out)) continue;
    if (out.cut_entries > 0 || depth != ExpansionDepth::full) out.paradigms = {};
    return out;
  }
  return Error{Errc::bad_dictionary, names.dic.string(),
               "it has more than " + std::to_string(kMaxFormsPerSource) + " words",
               "use a smaller dictionary"};
}

}  // namespace akin
