// Produces the forms of a dictionary entry: what Hunspell's affix check accepts, run forwards. The order of
// the checks follows Hunspell 1.7 (affixmgr.cxx, affentry.cxx): suffixes bind first, a prefix sees the
// suffixed word.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dict/read/affix.h"
#include "dict/read/dic_reader.h"

namespace akin {

/// Receives forms. Views die when the call returns.
class FormSink {
 public:
  virtual ~FormSink() = default;
  /// `surface_prefix` (UTF-8, mostly empty) is the text that stem() puts before the entry's stem for this
  /// form.
  virtual void on_form(std::u32string_view form, std::string_view surface_prefix) = 0;
};

/// How far words are expanded. A dictionary whose full expansion exceeds its budget is compiled at a lower
/// depth, and Hunspell itself is asked about the words that the table then lacks.
/// `without_elisions` leaves out the prefixes with an apostrophe (dell'uomo, l'homme): Italian verbs
/// have nine times as many forms with them.
enum class ExpansionDepth : std::uint8_t { roots, one_suffix, without_elisions, full };

/// Longest form handed out, in letters; Hunspell refuses longer words.
inline constexpr std::size_t kMaxFormLetters = 100;

/// Bounds for one entry. No entry of the measured dictionaries reaches them.
inline constexpr std::uint64_t kMaxFormsPerEntry = 100'000;
inline constexpr std::uint64_t kMaxStepsPerEntry = 4'000'000;

/// The cost of expanding an entry.
struct ExpansionCost {
  std::uint64_t forms = 0;  ///< handed out, repeats counted
  std::uint64_t steps = 0;  ///< affix rules tried
  bool cut = false;         ///< stopped at a bound: the entry has more forms
};

/// Reuses its buffers; one object per thread. `affixes` must outlive it.
class Expander {
 public:
  explicit Expander(const AffixData& affixes) : affixes_(affixes) {}

  /// Hands every form of the entry to `sink`, some of them repeatedly.
  ExpansionCost expand(const DictionaryEntry& entry, std::span<const Flag> flags, ExpansionDepth depth,
                       FormSink& sink);

 private:
  template <class Visit>
  void for_each_suffix(Flag flag, std::u32string_view word, Visit visit);
  void add_suffix(std::u32string_view root, const AffixRule& suffix);
  void add_prefix(std::u32string_view root, const AffixRule& prefix);
  void add_suffix_enabled_by(const AffixRule& prefix, std::u32string_view root, const AffixRule& suffix);
  void add_second_suffixes(const AffixRule& first);
  void add_twofold(const AffixRule& first, const AffixRule& second);
  void add_prefix_to_suffixed(const AffixRule& prefix, const AffixRule& suffix);
  void add_prefix_to_twofold(const AffixRule& prefix, const AffixRule& second);

  [[nodiscard]] bool apply_suffix(std::u32string_view word, const AffixRule& rule, std::u32string& out);
  [[nodiscard]] bool apply_prefix(std::u32string_view word, const AffixRule& rule, std::u32string& out);
  [[nodiscard]] bool strippable(std::u32string_view word, const AffixRule& rule) const noexcept;
  void hand_out(std::u32string_view form, const AffixRule* prefix);
  [[nodiscard]] bool exhausted() noexcept;
  [[nodiscard]] bool may_take_second() noexcept;

  const AffixData& affixes_;
  FormSink* sink_ = nullptr;
  std::span<const Flag> flags_;
  std::vector<const AffixRule*> prefixes_;  // that the entry's own flags permit
  ExpansionDepth depth_ = ExpansionDepth::full;
  ExpansionCost cost_;
  std::u32string suffixed_, twofold_, prefixed_, turned_;
};

}  // namespace akin
