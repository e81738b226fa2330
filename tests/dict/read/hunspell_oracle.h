// Hunspell as the oracle for compiled tables: what it says about spellings, and how that agrees with a
// table's.
#pragma once

#include <cstdint>
#include <hunspell/hunspell.hxx>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dict/dictionary.h"
#include "dict/read/encoding.h"
#include "dict/read/pair.h"

namespace akin::test {

/// One dictionary opened by Hunspell. One thread.
class HunspellOracle {
 public:
  explicit HunspellOracle(const DictionaryPair& files);

  [[nodiscard]] std::vector<std::string> stems(std::u32string_view word);
  [[nodiscard]] bool accepts(std::u32string_view word);

 private:
  [[nodiscard]] bool encode(std::u32string_view word);

  Hunspell hunspell_;
  Encoding encoding_;
  std::string bytes_;
};

/// How the table and Hunspell's stem() agree on one spelling.
enum class Agreement : std::uint8_t {
  shared_lemma,   ///< stem() gives a lemma that the table has for the word
  same_class,     ///< no lemma in common, but stem()'s lemma is of the word's class
  no_stem,        ///< the table has it, Hunspell accepts it, stem() gives nothing
  rejected,       ///< the table has it, Hunspell does not accept it
  other_class,    ///< stem()'s lemmas are of other classes
  at_run_time,    ///< the table lacks it, and its class is that of a lemma that stem() gives
  compound,       ///< the table lacks it, Hunspell accepts it as a compound; stem() is empty or drops a part
  only_hunspell,  ///< the table lacks it, stem() knows it, and its class is another
  unknown_to_both,  ///< neither knows it: nothing to disagree on
};

[[nodiscard]] std::string_view describe(Agreement agreement);

/// Counts of agreements, with the first examples of each.
class AgreementCounts {
 public:
  void add(Agreement agreement, std::u32string_view word, std::uint64_t weight);

  [[nodiscard]] std::uint64_t count(Agreement agreement) const;
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  /// Share of the spellings that some side knows for which the dictionary gives neither a lemma nor the class
  /// of stem().
  [[nodiscard]] double disagreement() const;
  [[nodiscard]] std::string examples(Agreement agreement) const;

 private:
  struct Row {
    std::uint64_t count = 0;
    std::vector<std::string> examples;
  };
  std::map<Agreement, Row> rows_;
  std::uint64_t total_ = 0;
};

/// Compares one spelling.
[[nodiscard]] Agreement compare(const Dictionary& dictionary, HunspellOracle& oracle,
                                std::u32string_view word);

}  // namespace akin::test
