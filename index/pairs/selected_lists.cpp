#include "index/pairs/selected_lists.h"

#include <utility>

namespace akin {

class SelectedLists::Stream final : public ListStream {
 public:
  Stream(const std::vector<bool>& only, std::unique_ptr<ListStream> all) noexcept
      : only_(only), all_(std::move(all)) {}

  Result<bool> next() override {
    do {
      AKIN_TRY(const bool there, all_->next());
      if (!there) return false;
      select();
    } while (documents_.empty());
    return true;
  }
  Feature feature() const noexcept override { return all_->feature(); }
  std::span<const DocNumber> documents() const noexcept override { return documents_; }
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  void select() {
    documents_.clear();
    counts_.clear();
    for (std::size_t at = 0; at < all_->documents().size(); ++at) {
      const auto number = static_cast<std::uint32_t>(all_->documents()[at]);
      if (number >= only_.size() || !only_[number]) continue;
      documents_.push_back(all_->documents()[at]);
      counts_.push_back(all_->counts()[at]);
    }
  }

  const std::vector<bool>& only_;
  std::unique_ptr<ListStream> all_;
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

Result<std::unique_ptr<ListStream>> SelectedLists::lists() const {
  AKIN_TRY(auto all, all_.lists());
  return std::unique_ptr<ListStream>(std::make_unique<Stream>(only_, std::move(all)));
}

}  // namespace akin
