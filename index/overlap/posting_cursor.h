// Concepts of cursors over posting lists, whichever engine stores the lists. As in PISA's cursors (A. Mallia
// et al. 2019), which algorithms take as template parameters.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "index/codec/posting.h"

namespace akin {

/// Moves from list to list, features ascending. next() is false after the last list; before the first call
/// there is no current list.
template <class T>
concept FeatureCursor =
    std::movable<T> && !std::copy_constructible<T> && requires(T & cursor, const T& here) {
  { cursor.next() } -> std::same_as<Result<bool>>;
  { here.feature() }
  noexcept->std::same_as<Feature>;
};

/// The current list: documents ascending, and how often each has the feature. Both spans are equally long,
/// not empty, and valid until the next call of next().
template <class T>
concept HasPostings = requires(T& cursor, const T& here) {
  { cursor.next() } -> std::same_as<Result<bool>>;
  { here.feature() }
  noexcept->std::same_as<Feature>;
  { here.documents() }
  noexcept->std::same_as<std::span<const DocNumber>>;
  { here.counts() }
  noexcept->std::same_as<std::span<const std::uint32_t>>;
};

template <class T>
concept PostingCursor = FeatureCursor<T> && HasPostings<T>;

}  // namespace akin
