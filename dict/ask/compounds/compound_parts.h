// Which spellings of a dictionary may be parts of compounds, and in which places.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dict/table/content_hash.h"

namespace akin {

/// Raised whenever the roles that are found for a dictionary may change, or the bytes of `pack`.
inline constexpr std::uint32_t kPartsVersion = 1;

/// What Hunspell does with a spelling; a set of bits. Case counts.
enum PartRole : std::uint16_t {
  kNoPart = 0,
  kFirstPart = 1,         ///< may begin a compound
  kMiddlePart = 2,        ///< may be a part between the first and the last
  kLastWord = 4,          ///< an entry that may end a compound; it is its own stem
  kLastForm = 8,          ///< an affixed entry that may end a compound; Hunspell does not analyse it
  kStopsFirst = 16,       ///< as the first part, it ends Hunspell's search for a longer one
  kStopsMiddle = 32,      ///< the same of a middle part
  kAnalyzed = 64,         ///< missing in the table, but analysed as one word: `CompoundParts::stems`
  kForbiddenWord = 128,   ///< an entry that is forbidden
  kForbiddenForm = 256,   ///< a form of one; includes kForbiddenWord
  kHunspellAsPart = 512,  ///< only Hunspell knows what it does in a compound
  kHunspellAlone = 1024,  ///< missing in the table, and only Hunspell knows what it is as a word of its own
  kPerhapsWord = 2048,    ///< with kAnalyzed: only Hunspell knows whether it accepts it as well
};
using PartRoles = std::uint16_t;

/// The rest of what decides about compounds.
struct CompoundSettings {
  std::size_t least_letters = 1;  ///< of a part
  bool sharp_s = false;           ///< ß is tried for ss in capitals
  /// Characters in words that contain one of which only Hunspell is asked; sorted. Letters whose capitals are
  /// not simple, and the characters at which Hunspell breaks words.
  std::u32string special;
};

/// A set of spellings with their roles. Immutable; any number of threads.
class CompoundParts {
 public:
  /// No parts are known: Hunspell must be asked about every word.
  CompoundParts() = default;

  struct Part {
    std::uint64_t key = 0;  ///< spelling_key
    PartRoles roles = kNoPart;
  };
  struct Stem {
    std::uint64_t key = 0;  ///< of a spelling with kAnalyzed
    std::string stem;       ///< UTF-8, as Hunspell gives it
    friend auto operator<=>(const Stem&, const Stem&) = default;
  };
  /// `parts`, `stems`: in any order, a key repeatedly with roles that are united.
  CompoundParts(std::vector<Part> parts, std::vector<Stem> stems, CompoundSettings settings);

  /// Whether words can be split without Hunspell.
  [[nodiscard]] bool complete() const noexcept { return complete_; }

  [[nodiscard]] PartRoles roles(std::uint64_t key) const noexcept {
    std::size_t slot = key >> shift_;
    while (keys_[slot] < key) ++slot;  // the last slot has the largest possible key
    return keys_[slot] == key ? roles_[slot] : PartRoles{kNoPart};
  }
  /// False for most spellings without a role of a part before others, or as a word of their own. Answered
  /// from memory that stays in the processor's cache, which the roles do not.
  [[nodiscard]] bool may_begin(std::uint64_t key) const noexcept { return begins_[key % kFilterBits]; }
  [[nodiscard]] bool may_stand_alone(std::uint64_t key) const noexcept { return alone_[key % kFilterBits]; }
  [[nodiscard]] std::span<const Stem> stems(std::uint64_t key) const noexcept {
    const auto first = std::ranges::lower_bound(stems_, key, {}, &Stem::key);
    return {first, std::ranges::upper_bound(first, stems_.end(), key, {}, &Stem::key)};
  }
  [[nodiscard]] const CompoundSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Bytes for `unpack` on this machine; `name` says which dictionaries they belong to.
  [[nodiscard]] std::string pack(const Digest& name) const;
  /// Nothing for other bytes, damaged ones, and those of another name. Takes any bytes.
  [[nodiscard]] static std::optional<CompoundParts> unpack(std::string_view bytes, const Digest& name);

 private:
  void place(const std::vector<Part>& parts);

  static constexpr std::size_t kFilterBits = std::size_t{1} << 17;

  bool complete_ = false;
  CompoundSettings settings_;
  std::size_t size_ = 0;
  unsigned shift_ = 63;
  std::vector<std::uint64_t> keys_{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};  ///< ascending
  std::vector<PartRoles> roles_{kNoPart, kNoPart, kNoPart};
  std::vector<Stem> stems_;  ///< sorted, without repeats
  std::vector<bool> begins_ = std::vector<bool>(kFilterBits), alone_ = begins_;
};

}  // namespace akin
