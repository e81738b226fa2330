// The criteria by which two documents are compared, after Andreev, Berezkin, Kozlov and Simakov, "A method of
// duplicate detection in a stream of text documents" (their section 5): one number each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "server/judge/document.h"

namespace akin::judge {

/// In the order of CriteriaValues. A is the document in question (the later one), B the one it may be taken
/// from. Formulas: docs/methods.md.
enum class Criterion : std::uint8_t {
  words,            ///< cosine of the texts' weighted words
  trigrams,         ///< cosine of the weighted character trigrams of titles and texts
  title,            ///< cosine of the titles' weighted words
  headline,         ///< mean of the two weighted containments of a title's words in the other document
  subject,          ///< the lower of the two, of the names and numbers among a title's words
  sentences,        ///< weighted containment of A's sentences in B
  sentences_back,   ///< of B's in A
  paragraphs,       ///< weighted containment of A's paragraphs in B
  paragraphs_back,  ///< of B's in A
  numbers,          ///< containment of A's numbers in B
  numbers_back,     ///< of B's in A
  number_order,  ///< 1 - Damerau-Levenshtein distance of the numbers in their order, over the longer's length
  dates,         ///< resemblance of the sets of dates
  quantities,    ///< resemblance of the sets of numbers with units
  names,         ///< weighted containment of A's names in B
  names_back,    ///< of B's in A
  mentions,      ///< the larger of the two weighted containments of names in the other document
  links,         ///< containment of A's links in B
  links_back,    ///< of B's in A
  images,        ///< 1 - difference of the numbers of images over the larger
  time,          ///< halves with each day between the two
  authority,     ///< (1 - authority of A's source + authority of B's) / 2
  event,         ///< the rule that needs no training (rule.h)
};

inline constexpr std::size_t kCriteria = 23;

/// Each in [0, 1]: the higher, the likelier A is taken from B. NaN: undefined for this pair, since one of
/// them lacks what it compares.
using CriteriaValues = std::array<double, kCriteria>;

/// "sentences-back"
[[nodiscard]] std::string_view criterion_name(Criterion criterion) noexcept;

[[nodiscard]] constexpr std::size_t index_of(Criterion criterion) noexcept {
  return static_cast<std::size_t>(criterion);
}

/// All of them, in order.
[[nodiscard]] std::vector<Criterion> all_criteria();

/// Names separated by commas, or "all"; returned in the criteria's own order. Errors: invalid_argument (lists
/// the known names), also for an empty list.
[[nodiscard]] Result<std::vector<Criterion>> parse_criteria(std::string_view list);

/// How likely each source is to publish originals.
class SourceAuthorities {
 public:
  struct Count {
    std::uint64_t originals = 0, documents = 0;
  };

  /// Counts a document of a source; ignores an unnamed source.
  void add(const std::string& source, bool original);
  /// Undoes one `add` with the same arguments, which must have happened.
  void remove(const std::string& source, bool original);
  void set(const std::string& source, Count count) { counts_[source] = count; }

  /// (originals + 1) / (documents + 2); nothing for a source without documents.
  [[nodiscard]] std::optional<double> of(const std::string& source) const;
  [[nodiscard]] const std::unordered_map<std::string, Count>& counts() const noexcept { return counts_; }

 private:
  std::unordered_map<std::string, Count> counts_;
};

/// Criterion::authority. A document's own value takes precedence over `sources`.
[[nodiscard]] double authority_criterion(const Origin& a, const Origin& b, const SourceAuthorities& sources);

/// All criteria.
[[nodiscard]] CriteriaValues compare(const JudgedDocument& a, const JudgedDocument& b,
                                     const SourceAuthorities& sources);

}  // namespace akin::judge
