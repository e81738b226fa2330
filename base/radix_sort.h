// Sorting by numbers of 64 bits without comparing most of them: items are dealt out by their leading bits (P.
// McIlroy, K. Bostic, M. D. McIlroy, "Engineering radix sort", Computing Systems 6, 1993).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace akin {

namespace radix_sort_parts {

constexpr std::size_t kFew = 32;
constexpr unsigned kMostBits = 11;

template <class T, class NumberOf>
void insertion_sort(T* items, std::size_t size, const NumberOf& number_of) {
  for (std::size_t i = 1; i < size; ++i) {
    const std::uint64_t number = number_of(items[i]);
    if (number_of(items[i - 1]) <= number) continue;
    const T item = items[i];
    std::size_t to = i;
    for (; to > 0 && number_of(items[to - 1]) > number; --to) items[to] = items[to - 1];
    items[to] = item;
  }
}

/// Sorts `items`; the result is there or, if `to_room`, in `room`. Both have `size` items.
template <class T, class NumberOf>
void sort(T* items, T* room, std::size_t size, bool to_room, const NumberOf& number_of) {
  std::uint64_t differing = 0;
  if (size > kFew) {
    const std::uint64_t first = number_of(items[0]);
    for (std::size_t i = 1; i < size; ++i) differing |= number_of(items[i]) ^ first;
  }
  if (differing == 0) {
    insertion_sort(items, size, number_of);
    if (to_room) std::copy_n(items, size, room);
    return;
  }
  // About two items a part, so that one pass of insertion sorts all parts at once.
  const auto top = static_cast<unsigned>(std::bit_width(differing));
  const unsigned bits = std::min({top, kMostBits, static_cast<unsigned>(std::bit_width(size)) - 1});
  const unsigned shift = top - bits;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const auto part_of = [&](const T& item) {
    return static_cast<std::size_t>(number_of(item) >> shift & mask);
  };
  std::array<std::size_t, std::size_t{1} << kMostBits> ends;  // NOLINT: as many as are used are set
  std::fill_n(ends.begin(), mask + 1, std::size_t{0});
  for (std::size_t i = 0; i < size; ++i) ++ends[part_of(items[i])];
  std::size_t sum = 0, largest = 0;
  for (std::size_t part = 0; part <= mask; ++part) {
    largest = std::max(largest, ends[part]);
    sum += std::exchange(ends[part], sum);
  }
  for (std::size_t i = 0; i < size; ++i) room[ends[part_of(items[i])]++] = items[i];
  if (largest <= kFew) {
    insertion_sort(room, size, number_of);
    if (!to_room) std::copy_n(room, size, items);
    return;
  }
  for (std::size_t part = 0, begin = 0; part <= mask; begin = ends[part++])
    sort(room + begin, items + begin, ends[part] - begin, !to_room, number_of);
}

}  // namespace radix_sort_parts

/// Sorts by number_of(item), an std::uint64_t; items of equal numbers stay in order. Fast where the leading
/// bits that differ are spread evenly, as those of hashes are; no slower than n times 64 / 5 steps otherwise.
template <class T, class NumberOf>
void radix_sort(std::span<T> items, const NumberOf& number_of) {
  const auto room =
      items.size() > radix_sort_parts::kFew ? std::make_unique_for_overwrite<T[]>(items.size()) : nullptr;
  radix_sort_parts::sort(items.data(), room.get(), items.size(), false, number_of);
}

}  // namespace akin
