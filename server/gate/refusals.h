// What the gates of collections refused, and for what: kept, so that it can be asked for later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::gate {

/// The newest refusals of a collection are kept.
inline constexpr std::uint64_t kMostRefusals = 1000;
/// An outcome of more bytes is kept without passages.
inline constexpr std::size_t kMostOutcomeBytes = std::size_t{64} << 10U;

struct Refusal {
  std::uint64_t number = 0;  ///< from 1 on, in the order in which they were kept
  std::string time;          ///< as format_time writes it
  json::Json outcome;        ///< the answer to the admission
};

/// The refusals of all collections. Members may be called from any number of threads; processes and machines
/// may share the state.
class Refusals {
 public:
  explicit Refusals(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Keeps the answers to admissions that were refused, in their order. Durable when it returns.
  [[nodiscard]] Result<void> keep(std::string_view collection, const std::vector<json::Json>& outcomes);
  /// Up to `limit` refusals with numbers below `before`, or of all if it is 0; the newest first. Error:
  /// corrupt.
  [[nodiscard]] Result<std::vector<Refusal>> list(std::string_view collection, std::uint64_t before,
                                                  std::size_t limit) const;
  /// Removes those of a document, and those for which it was refused something.
  [[nodiscard]] Result<void> forget_document(std::string_view collection, const std::string& id);
  /// Removes those of a collection that is dropped.
  [[nodiscard]] Result<void> forget(std::string_view collection);

 private:
  std::shared_ptr<state::State> state_;
};

}  // namespace akin::gate
