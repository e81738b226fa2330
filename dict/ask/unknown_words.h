// Words that the table lacks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dict/ask/run_time_dictionary.h"
#include "dict/fold/characters.h"
#include "dict/fold/fold.h"
#include "dict/stem/snowball.h"
#include "dict/table/shared_cache.h"
#include "dict/table/table.h"

namespace akin {

/// The class of an unknown word; a function of its folded spelling and of the configured dictionaries.
struct UnknownWord {
  std::uint64_t hash = 0;  ///< word_hash of the name
  bool known = false;      ///< Hunspell accepts it after all
};

/// Asks the dictionaries that build words at run time (RunTimeDictionary), then the endings of the table,
/// then Snowball. A word with digits is its own stem. A cache of fixed size keeps the dictionaries' answers,
/// keyed by the spelling; stems are found as fast as they would be there. Thread-safe.
class UnknownWords {
 public:
  /// `table` must outlive it. Without `use_endings`, Snowball stems every word that Hunspell does not.
  UnknownWords(std::span<const RunTimePair> run_time, std::span<const std::string> codes,
               const WordClassTable& table, bool use_endings);

  [[nodiscard]] UnknownWord find(const FoldedWord& word) const;

  /// The spelling that is hashed, by the first rule that applies:
  /// 1. Hunspell has stems for it: the name of the stem's class, or the folded stem if the table lacks it;
  /// 2. Hunspell sees a compound: everything before the last part, and the last part's name by rule 1;
  /// 3. Hunspell only accepts it: everything before the longest end that the table has, and the name of that
  /// end's class;
  /// 4. the stem that the dictionaries' own endings leave (dict/table/endings.h), if they are learnt for
  /// the word's script;
  /// 5. the Snowball stem, which may be the word itself.
  /// If Hunspell gives several, the shortest name counts, and of equally short ones the first.
  [[nodiscard]] std::u32string name(const FoldedWord& word) const;

 private:
  struct Named {
    std::u32string name;
    bool known = false;
  };
  [[nodiscard]] Named resolve(std::u32string_view letters) const;
  /// By rule 4, a part of `letters`; empty if the rule does not apply.
  [[nodiscard]] std::u32string_view stem_by_endings(std::u32string_view letters) const;
  [[nodiscard]] std::u32string name_of_stem(const std::string& stem) const;
  [[nodiscard]] std::u32string name_of_compound(std::u32string_view letters,
                                                const HunspellAnswer::LastPart& last) const;
  [[nodiscard]] std::u32string name_by_known_end(std::u32string_view letters) const;

  const WordClassTable& table_;
  std::vector<std::unique_ptr<RunTimeDictionary>> asked_;
  std::uint8_t asked_scripts_ = kNoScript;  ///< of all of them
  Snowball snowball_;
  bool use_endings_;
  /// Of words that dictionaries were asked about: the hash; the flag: known.
  mutable AnswerCache<std::size_t{1} << 16, std::size_t{1} << 15> kept_;
};

}  // namespace akin
