// The posting lists of a source that a filter leaves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "index/pairs/list_stream.h"
#include "index/pairs/long_lists.h"
#include "index/store/pair_request.h"

namespace akin {

/// `Filter` has keeps(document), and takes(documents) for what that leaves of a list. The other source must
/// outlive it.
template <class Filter>
class FilteredLists final : public ListSource {
 public:
  FilteredLists(const ListSource& all, const Filter& filter) noexcept : all_(all), filter_(filter) {}

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return all_.document_limit(); }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override {
    AKIN_TRY(auto all, all_.lists());
    return std::unique_ptr<ListStream>(std::make_unique<Stream>(filter_, std::move(all)));
  }

 private:
  class Stream final : public ListStream {
   public:
    Stream(const Filter& filter, std::unique_ptr<ListStream> all) noexcept
        : filter_(filter), all_(std::move(all)) {}

    Result<bool> next() override {
      do {
        AKIN_TRY(const bool there, all_->next());
        if (!there) return false;
        documents_.clear();
        counts_.clear();
        for (std::size_t at = 0; at < all_->documents().size(); ++at) {
          if (!filter_.keeps(all_->documents()[at])) continue;
          documents_.push_back(all_->documents()[at]);
          counts_.push_back(all_->counts()[at]);
        }
      } while (!filter_.takes(documents_));
      return true;
    }
    Feature feature() const noexcept override { return all_->feature(); }
    std::span<const DocNumber> documents() const noexcept override { return documents_; }
    std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

   private:
    const Filter& filter_;
    std::unique_ptr<ListStream> all_;
    std::vector<DocNumber> documents_;
    std::vector<std::uint32_t> counts_;
  };

  const ListSource& all_;
  const Filter filter_;
};

/// Leaves the documents of PairsRequest::only.
struct Selected {
  const std::vector<bool>& only;

  [[nodiscard]] bool keeps(DocNumber document) const {
    const auto number = static_cast<std::uint32_t>(document);
    return number < only.size() && only[number];
  }
  [[nodiscard]] static bool takes(std::span<const DocNumber> documents) noexcept {
    return !documents.empty();
  }
};

/// What find(lists, request) returns for the lists that common_limit or `only` leaves, one of which the
/// request has, and for the rest of the request.
template <class Find>
[[nodiscard]] auto find_in_some(const ListSource& all, const PairsRequest& request, const Find& find)
    -> decltype(find(all, request)) {
  PairsRequest rest = request;
  if (request.common_limit) {
    const ShortLists short_lists(all, *request.common_limit, request.left_out);
    rest.common_limit.reset();
    AKIN_TRY(auto summary, find(short_lists, rest));
    summary.common = short_lists.left_out();
    return summary;
  }
  rest.only = nullptr;
  return find(FilteredLists(all, Selected{*request.only}), rest);
}

}  // namespace akin
