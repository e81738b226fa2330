// The contents of an .aff file, as far as they decide which forms a dictionary word has. Options are a plain
// struct with Hunspell's defaults. Meaning of every option: hunspell(5); which ones are honoured:
// docs/dictionaries.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dict/read/condition.h"
#include "dict/read/conversion.h"
#include "dict/read/encoding.h"

namespace akin {

/// A flag of any FLAG type as one number; 0 = none.
using Flag = std::uint16_t;

enum class FlagType : std::uint8_t { character, two_characters, number, utf8 };

/// One PFX or SFX line. Strings are reversed under COMPLEXPREFIXES (see AffixData::reversed).
struct AffixRule {
  Flag flag = 0;
  bool cross_product = false;
  std::u32string strip;
  std::u32string append;
  Condition condition;
  std::vector<Flag> continuation;  ///< flags of the affixed form, sorted
  std::string surface_prefix;      ///< the sp: field, which stem() puts before the root; UTF-8

  // Membership of `continuation`, looked up once.
  bool needs_affix = false;
  bool circumfix = false;
  bool only_in_compound = false;

  bool elides = false;  ///< a prefix with an apostrophe: another word, elided (dell', L')
};

enum class AffixKind : std::uint8_t { prefix, suffix };

/// Rules of one kind, grouped by flag, in file order.
class RuleSet {
 public:
  explicit RuleSet(AffixKind kind) : kind_(kind) {}

  void add(AffixRule rule) { rules_.push_back(std::move(rule)); }

  /// Call once after the last `add`.
  void index();

  [[nodiscard]] std::span<const AffixRule> with_flag(Flag flag) const noexcept {
    return std::span(rules_).subspan(begin_[flag], begin_[flag + std::size_t{1}] - begin_[flag]);
  }
  /// Parallel to with_flag: the letter that a word must end with (prefixes: begin with) for the rule to
  /// apply; 0 = any letter.
  [[nodiscard]] std::span<const char32_t> edges_with_flag(Flag flag) const noexcept {
    return std::span(edges_).subspan(begin_[flag], begin_[flag + std::size_t{1}] - begin_[flag]);
  }
  [[nodiscard]] std::span<AffixRule> all() noexcept { return rules_; }

 private:
  AffixKind kind_;
  std::vector<AffixRule> rules_;
  std::vector<char32_t> edges_;       // of each rule
  std::vector<std::uint32_t> begin_;  // first rule of each flag
};

/// The options for compounds of the kind COMPOUNDBEGIN, COMPOUNDMIDDLE and COMPOUNDEND.
struct CompoundOptions {
  Flag begin = 0, middle = 0, end = 0;
  Flag permit = 0;                ///< COMPOUNDPERMITFLAG
  Flag keep_case = 0;             ///< KEEPCASE
  std::size_t least_letters = 3;  ///< COMPOUNDMIN
  std::u32string breaks = U"-";   ///< characters of BREAK
  /// Whether the file has no other option that decides which compounds Hunspell accepts, or how it reads
  /// words.
  bool complete = true;
};

struct AffixData {
  Encoding encoding;
  std::string encoding_name = "ISO8859-1";
  FlagType flag_type = FlagType::character;
  std::vector<std::vector<Flag>> flag_aliases;  ///< AF, from 1; each sorted
  std::vector<std::string> morph_aliases;       ///< AM, from 1; raw bytes

  /// COMPLEXPREFIXES: words, affixes and conditions are stored reversed and prefixes are stored as suffixes,
  /// so that the same code expands both directions; forms are reversed again when they are handed out.
  bool reversed = false;
  bool full_strip = false;
  bool check_sharps = false;
  Flag need_affix = 0;
  Flag only_in_compound = 0;
  Flag forbidden_word = 0;
  Flag circumfix = 0;
  std::vector<Flag> compound_flags;  ///< every flag that lets a word take part in a compound, sorted
  CompoundOptions compounds;
  std::u32string ignored;  ///< IGNORE, sorted

  ConversionTable input;   ///< ICONV
  ConversionTable output;  ///< OCONV

  RuleSet prefixes{AffixKind::prefix};
  RuleSet suffixes{AffixKind::suffix};
};

[[nodiscard]] bool has_flag(std::span<const Flag> sorted, Flag flag) noexcept;

}  // namespace akin
