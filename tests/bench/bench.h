// The frame of ./bench: named measurements that report rows, each beside its goal and its yardstick of the
// same run.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace akin::bench {

enum class Better { higher, lower };

/// One figure. `goal` is compared with `value`; a row without a goal is told for information.
struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> goal;
  Better better = Better::lower;
  std::string yardstick;  ///< what it is measured against in the same run, with that figure

  [[nodiscard]] bool met() const noexcept {
    return !goal || (better == Better::lower ? value <= *goal : value >= *goal);
  }
};

/// Where measurements put their rows and find their settings.
struct Session {
  std::vector<Row> rows;
  std::string corpora;            ///< folder, empty if there is none
  std::uint64_t scale = 100'000;  ///< documents of the largest synthetic collection
  void add(Row row);              ///< keeps the row and prints it
};

/// A measurement that makes one or more rows. Throws std::runtime_error when it cannot be made.
struct Measurement {
  std::string name;
  std::string what;
  std::function<void(Session&)> run;
};

[[nodiscard]] std::vector<Measurement> scan_measurements();
[[nodiscard]] std::vector<Measurement> dictionary_measurements();
[[nodiscard]] std::vector<Measurement> store_measurements();

/// A measurement was left out for a reason that is not a failure (a corpus or a dictionary is missing).
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
T need(Result<T> result) {
  if (result.has_error()) throw std::runtime_error(result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Runs `work` `rounds` times and gives the median of its seconds.
[[nodiscard]] double median_seconds(unsigned rounds, const std::function<void()>& work);

/// The p-th part (0 … 1) of sorted values: the least value that at least p of them do not exceed.
[[nodiscard]] double percentile(const std::vector<double>& sorted, double p);

}  // namespace akin::bench
