#include "index/pairs/long_lists.h"

#include <algorithm>
#include <utility>

#include "base/waiting.h"

namespace akin {

namespace {

bool is_longer(const LongList& left, const LongList& right) noexcept {
  return std::pair(right.documents, left.feature) < std::pair(left.documents, right.feature);
}

}  // namespace

Result<std::vector<LongList>> longest_lists(const ListSource& source, std::size_t count) {
  std::vector<LongList> longest;  // a heap, the shortest in front
  if (count == 0) return longest;
  AKIN_TRY(const auto lists, source.lists());
  constexpr std::uint64_t kPiece = 1024;
  for (std::uint64_t read = 0;; ++read) {
    if (read % kPiece == 0) AKIN_CHECK(check_work());
    AKIN_TRY(const bool there, lists->next());
    if (!there) break;
    const LongList list{lists->feature(), lists->documents().size(), lists->documents().front()};
    if (longest.size() == count) {
      if (!is_longer(list, longest.front())) continue;
      std::ranges::pop_heap(longest, is_longer);
      longest.pop_back();
    }
    longest.push_back(list);
    std::ranges::push_heap(longest, is_longer);
  }
  std::ranges::sort_heap(longest, is_longer);
  return longest;
}

/// One pass over the lists that are kept.
class ShortLists::Stream final : public ListStream {
 public:
  Stream(const ShortLists& source, std::unique_ptr<ListStream> all) noexcept
      : source_(source), all_(std::move(all)) {}

  Result<bool> next() override {
    for (;;) {
      AKIN_TRY(const bool there, all_->next());
      if (!there) {
        source_.left_out_ = left_out_;
        source_.on_longer_ = nullptr;
      }
      if (!there || all_->documents().size() <= source_.limit_) return there;
      ++left_out_;
      if (source_.on_longer_) source_.on_longer_(all_->documents());
    }
  }
  Feature feature() const noexcept override { return all_->feature(); }
  std::span<const DocNumber> documents() const noexcept override { return all_->documents(); }
  std::span<const std::uint32_t> counts() const noexcept override { return all_->counts(); }

 private:
  const ShortLists& source_;
  std::unique_ptr<ListStream> all_;
  std::uint64_t left_out_ = 0;
};

Result<std::unique_ptr<ListStream>> ShortLists::lists() const {
  AKIN_TRY(auto all, all_.lists());
  return std::unique_ptr<ListStream>(std::make_unique<Stream>(*this, std::move(all)));
}

}  // namespace akin
