#include "server/judge/classifier.h"

#include <cmath>

namespace akin::judge {

void Scaling::apply(const CriteriaValues& values, std::vector<double>& row) const {
  row.resize(criteria.size());
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    const double value = values[index_of(criteria[i])];
    row[i] = std::isnan(value) ? 0 : (value - means[i]) / spreads[i];
  }
}

std::vector<Criterion> Scaling::beyond(const CriteriaValues& values) const {
  std::vector<Criterion> beyond;
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    const double value = values[index_of(criteria[i])];
    if (value < least[i] - kBeyond || value > most[i] + kBeyond) beyond.push_back(criteria[i]);
  }
  return beyond;
}

double Classifier::decision(const CriteriaValues& values) const {
  std::vector<double> row;
  scaling.apply(values, row);
  return plane.decision(row);
}

Judgement Classifier::judge(const CriteriaValues& values) const {
  Judgement judgement;
  judgement.probability = sigmoid.probability(decision(values));
  judgement.classification = margins.classify(judgement.probability);
  return judgement;
}

}  // namespace akin::judge
