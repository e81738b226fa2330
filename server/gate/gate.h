// A collection's gate: how similar a new document may be to a stored one, and what happens to one that is
// more similar ("Shingle method, hashes and supershingles": a text of low uniqueness is not stored, or stored
// as one of a group of duplicates whose size is limited).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "index/overlap/overlap.h"
#include "server/json/json.h"

namespace akin::gate {

/// Compares a new document A with a stored one B; see Overlap.
enum class Measure : std::uint8_t {
  sorensen,
  resemblance,
  containment,  ///< share of A that is also in B
  contained,    ///< share of B that is also in A
  either,       ///< the larger of the two containments
  /// The larger share of words that lie in aligned passages (MatchedWords), or Sørensen's measure if it is
  /// larger: by moved words, or because the texts are too short for passages.
  words
};

/// What happens to a duplicate.
enum class Action : std::uint8_t {
  refuse,
  group  ///< it is stored as one of the group of the document that it is most similar to
};

/// Which document stays: the new one or the stored ones that it duplicates. Under every rule a tie keeps the
/// stored one; the new one is stored only if it wins against every one of them, and then replaces them all.
enum class Survivor : std::uint8_t {
  first,      ///< the stored one
  longer,     ///< the one with more code points
  containing  ///< the one that more of the other is in: X/|B| over X/|A|, which is to have more features
};

struct Gate {
  Measure measure = Measure::sorensen;  ///< see choose_measure
  double threshold = 0.7;  ///< over 0, up to 1: a document whose measure reaches it is a duplicate
  Action action = Action::refuse;
  std::uint64_t quota =
      3;  ///< the most documents in a group, including the first one; a full group admits no more
  Survivor survivor = Survivor::first;  ///< with Action::refuse; a group keeps all
  /// Shortest and longest text, in code points; 0 = no limit.
  std::uint64_t min_characters = 0, max_characters = 0;
};

inline constexpr std::uint64_t kMaxQuota = 10'000;

/// By `words`: Sørensen's measure, the part of it that an overlap has.
[[nodiscard]] double similarity(Measure measure, const Overlap& overlap) noexcept;

/// The properties of a document that decide who survives.
struct Contender {
  std::uint64_t characters = 0;  ///< code points of its text
  std::uint64_t features = 0;
};

/// Whether a new document replaces a stored duplicate.
[[nodiscard]] bool survives(Survivor rule, const Contender& added, const Contender& stored) noexcept;

/// A containment X/|A| that every document has whose similarity reaches the threshold; 0 if there is no such
/// bound (for `contained` and `either`; by `words`, for those that reach it without passages).
[[nodiscard]] double least_containment(Measure measure, double threshold) noexcept;

/// Reads {"measure","threshold","action","quota","survivor","min_characters","max_characters"}; absent fields
/// keep their defaults. Errors: invalid_argument, which name the field.
[[nodiscard]] Result<Gate> parse_gate(const json::Json& object);

/// The whole gate with every field, as parse_gate reads it.
[[nodiscard]] json::Json gate_object(const Gate& gate);

/// Error: invalid_argument, which lists the names.
[[nodiscard]] Result<Measure> find_measure(std::string_view name);
[[nodiscard]] Result<Action> find_action(std::string_view name);
[[nodiscard]] Result<Survivor> find_survivor(std::string_view name);

}  // namespace akin::gate
