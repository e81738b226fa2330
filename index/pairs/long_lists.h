// Long posting lists: features that many documents have. They are listed, or left out of all pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "index/pairs/list_stream.h"

namespace akin {

/// The length of one list.
struct LongList {
  Feature feature{};
  std::uint64_t documents = 0;
  DocNumber first{};  ///< the smallest number of a document in it
};

/// The `count` longest lists, the longest first, equally long ones by feature. One pass over all lists;
/// memory for `count` of them. Errors: those of the lists; busy (stopped_work).
[[nodiscard]] Result<std::vector<LongList>> longest_lists(const ListSource& source, std::size_t count);

/// The lists of another source that have at most `limit` documents.
class ShortLists final : public ListSource {
 public:
  /// `on_longer`: called in the first pass with the documents of each longer list; may be empty. The other
  /// source must outlive it.
  ShortLists(const ListSource& all, std::uint64_t limit,
             std::function<void(std::span<const DocNumber>)> on_longer = nullptr) noexcept
      : all_(all), limit_(limit), on_longer_(std::move(on_longer)) {}

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return all_.document_limit(); }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;
  /// The number of longer lists; known after a stream has been read to its end, 0 before.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  class Stream;

  const ListSource& all_;
  std::uint64_t limit_;
  mutable std::function<void(std::span<const DocNumber>)> on_longer_;  ///< empty after the first pass
  mutable std::uint64_t left_out_ = 0;
};

}  // namespace akin
