// What search, pairs and verify need of a posting list, whatever stores it.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/error.h"

namespace akin {

/// Number of a document inside one store; never seen by clients.
enum class DocNumber : std::uint32_t {};

/// What a cursor's doc() is when its list has ended. No document has this number.
inline constexpr DocNumber kEnd{0xffffffffU};

/// A position in a posting list: documents ascending, each once, with the feature's count in it.
///
/// - doc() is the present document, or kEnd after the last one; it stays kEnd.
/// - count() is at least 1; requires doc() != kEnd.
/// - next() moves to the following document. next_geq(d) moves to the first document >= d; it never goes
/// back, and does
///   nothing when doc() >= d.
/// - A cursor that cannot read on, or meets bytes that break these promises, ends (doc() == kEnd) and says
/// why in status().
template <class C>
concept PostingCursor = requires(C cursor, const C present, DocNumber d) {
  { present.doc() }
  noexcept->std::same_as<DocNumber>;
  { present.count() }
  noexcept->std::same_as<std::uint32_t>;
  { cursor.next() } -> std::same_as<void>;
  { cursor.next_geq(d) } -> std::same_as<void>;
  { present.status() } -> std::same_as<Result<void>>;
};

}  // namespace akin
