// What a DOC says about its letters and paragraphs, by the places of their bytes in the stream WordDocument.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "extract/document.h"

namespace akin::extract {

/// Of letters.
struct DocLetters {
  HidingSet hidden = 0;
  bool deleted = false;  ///< by a change that is recorded and not accepted
  friend bool operator==(const DocLetters&, const DocLetters&) = default;
};

/// Changes `letters` by a list of properties (MS-DOC: grpprl). Anything else is ignored. Those of Word 6
/// (`old`) have numbers of one byte.
void apply_properties(std::string_view list, bool old, DocLetters& letters);

/// A range of bytes of WordDocument with one value.
template <class Value>
struct DocRun {
  std::uint32_t begin = 0, end = 0;
  Value value{};
};

/// Runs in ascending order, without overlap.
template <class Value>
class DocRuns {
 public:
  /// Ranges that are empty, or begin before the last one ends, are left out.
  void add(DocRun<Value> run) {
    if (run.end > run.begin && (runs_.empty() || run.begin >= runs_.back().end)) runs_.push_back(run);
  }
  /// The run that holds `at`; else one without a value, up to where the next one begins.
  [[nodiscard]] DocRun<Value> at(std::uint32_t at) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), at,
                         [](std::uint32_t place, const auto& run) { return place < run.begin; });
    if (after != runs_.begin() && (after - 1)->end > at) return *(after - 1);
    return {at, after == runs_.end() ? UINT32_MAX : after->begin, Value{}};
  }

 private:
  std::vector<DocRun<Value>> runs_;
};

/// The formats of letters. `main`: WordDocument; `pages`: the PlcBteChpx of its table stream, in Word 6
/// (`old`) of itself.
[[nodiscard]] DocRuns<DocLetters> read_letters(std::string_view main, std::string_view pages, bool old);

/// Whether a paragraph or a cell of a table has a ground of its own, on which white letters are seen. Not of
/// Word 6.
/// `pages`: the PlcBtePapx.
[[nodiscard]] bool has_shading(std::string_view main, std::string_view pages);

/// The numbers of the styles of paragraphs: 1 to 9 are headings. `pages`: the PlcBtePapx.
[[nodiscard]] DocRuns<std::uint16_t> read_styles(std::string_view main, std::string_view pages, bool old);

}  // namespace akin::extract
