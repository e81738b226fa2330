// The grounds of the cells in a row of an RTF's table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace akin::extract {

/// A row's definition lists its cells before their text.
class RowGrounds {
 public:
  /// A control word; those that end a cell or a row come after its text.
  void read(std::string_view word, std::optional<std::int32_t> number) {
    if (word == "trowd") *this = {};
    if (word == "clcbpat") next_ = number.value_or(0);
    if (word == "cellx") cells_.push_back(std::exchange(next_, 0));
    if (word == "cell") ++at_;
    if (word == "row") at_ = 0;
  }

  /// The number of the colour under the cell that is being read; 0: none.
  [[nodiscard]] std::int32_t ground() const noexcept { return at_ < cells_.size() ? cells_[at_] : 0; }

 private:
  std::vector<std::int32_t> cells_;
  std::int32_t next_ = 0;
  std::size_t at_ = 0;
};

}  // namespace akin::extract
