#include "server/cli/deep_verify.h"

#include <string>

namespace akin::cli {

namespace {

constexpr std::size_t kPage = 1000;

/// What differs between a document's stored analysis and a fresh one; empty if nothing does.
std::string difference(const DocumentRecord& record, const FeatureSequence& stored,
                       const FeatureSequence& fresh) {
  if (stored.hashes != fresh.hashes) return "the stored features are not those of the stored text";
  if (stored.ranges != fresh.ranges) return "the stored ranges are not those of the stored text";
  if (record.sentences != fresh.sentences)
    return "the record's number of sentences is not that of the stored text";
  if (record.code_points != fresh.code_points) return "the record's length is not that of the stored text";
  if (record.features != fresh.hashes.size())
    return "the record's number of features is not that of the stored text";
  return {};
}

}  // namespace

Result<void> verify_features(const Collection& collection, const Snapshot& snapshot,
                             const std::function<void(const Finding&)>& tell,
                             const std::function<void(std::uint64_t, std::uint64_t)>& show) {
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  std::uint64_t done = 0;
  std::string after;
  for (;;) {
    AKIN_TRY(const auto page, snapshot.list(after, kPage));
    for (const DocumentRecord& record : page) {
      AKIN_TRY(const std::string text, snapshot.text(record.id));
      AKIN_TRY(const FeatureSequence stored, snapshot.features(record.id));
      AKIN_TRY(const FeatureSequence fresh, collection.analyze(text));
      const std::string broken = difference(record, stored, fresh);
      if (!broken.empty()) tell({"document '" + record.id + "'", broken});
      show(++done, stats.documents);
    }
    if (page.size() < kPage) return {};
    after = page.back().id;
  }
}

}  // namespace akin::cli
