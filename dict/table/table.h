// A compiled table opened for look-ups, memory-mapped from its file or held in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/table/format.h"

namespace akin {

/// First slot where a key may be: the keys' order is kept, so slots ascend.
[[nodiscard]] inline std::uint64_t home_slot(std::uint64_t key, std::uint64_t home_slots) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{key} * home_slots) >> 64U);
}

[[nodiscard]] std::uint64_t header_hash(const table_format::Header& header) noexcept;
[[nodiscard]] std::uint64_t body_hash(std::span<const char> file) noexcept;

/// Immutable; any number of threads. Opening checks the header and that all sections are inside the file; it
/// does not read the rest. Whatever the rest holds, no look-up reads outside the file: indices are checked
/// where they are followed. So a damaged body can cause wrong answers but no crash; `check_body` finds the
/// damage.
class WordClassTable {
 public:
  static constexpr std::uint32_t kNoRow = 0xffffffffU;
  static constexpr std::uint32_t kLargestStrip = 255;  ///< a larger one is damage

  /// Maps a file. Errors: not_found, io, corrupt (also for another version or byte order: the file is a
  /// cache).
  [[nodiscard]] static Result<WordClassTable> map(const std::filesystem::path& file);
  /// Keeps an image in memory. Error: corrupt.
  [[nodiscard]] static Result<WordClassTable> keep(std::vector<char> image);

  /// Whether the whole content is intact. Reads everything.
  [[nodiscard]] bool check_body() const noexcept;

  /// Row of the form with this key, or kNoRow.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const noexcept {
    const table_format::Slot* slot = slots_.data() + home_slot(key, header_->home_slots);
    while (slot->key < key) ++slot;  // the last slot has the largest possible key
    return slot->key == key && slot->row < row_count_ ? slot->row : kNoRow;
  }

  /// Number of letters that a word with this ending loses, or -1 if the ending is not known (dict/endings.h).
  [[nodiscard]] int find_ending(std::uint64_t key) const noexcept {
    const table_format::EndingSlot* slot = endings_.data() + home_slot(key, header_->ending_home_slots);
    while (slot->key < key) ++slot;
    return slot->key == key && slot->strip <= kLargestStrip ? static_cast<int>(slot->strip) : -1;
  }

  /// WH of the class that represents this class and its synonyms; the same WH if it has none.
  [[nodiscard]] std::uint64_t synonym_hash(std::uint64_t hash) const noexcept {
    const table_format::SynonymSlot* slot = synonyms_.data() + home_slot(hash, header_->synonym_home_slots);
    while (slot->key < hash) ++slot;
    return slot->key == hash ? slot->hash : hash;
  }

  /// Hints that `find` will soon be called with this key, and `hash` with this row.
  void expect_key(std::uint64_t key) const noexcept {
    __builtin_prefetch(slots_.data() + home_slot(key, header_->home_slots));
  }
  void expect_row(std::uint32_t row) const noexcept { __builtin_prefetch(rows_.data() + row); }

  /// WH of the row's class. Requires a row that `find` returned.
  [[nodiscard]] std::uint64_t hash(std::uint32_t row) const noexcept { return rows_[row].hash; }
  [[nodiscard]] std::span<const std::uint32_t> lemma_ids(std::uint32_t row) const noexcept;
  [[nodiscard]] std::string_view class_name_of_row(std::uint32_t row) const noexcept;

  [[nodiscard]] std::string_view lemma(std::uint32_t id) const noexcept;  ///< from 1; empty if there is none
  /// Class of the lemma with this spelling, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> class_of_lemma(std::string_view spelling) const noexcept;
  [[nodiscard]] std::string_view class_name(std::uint32_t lemma_class) const noexcept;
  /// The name of the class with this WH; empty if there is none. Reads all names.
  [[nodiscard]] std::string_view class_name_of_hash(std::uint64_t hash) const noexcept;

  [[nodiscard]] const table_format::Header& header() const noexcept { return *header_; }
  [[nodiscard]] std::span<const table_format::Source> sources() const noexcept { return sources_; }
  [[nodiscard]] std::u32string_view ignored() const noexcept { return {ignored_.data(), ignored_.size()}; }

 private:
  WordClassTable() = default;
  /// Finds the sections; returns an error message, or an empty string.
  [[nodiscard]] std::string_view attach(std::span<const char> file);
  [[nodiscard]] std::string_view text(table_format::TextSpan span) const noexcept;

  std::shared_ptr<const void> owner_;  // owns the mapping or the image
  std::span<const char> file_;
  const table_format::Header* header_ = nullptr;
  std::span<const table_format::Slot> slots_;
  std::span<const table_format::Row> rows_;
  std::uint32_t row_count_ = 0;
  std::span<const std::uint32_t> row_lemmas_;
  std::span<const table_format::TextSpan> classes_;
  std::span<const table_format::Lemma> lemmas_;
  std::span<const table_format::Source> sources_;
  std::span<const char32_t> ignored_;
  std::span<const table_format::EndingSlot> endings_;
  std::span<const table_format::SynonymSlot> synonyms_;
  std::span<const char> text_;
};

}  // namespace akin
