#include "index/pairs/named_pairs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "index/pairs/pairs.h"

namespace akin {
namespace {

/// Ids of documents that were read lately. The partners of one document recur in later pairs.
class IdCache {
 public:
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
  /// Its capacity for a collection with document numbers below `documents`.
  [[nodiscard]] static std::uint64_t bytes_for(std::uint64_t documents) noexcept {
    return std::min(kMaxBytes, documents * kEntryBytes);
  }

  /// `tier`: that in which features are counted.
  IdCache(const RecordOf& record_of, std::uint64_t documents, std::size_t tier)
      : record_of_(record_of), tier_(tier), room_(bytes_for(documents)) {}

  /// The id of a document whose postings hold `features` features, if all of them were counted. The view
  /// lives until the second next call.
  [[nodiscard]] Result<std::string_view> id(DocNumber number, std::optional<std::uint64_t> features) {
    if (const auto known = ids_.find(number); known != ids_.end()) return std::string_view(known->second);
    AKIN_TRY(DocumentRecord record, record_of_(number));
    const std::uint64_t recorded = record.features_in(tier_).value_or(0);
    if (features && recorded != *features) {
      return corrupt(name_of(number), "its record counts " + std::to_string(recorded) +
                                          " features, its postings " + std::to_string(*features));
    }
    const std::uint64_t bytes = kEntryBytes + record.id.size();
    if (held_ + bytes > room_) {
      before_ = std::exchange(ids_, {});
      held_ = 0;
    }
    held_ += bytes;
    return std::string_view(ids_.emplace(number, std::move(record.id)).first->second);
  }

 private:
  static constexpr std::uint64_t kEntryBytes = 96;

  const RecordOf& record_of_;
  std::size_t tier_;
  std::uint64_t room_;
  std::uint64_t held_ = 0;
  std::unordered_map<DocNumber, std::string> ids_;
  std::unordered_map<DocNumber, std::string> before_;  ///< keeps the last views alive
};

}  // namespace

Result<PairsSummary> find_named_pairs(const ListSource& lists, const PairsRequest& request,
                                      const RecordOf& record_of, const PairVisitor& visit) {
  const std::uint64_t documents = lists.document_limit();
  IdCache ids(record_of, documents, request.tier.value_or(0));
  const auto all = [&](std::uint64_t features) {
    return request.common_limit ? std::nullopt : std::optional(features);
  };
  const auto report = [&](DocNumber a, DocNumber b, const Overlap& overlap) -> Result<void> {
    AKIN_TRY(const std::string_view a_id, ids.id(a, all(overlap.a_features)));
    AKIN_TRY(const std::string_view b_id, ids.id(b, all(overlap.b_features)));
    return visit(in_order_of_ids(a_id, b_id, overlap));
  };
  return find_pairs(lists, request, report, {.set_aside = 2 * IdCache::bytes_for(documents)});
}

}  // namespace akin
