// Trains a model on labelled pairs of documents.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "server/judge/model.h"
#include "server/judge/train_classifier.h"
#include "server/judge/training_set.h"

namespace akin::judge {

struct TrainingRequest {
  std::string name;       ///< of the model
  std::string languages;  ///< of the dictionaries, as they are configured
  std::span<const LabelledPair> pairs;
  CollectionStatistics statistics = {};  ///< by which the model weighs words
  bool both_ways = false;                ///< as ComparisonOptions
  TrainingOptions options = {};
};

/// A model, and which of its pairs a stream would have compared.
struct TrainedModel {
  Model model;
  ComparedPairs compared;
};

/// Errors: those of compare_pairs and train_classifier.
[[nodiscard]] Result<TrainedModel> train_model(TrainingRequest request, const Dictionary& dictionary);

}  // namespace akin::judge
