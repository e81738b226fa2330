// A model: a trained classifier with the statistics for weighing its documents, in one file.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/judge/classifier.h"
#include "server/judge/term_statistics.h"

namespace akin::judge {

struct Model {
  std::string name;        ///< the subject of its classifications: "duplicate", "same-event"
  std::string languages;   ///< of the dictionaries, as they were configured
  std::string dictionary;  ///< their fingerprint
  Classifier classifier;
  CollectionStatistics statistics;
};

/// Letters, digits, '-', '_' and '.', at most 64, not beginning with a point.
[[nodiscard]] bool is_model_name(std::string_view name) noexcept;

/// One line of JSON with its line end. Form: docs/index-format.md.
[[nodiscard]] std::string model_text(const Model& model);

/// Reads the output of model_text; `place` names the file in errors. Errors: corrupt (not such JSON, a wrong
/// digest, a field that is missing or out of its range), mismatch (another version).
[[nodiscard]] Result<Model> read_model(std::string_view text, const std::string& place);

/// Errors: mismatch if the model was trained with other dictionaries.
[[nodiscard]] Result<void> check_dictionary(const Model& model, const Dictionary& dictionary);

}  // namespace akin::judge
