#include "index/analysis.h"

#include "base/parallel.h"

namespace akin {

Result<std::vector<FeatureSequence>> analyze_all(const std::vector<SourceDocument>& documents,
                                                 const Dictionary& dictionary, const Scheme& scheme) {
  std::vector<Result<FeatureSequence>> outcomes(documents.size(), FeatureSequence());
  for_each_index(documents.size(), [&](std::size_t i) {
    outcomes[i] = extract_features(documents[i].text, dictionary, scheme);
  });
  std::vector<FeatureSequence> features;
  features.reserve(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (outcomes[i].has_error()) {
      Error error = outcomes[i].error();
      error.what = "document '" + std::string(documents[i].id) + "': " + error.what;
      return error;
    }
    features.push_back(std::move(*outcomes[i]));
  }
  return features;
}

NewDocument new_document(const SourceDocument& source, const FeatureSequence& features) {
  NewDocument document;
  document.record.id = source.id;
  document.record.title = source.title;
  document.record.metadata = source.metadata;
  document.record.text_bytes = source.text.size();
  document.record.code_points = features.code_points;
  document.record.sentences = features.sentences;
  document.record.features =
      features.tier_sizes.empty() ? features.hashes.size() : features.tier_sizes.front();
  document.record.tier_sizes = features.tier_sizes;
  document.record.text_sha256 = sha256(source.text);
  document.record.file = source.file;
  document.record.places = source.places;
  document.text = source.text;
  document.file = source.original;
  document.features = &features;
  return document;
}

}  // namespace akin
