// A set of documents of a store, by their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace akin::pg {

/// Takes one bit for each number between its first and last one.
class DocumentSet {
 public:
  DocumentSet() = default;
  /// `numbers` ascending, each once.
  explicit DocumentSet(const std::vector<std::int64_t>& numbers) {
    for (const std::int64_t number : numbers) add(number);
  }

  /// Requires a number larger than all before.
  void add(std::int64_t number) {
    if (size_++ == 0) first_ = static_cast<std::uint64_t>(number);
    bits_.resize(offset(number) + 1);
    bits_.back() = true;
  }
  [[nodiscard]] bool contains(std::int64_t number) const noexcept {
    const std::size_t at = offset(number);
    return at < bits_.size() && bits_[at];
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Calls visit(numbers) with all numbers, ascending, at most `at_once` at a time; ends with its first
  /// error.
  template <class Visit>
  [[nodiscard]] auto for_each_some(std::size_t at_once, const Visit& visit) const
      -> decltype(visit(std::vector<std::int64_t>())) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; at < bits_.size(); ++at) {
      if (bits_[at]) numbers.push_back(static_cast<std::int64_t>(first_ + at));
      if (numbers.size() < at_once && at + 1 < bits_.size()) continue;
      if (auto done = visit(numbers); done.has_error()) return done;
      numbers.clear();
    }
    return {};
  }

 private:
  [[nodiscard]] std::size_t offset(std::int64_t number) const noexcept {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(number) - first_);
  }

  std::uint64_t first_ = 0, size_ = 0;
  std::vector<bool> bits_;
};

}  // namespace akin::pg
