#include "extract/document.h"

#include <algorithm>

namespace akin::extract {

const Piece* piece_at(const Document& document, std::uint32_t at) noexcept {
  const auto after =
      std::ranges::upper_bound(document.map, at, {}, [](const Piece& piece) { return piece.range.begin; });
  return after == document.map.begin() ? nullptr : &*(after - 1);
}

}  // namespace akin::extract
