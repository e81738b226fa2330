#include "server/judge/svm.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

namespace akin::judge {
namespace {

constexpr int kEnd = -1;

/// A matrix in libsvm's form: nodes (index from 1, value), each row ended by an index of -1.
struct Problem {
  std::vector<svm_node> nodes;
  std::vector<svm_node*> rows;
  std::vector<double> classes;
  svm_problem view{};

  Problem(const Matrix& matrix, const std::vector<bool>& labels) {
    const std::size_t width = matrix.columns + 1;
    nodes.resize(width * matrix.rows());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      svm_node* node = nodes.data() + i * width;
      rows.push_back(node);
      classes.push_back(labels[i] ? 1 : -1);
      for (std::size_t column = 0; column < matrix.columns; ++column) {
        *node++ = {static_cast<int>(column) + 1, matrix.row(i)[column]};
      }
      *node = {kEnd, 0};
    }
    view = {static_cast<int>(rows.size()), classes.data(), rows.data()};
  }
};

/// libsvm's vectors summed up, with its first class mapped to `true`.
Hyperplane plane_of(const svm_model& model, double c, std::size_t columns) {
  const double sign = model.label[0] > 0 ? 1 : -1;
  Hyperplane plane{c, sign * model.rho[0], std::vector<double>(columns)};
  for (int i = 0; i < model.l; ++i) {
    for (const svm_node* node = model.SV[i]; node->index != kEnd; ++node) {
      plane.weights[static_cast<std::size_t>(node->index) - 1] += sign * model.sv_coef[0][i] * node->value;
    }
  }
  return plane;
}

}  // namespace

double Hyperplane::decision(std::span<const double> x) const noexcept {
  return std::inner_product(weights.begin(), weights.end(), x.begin(), -rho);
}

Result<Hyperplane> train_svm(const Matrix& rows, const std::vector<bool>& labels, double c) {
  const auto positive = static_cast<std::size_t>(std::count(labels.begin(), labels.end(), true));
  if (positive == 0 || positive == labels.size()) {
    return Error{Errc::invalid_argument, "training", "all examples are of one class",
                 "give labelled pairs of both classes"};
  }
  svm_set_print_string_function([](const char*) {});
  Problem problem(rows, labels);
  std::array<int, 2> classes{1, -1};
  const auto all = static_cast<double>(labels.size());
  std::array<double, 2> weights{all / (2 * static_cast<double>(positive)),
                                all / (2 * static_cast<double>(labels.size() - positive))};
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = LINEAR;
  settings.C = c;
  settings.cache_size = 64;
  settings.eps = 1e-3;
  settings.shrinking = 1;
  settings.nr_weight = 2;
  settings.weight_label = classes.data();
  settings.weight = weights.data();
  if (const char* wrong = svm_check_parameter(&problem.view, &settings)) {
    return Error{Errc::invalid_argument, "training", wrong, "choose other parameters"};
  }
  const auto destroy = [](svm_model* model) { svm_free_and_destroy_model(&model); };
  const std::unique_ptr<svm_model, decltype(destroy)> model(svm_train(&problem.view, &settings), destroy);
  return plane_of(*model, c, rows.columns);
}

}  // namespace akin::judge
