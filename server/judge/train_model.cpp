#include "server/judge/train_model.h"

#include <utility>

namespace akin::judge {

Result<TrainedModel> train_model(TrainingRequest request, const Dictionary& dictionary) {
  TrainedModel trained;
  Model& model = trained.model;
  model.name = std::move(request.name);
  model.languages = std::move(request.languages);
  model.dictionary = dictionary.fingerprint();
  model.statistics = std::move(request.statistics);
  AKIN_TRY(trained.compared, count_compared(request.pairs, model.statistics, dictionary));
  AKIN_TRY(const auto examples, compare_pairs(request.pairs, groups_of(request.pairs),
                                              {&dictionary, &model.statistics, request.both_ways}));
  AKIN_TRY(model.classifier, train_classifier(examples, request.options));
  return trained;
}

}  // namespace akin::judge
