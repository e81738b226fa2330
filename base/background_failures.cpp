#include "base/background_failures.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "base/exceptions.h"

namespace akin {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::minutes kBetweenWarnings{1};

/// The last warning of a cause.
struct LastWarning {
  Clock::time_point at;
  std::uint64_t suppressed = 0;  ///< failures since then
};

class Failures {
 public:
  void note(Round round, const Error& error) noexcept {
    ++counts_[static_cast<std::size_t>(round)];
    static_cast<void>(without_exceptions([&] { return warn_of(round, error), Result<void>(); }));
  }

  [[nodiscard]] std::uint64_t count(Round round) const noexcept {
    return counts_[static_cast<std::size_t>(round)];
  }

  void set_warn(WarnOfFailure warn) noexcept {
    const std::lock_guard guard(mutex_);
    warn_ = warn;
    last_.clear();
  }

 private:
  void warn_of(Round round, const Error& error) {
    WarnOfFailure warn = nullptr;
    std::uint64_t suppressed = 0;
    {
      const std::lock_guard guard(mutex_);
      if (warn_ == nullptr) return;
      const Clock::time_point now = Clock::now();
      const auto [place, is_first] = last_.try_emplace({round, error.code}, LastWarning{.at = now});
      LastWarning& last = place->second;
      if (round != Round::task && !is_first && now - last.at < kBetweenWarnings) {
        ++last.suppressed;
        return;
      }
      warn = warn_;
      suppressed = std::exchange(last.suppressed, 0);
      last.at = now;
    }
    std::string line = "background work '" + std::string(kRoundNames[static_cast<std::size_t>(round)]) +
                       "' failed" + (round == Round::task ? ": " : " and will be tried again: ") +
                       error.message();
    if (suppressed > 0) line += " (and " + std::to_string(suppressed) + " times since the last warning)";
    warn(line);
  }

  std::array<std::atomic<std::uint64_t>, kRoundNames.size()> counts_{};
  std::mutex mutex_;
  WarnOfFailure warn_ = nullptr;                        ///< guarded by mutex_
  std::map<std::pair<Round, Errc>, LastWarning> last_;  ///< guarded by mutex_
};

/// Never destroyed: threads may fail while the process ends.
Failures& failures() noexcept {
  alignas(Failures) static std::byte memory[sizeof(Failures)];
  static auto* const all = new (memory) Failures;
  return *all;
}

}  // namespace

void note_failure(Round round, const Error& error) noexcept { failures().note(round, error); }

std::uint64_t failures_of(Round round) noexcept { return failures().count(round); }

void warn_of_failures(WarnOfFailure warn) noexcept { failures().set_warn(warn); }

}  // namespace akin
