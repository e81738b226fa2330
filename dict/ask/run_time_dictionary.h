// A dictionary that builds words at run time.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "dict/ask/compounds/compound_splitter.h"
#include "dict/fold/characters.h"
#include "dict/stem/hunspell_stemmer.h"
#include "dict/table/table.h"

namespace akin {

/// The parts of a dictionary's compounds, given the table that it was compiled into.
using PartsReader = std::function<CompoundParts(const WordClassTable&)>;

/// A dictionary pair that builds words at run time. It is asked only about words in its own scripts.
struct RunTimePair {
  HunspellReader read;
  PartsReader parts;
  std::uint8_t scripts = kNoScript;  ///< of its words
};

/// Splits compounds by a table of parts, and asks Hunspell where that does not suffice. Both are opened when
/// they are first needed. Thread-safe.
class RunTimeDictionary {
 public:
  explicit RunTimeDictionary(RunTimePair pair) : pair_(std::move(pair)), hunspell_(pair_.read) {}

  /// HunspellStemmer::ask about a word that `table` lacks.
  [[nodiscard]] HunspellAnswer ask(std::u32string_view folded, const WordClassTable& table) const {
    std::call_once(opened_, [&] { splitter_.emplace(pair_.parts ? pair_.parts(table) : CompoundParts()); });
    if (auto answer = splitter_->answer(folded)) return std::move(*answer);
    return hunspell_.ask(folded);
  }

  [[nodiscard]] std::uint8_t scripts() const noexcept { return pair_.scripts; }

 private:
  RunTimePair pair_;
  HunspellStemmer hunspell_;
  mutable std::once_flag opened_;
  mutable std::optional<CompoundSplitter> splitter_;
};

}  // namespace akin
