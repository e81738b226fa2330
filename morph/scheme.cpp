#include "morph/scheme.h"

#include <utility>

#include "morph/schemes.h"

namespace akin {

Result<std::shared_ptr<const Scheme>> make_scheme(std::string_view spec) {
  if (spec == "sentence-pairs") return sentence_pairs_scheme();
  if (spec == "sentences") return sentences_scheme();
  if (spec == "paper-2009" || spec == "paper-2009(ids=plain)") return paper_2009_scheme(PaperIds::plain);
  if (spec == "paper-2009(ids=squared)") return paper_2009_scheme(PaperIds::squared);
  return Error{Errc::invalid_argument, "scheme '" + std::string(spec) + "'", "there is no such scheme",
               "choose sentence-pairs, sentences, paper-2009(ids=plain) or paper-2009(ids=squared)"};
}

Result<FeatureSequence> extract_features(std::string_view utf8, const Dictionary& dictionary,
                                         const Scheme& scheme) {
  FeatureSequence features;
  const std::unique_ptr<FeatureStream> stream = scheme.stream(dictionary, features);
  AKIN_TRY(ScanSummary summary, scan_text(utf8, dictionary, *stream));
  stream->finish();
  features.sentences = summary.sentences;
  features.words = summary.words;
  features.code_points = summary.code_points;
  features.alert_count = summary.alert_count;
  features.alerts = std::move(summary.alerts);
  return features;
}

}  // namespace akin
