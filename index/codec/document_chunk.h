// Values of several documents in one, such as texts and feature sequences: fewer bytes are lost at the ends
// of pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/codec/posting.h"

namespace akin {

/// The contents of so many LMDB pages that one value fills, without a check.
[[nodiscard]] constexpr std::size_t chunk_of_pages(std::size_t pages) noexcept {
  return pages * 4096 - 16 - 4;
}

/// Values of documents one after another, stored under the number of the first.
class DocumentChunk {
 public:
  using Parts = std::vector<std::pair<DocNumber, std::string_view>>;

  /// `most`: bytes of the chunk, unless one value alone is longer.
  explicit DocumentChunk(std::size_t most) noexcept : most_(most) {}

  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  [[nodiscard]] DocNumber first() const noexcept { return parts_.front().first; }
  /// Whether the chunk would not be too long with one more; an empty chunk accepts any.
  [[nodiscard]] bool fits(std::string_view value) const noexcept;
  /// Numbers ascend. The view must live until `take`.
  void add(DocNumber number, std::string_view value);
  /// Returns the chunk's bytes and empties it.
  [[nodiscard]] std::string take();

  /// The documents of a chunk stored under `first`, with their values, numbers ascending. Nothing if the
  /// bytes are not a chunk.
  [[nodiscard]] static std::optional<Parts> open(DocNumber first, std::string_view bytes);

 private:
  Parts parts_;
  std::size_t most_, bytes_ = 0;
};

}  // namespace akin
