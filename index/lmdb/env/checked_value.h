// Checks of values and pages, since LMDB 0.9 checks neither: a value of a checked table ends with a CRC-32C
// over its table, its key and itself, so that a changed bit, a value under another key and another table's
// value are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::lmdb {

struct Table;

inline constexpr std::size_t kCheckBytes = 4;

/// The check of a value in a table under a key.
[[nodiscard]] std::uint32_t check_of(const Table& table, std::string_view key,
                                     std::string_view value) noexcept;

/// Large values that had their check when they were read through the present map: they are not checked again.
/// Thread-safe. A fixed number of slots; a value that finds its slot taken is checked again.
class CheckedValues {
 public:
  /// For a data file of so many pages: 8 bytes a page, from 8 KiB to 8 MiB.
  void resize(std::uint64_t pages);
  /// Whether this value, at this address with this check, is known to be sound.
  [[nodiscard]] bool contains(const char* value, std::uint32_t seed, std::uint32_t check) const noexcept;
  void add(const char* value, std::uint32_t seed, std::uint32_t check) noexcept;
  /// Hints that a value will be asked for soon.
  void expect(const char* value) const noexcept {
    if (slots_ != nullptr) __builtin_prefetch(&slots_[slot_of(value)]);
  }

 private:
  struct Free {
    void operator()(std::uint64_t* slots) const noexcept;
  };
  [[nodiscard]] std::size_t slot_of(const char* value) const noexcept;

  std::unique_ptr<std::uint64_t[], Free> slots_;
  std::size_t mask_ = 0;
};

/// The value without its check; nothing if it does not have it.
[[nodiscard]] std::optional<std::string_view> take_check(const Table& table, std::string_view key,
                                                         std::string_view stored,
                                                         CheckedValues& known) noexcept;

/// Whether the page at `page` is a leaf of the map that begins at `map`, and its entries fill it exactly, as
/// LMDB packs them: no entry is lost, and it is not another page's content.
[[nodiscard]] bool is_sound_leaf(const char* page, const char* map, std::size_t page_bytes) noexcept;

/// Whether a value, as LMDB returns it from the map, lies inside its leaf or its overflow pages. A damaged
/// size would lead out of the map.
[[nodiscard]] bool is_inside_pages(std::string_view stored, std::size_t page_bytes) noexcept;

/// "table 'ids', key 'a.txt'", or the key in hex if it is not text; without the key if it is empty.
[[nodiscard]] std::string name_of_entry(const Table& table, std::string_view key);

}  // namespace akin::lmdb
