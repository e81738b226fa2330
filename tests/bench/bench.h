// The frame of ./bench: named measurements that report rows, each beside its goal and its yardstick of the
// same run.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace akin::bench {

enum class Better { higher, lower };

/// One figure. `goal` is compared with `value`; a row without a goal is reported for information.
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

/// Sizes that the command line decides. Bytes count original texts.
struct Sizes {
  std::uint64_t documents = 100'000;               ///< of the largest synthetic collection
  std::uint64_t load = 1'000'000'000;              ///< of the largest bulk load
  std::uint64_t novels = 200'000'000;              ///< novels and fragments together
  std::uint64_t sentences = 200'000'000;           ///< documents made of sentences
  std::uint64_t memory = std::uint64_t{1} << 30U;  ///< budget that all pairs are found in
};

/// Where measurements put their rows and find their settings.
struct Session {
  std::vector<Row> rows;
  std::string corpora;  ///< folder, empty if there is none
  Sizes sizes;
  bool store_texts = true;        ///< off: loads, novels and sentences are indexed without their texts
  std::filesystem::path scratch;  ///< an empty folder; the starter of the measurement removes it
  std::function<void(const Row&)> report;  ///< called for each row as it is added; may be empty

  void add(Row row) {
    if (report) report(row);
    rows.push_back(std::move(row));
  }
};

/// A measurement that makes one or more rows. Throws Skipped, or std::runtime_error when it cannot be made.
struct Measurement {
  std::string name;
  std::string what;
  std::function<void(Session&)> run;
};

[[nodiscard]] std::vector<Measurement> dictionary_measurements();
[[nodiscard]] std::vector<Measurement> scan_measurements();
[[nodiscard]] std::vector<Measurement> text_measurements();
[[nodiscard]] std::vector<Measurement> query_measurements();
[[nodiscard]] std::vector<Measurement> put_measurements();
[[nodiscard]] std::vector<Measurement> load_measurements();
[[nodiscard]] std::vector<Measurement> http_measurements();
[[nodiscard]] std::vector<Measurement> reuse_measurements();
[[nodiscard]] std::vector<Measurement> concurrent_measurements();
[[nodiscard]] std::vector<Measurement> pairs_measurements();
[[nodiscard]] std::vector<Measurement> novel_measurements();
[[nodiscard]] std::vector<Measurement> sentence_measurements();
[[nodiscard]] std::vector<Measurement> peer_measurements();
[[nodiscard]] std::vector<Measurement> stream_measurements();
[[nodiscard]] std::vector<Measurement> store_measurements();

/// A measurement was left out for a reason that is not a failure (a corpus or a program is missing).
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Somebody pressed Ctrl-C.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs `work` in a child process, so that memory, caches of the process and open stores of one measurement
/// do not touch another's. Its rows arrive in `session`; Skipped and errors are thrown again here, a child
/// that dies is an error, or Interrupted. Requires that this process has no other threads and no store open.
void isolated(Session& session, const std::function<void(Session&)>& work);

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

/// The p-th part (0 … 1) of sorted values: the least value that at least p of them do not exceed. Requires
/// one value.
[[nodiscard]] double percentile(const std::vector<double>& sorted, double p);

/// printf into a string, for yardsticks and names.
[[nodiscard, gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

}  // namespace akin::bench
