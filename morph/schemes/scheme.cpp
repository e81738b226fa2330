#include "morph/schemes/scheme.h"

#include <utility>

#include "morph/features/scheme_spec.h"
#include "morph/schemes/joined_synonyms.h"
#include "morph/schemes/schemes.h"
#include "morph/schemes/shingles.h"
#include "morph/schemes/tiers.h"
#include "morph/schemes/winnow.h"
#include "morph/signatures/signatures.h"

namespace akin {

namespace {

using Made = Result<std::shared_ptr<const Scheme>>;

Made make_paper_2009(const SchemeSpec& spec) {
  AKIN_CHECK(spec.expect_only({"ids"}));
  AKIN_TRY(const std::size_t ids, spec.choice("ids", {"plain", "squared"}));
  return paper_2009_scheme(static_cast<PaperIds>(ids));
}

struct Known {
  SchemeKind kind;
  Made (*make)(const SchemeSpec&);
};

constexpr Known kKnown[] = {
    {{"sentence-pairs", "sentence-pairs", "each two sentences in a row; the default"},
     [](const SchemeSpec& spec) -> Made {
       AKIN_CHECK(spec.expect_only({}));
       return sentence_pairs_scheme();
     }},
    {{"sentences", "sentences", "each sentence"},
     [](const SchemeSpec& spec) -> Made {
       AKIN_CHECK(spec.expect_only({}));
       return sentences_scheme();
     }},
    {{"paper-2009", "paper-2009(ids=plain), paper-2009(ids=squared)",
      "each two sentences in a row, with the 32-bit hashes of the paper, of ids or of their squares"},
     make_paper_2009},
    {{"shingles", "shingles(w=5,unit=lemma,order=kept,stop=kept,sample=all,count=multiset,marks=removed)",
      "each w units in a row, w from 1 to 64. unit: lemma, word or letter; order: kept or sorted; stop: "
      "kept, "
      "removed, or languages as in ru+en; sample: all, mod:M or min:N; count: multiset or set; marks: "
      "removed or "
      "kept"},
     shingles_scheme},
    {{"winnow", "winnow(k=4,t=8,unit=lemma,order=any,shape=1111,stop=kept)",
      "the least of the grams of k units in each t units in a row, so that texts that share t units in a row "
      "share one. unit: lemma or word; order: any or kept; shape: digits, 1 for each unit that counts; stop: "
      "kept, or last (grams with fewer stop words come first)"},
     winnow_scheme},
    {{"synonyms", "synonyms(of=SCHEME)", "those of another scheme, with synonyms (--synonyms) as one word"},
     synonyms_scheme},
    {{"minhash", "minhash(k=84,minima=bins,of=SCHEME)",
      "k minima of the hashes of another scheme, which probably similar texts share; that scheme then "
      "verifies "
      "them. minima: bins or functions"},
     [](const SchemeSpec& spec) -> Made { return minhash_scheme(spec, make_scheme); }},
    {{"supershingles", "supershingles(groups=14,size=6,minima=bins,of=SCHEME)",
      "a hash of each group of minima"},
     [](const SchemeSpec& spec) -> Made { return supershingles_scheme(spec, make_scheme); }},
    {{"megashingles", "megashingles(groups=6,size=14,minima=bins,of=SCHEME)",
      "a hash of each two supershingles"},
     [](const SchemeSpec& spec) -> Made { return megashingles_scheme(spec, make_scheme); }},
    {{"tiers", "tiers(NAME=SCHEME,NAME=SCHEME,…)",
      "those of 2 to 4 schemes in one collection, strictest first; a search names the tiers it wants"},
     tiers_scheme},
    {{"tier", "tier(number=1,of=SCHEME)", ""}, tier_scheme},
};

constexpr Preset kPresets[] = {
    {"library", kDefaultScheme, "reuse of 12 words or more, in collections of any size; the default"},
    {"paper", "tiers(pairs=sentence-pairs,passages=winnow(k=4,t=8,stop=last))",
     "also passages whose every third word was changed; for submissions, half as large again"},
    {"news", "tiers(pairs=sentence-pairs,passages=winnow(k=6,t=18,stop=last))",
     "reprints, but no single quoted sentence; smaller"},
    {"quotations",
     "tiers(pairs=sentence-pairs,passages=winnow(shape=101011,t=10,stop=last),runs=winnow(k=2,t=4,stop=last)"
     ")",
     "also every run of 4 words, if it is asked for: for verse, captions and sayings"},
    {"web", "shingles(w=4,unit=word,stop=ru,sample=mod:25,count=set)",
     "copies of web pages by one shingle in 25, as Zagorulko and others chose it (2013); its gate: "
     "resemblance "
     "of 0.5"},
};

}  // namespace

std::span<const Preset> presets() noexcept { return kPresets; }

Result<std::shared_ptr<const Scheme>> make_scheme(std::string_view text) {
  for (const Preset& preset : kPresets) {
    if (preset.name == text) return make_scheme(preset.scheme);
  }
  AKIN_TRY(const SchemeSpec spec, SchemeSpec::parse(text));
  for (const Known& known : kKnown) {
    if (known.kind.name == spec.name()) return known.make(spec);
  }
  std::string all;
  for (const SchemeKind& kind : scheme_kinds()) {
    all += (all.empty() ? "choose " : ", ") + std::string(kind.spelling);
  }
  return Error{Errc::invalid_argument, "scheme '" + std::string(text) + "'", "there is no such scheme", all};
}

std::vector<SchemeKind> scheme_kinds() {
  std::vector<SchemeKind> kinds;
  for (const Known& known : kKnown) {
    // A tier is named by answers; a collection is made with all of its tiers.
    if (known.kind.name != "tier") kinds.push_back(known.kind);
  }
  return kinds;
}

Result<std::string> features_fingerprint(const Scheme& scheme, const Dictionary& dictionary) {
  return features_fingerprint(scheme, dictionary.fingerprints());
}

Result<std::string> features_fingerprint(const Scheme& scheme, const DictionaryFingerprints& dictionary) {
  if (!scheme.joins_synonyms()) return dictionary.words;
  if (dictionary.has_synonyms) return dictionary.synonyms;
  return Error{Errc::unsupported, "scheme '" + scheme.name() + "'",
               "it joins synonyms, and none are configured",
               "name a language or a file of synonyms, as in --synonyms ru, or choose another scheme"};
}

Result<void> check_containment(const Scheme& scheme, double min_containment) {
  if (min_containment == 0.0 || scheme.has_containment()) return {};
  return Error{
      Errc::unsupported, "min_containment",
      "the scheme " + scheme.name() +
          " keeps as many features of a short text as of a long one, which give the resemblance but not "
          "the share of one text that is in the other",
      "give a least resemblance or a bound, or rebuild the collection with sample=all or sample=mod:M"};
}

Result<std::vector<FeatureSequence>> extract_features(std::string_view utf8, const Dictionary& dictionary,
                                                      std::span<const Scheme* const> schemes,
                                                      SentenceSink* also) {
  std::vector<FeatureSequence> all(schemes.size());
  std::vector<std::unique_ptr<FeatureStream>> streams;
  AllSinks sinks;
  for (std::size_t at = 0; at < schemes.size(); ++at) {
    AKIN_CHECK(features_fingerprint(*schemes[at], dictionary));
    streams.push_back(schemes[at]->stream(dictionary, all[at]));
    sinks.add(*streams.back());
  }
  if (also != nullptr) sinks.add(*also);
  AKIN_TRY(const ScanSummary summary, scan_text(utf8, dictionary, sinks.one()));
  for (std::size_t at = 0; at < schemes.size(); ++at) {
    streams[at]->finish();
    FeatureSequence& features = all[at];
    features.sentences = summary.sentences;
    features.words = summary.words;
    features.code_points = summary.code_points;
    features.alert_counts = summary.alert_counts;
    features.alerts = summary.alerts;
  }
  return all;
}

Result<FeatureSequence> extract_features(std::string_view utf8, const Dictionary& dictionary,
                                         const Scheme& scheme, SentenceSink* also) {
  const Scheme* const one = &scheme;
  AKIN_TRY(std::vector<FeatureSequence> features, extract_features(utf8, dictionary, {&one, 1}, also));
  return std::move(features.front());
}

}  // namespace akin
