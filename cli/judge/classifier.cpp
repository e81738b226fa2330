#include "cli/judge/classifier.h"

#include <cmath>

namespace akin::judge {

void Scaling::apply(const CriteriaValues& values, std::vector<double>& row) const {
  row.resize(criteria.size());
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    const double value = values[index_of(criteria[i])];
    row[i] = std::isnan(value) ? 0 : (value - means[i]) / spreads[i];
  }
}

double Classifier::decision(const CriteriaValues& values) const {
  std::vector<double> row;
  scaling.apply(values, row);
  return svm.decision(row);
}

Judgement Classifier::judge(const CriteriaValues& values) const {
  Judgement judgement;
  judgement.probability = sigmoid.probability(decision(values));
  judgement.classification = margins.classify(judgement.probability);
  return judgement;
}

}  // namespace akin::judge
