#include "lab/evaluate/feature_lists.h"

#include <algorithm>

namespace akin::evaluate {

namespace {

using Occurrence = std::pair<Feature, DocNumber>;

class Stream final : public ListStream {
 public:
  explicit Stream(std::span<const Occurrence> occurrences) : left_(occurrences) {}

  Result<bool> next() override {
    documents_.clear();
    counts_.clear();
    if (left_.empty()) return false;
    feature_ = left_.front().first;
    std::size_t at = 0;
    for (; at < left_.size() && left_[at].first == feature_; ++at) {
      if (documents_.empty() || documents_.back() != left_[at].second) {
        documents_.push_back(left_[at].second);
        counts_.push_back(0);
      }
      ++counts_.back();
    }
    left_ = left_.subspan(at);
    return true;
  }

  [[nodiscard]] Feature feature() const noexcept override { return feature_; }
  [[nodiscard]] std::span<const DocNumber> documents() const noexcept override { return documents_; }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  std::span<const Occurrence> left_;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

FeatureLists::FeatureLists(const std::vector<std::vector<Feature>>& documents)
    : documents_(documents.size()) {
  std::size_t size = 0;
  for (const auto& features : documents) size += features.size();
  occurrences_.reserve(size);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const Feature feature : documents[i]) {
      occurrences_.emplace_back(feature, DocNumber(static_cast<std::uint32_t>(i)));
    }
  }
  std::sort(occurrences_.begin(), occurrences_.end());
}

Result<std::unique_ptr<ListStream>> FeatureLists::lists() const {
  return std::unique_ptr<ListStream>(std::make_unique<Stream>(occurrences_));
}

}  // namespace akin::evaluate
