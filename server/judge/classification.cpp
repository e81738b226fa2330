#include "server/judge/classification.h"

#include <cmath>

namespace akin::judge {

namespace {

double share(std::size_t part, std::size_t whole, double otherwise) {
  return whole == 0 ? otherwise : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double Sigmoid::probability(double decision) const noexcept { return 1 / (1 + std::exp(a * decision + b)); }

std::string_view classification_name(Classification classification) noexcept {
  if (classification == Classification::yes) return "yes";
  return classification == Classification::no ? "no" : "undecided";
}

Classification Margins::classify(double probability) const noexcept {
  if (probability >= yes) return Classification::yes;
  return probability <= no ? Classification::no : Classification::undecided;
}

void ClassificationCounts::add(Classification classification, bool label) noexcept {
  if (classification == Classification::undecided) {
    ++undecided;
    missed += label ? 1 : 0;
  } else if (classification == Classification::yes) {
    ++(label ? right_yes : wrong_yes);
  } else {
    ++(label ? wrong_no : right_no);
  }
}

ClassificationCounts& ClassificationCounts::operator+=(const ClassificationCounts& other) noexcept {
  right_yes += other.right_yes;
  wrong_yes += other.wrong_yes;
  right_no += other.right_no;
  wrong_no += other.wrong_no;
  undecided += other.undecided;
  missed += other.missed;
  return *this;
}

double ClassificationCounts::precision() const noexcept { return share(right_yes, right_yes + wrong_yes, 1); }

double ClassificationCounts::recall() const noexcept {
  return share(right_yes, right_yes + wrong_no + missed, 1);
}

double ClassificationCounts::f_measure() const noexcept {
  const std::size_t positives = right_yes + wrong_no + missed;
  return share(2 * right_yes, right_yes + wrong_yes + positives, 1);
}

}  // namespace akin::judge
