// Postings: features, document numbers, counts.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// Number of a document inside one store; never seen by clients. A number is assigned once: a document that
/// is replaced gets a new one.
enum class DocNumber : std::uint32_t {};

/// Greater than all numbers. No document has it.
inline constexpr DocNumber kEnd{0xffffffffU};

/// `document` has `feature` `count` times (at least once).
struct Posting {
  Feature feature{};
  DocNumber document{};
  std::uint32_t count = 0;
  friend auto operator<=>(const Posting&, const Posting&) = default;
};

/// "feature 00f3a1…", 16 hex digits, and "document 7": for errors and findings.
[[nodiscard]] std::string name_of(Feature feature);
[[nodiscard]] std::string name_of(DocNumber number);

/// The error for stored bytes that violate the format: where, and which rule.
[[nodiscard]] Error corrupt(std::string where, std::string broken);

}  // namespace akin
