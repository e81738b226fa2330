#include "index/store/document_check.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "morph/schemes/tiers.h"

namespace akin {

namespace {

/// Whether as many of the stored features as the record says are of each tier.
bool has_tiers(const StoredSequence& stored, const DocumentRecord& record) {
  if (record.tier_sizes.empty() || stored.derived) return true;
  std::vector<Feature> features = stored.sequence.hashes;
  for (Feature& feature : features) feature = Feature{static_cast<std::uint64_t>(feature) << stored.shift};
  return are_in_tiers(features, record.tier_sizes);
}

}  // namespace

void check_sequence(const StoredSequence& stored, const DocumentRecord& record, const ReportBroken& report) {
  const FeatureSequence& sequence = stored.sequence;
  if (stored.features() != record.all_features()) {
    report("its record and its sequence have different numbers of features");
  } else if (!has_tiers(stored, record)) {
    report("its record and its sequence have different numbers of features of a tier");
  }
  if (sequence.sentences != record.sentences) {
    report("its record and its sequence have different numbers of sentences");
  }
  if (sequence.code_points != record.code_points) {
    report("its record and its sequence have different numbers of code points");
  }
  const auto is_outside = [&](TextRange range) { return range.end > record.code_points; };
  if (std::ranges::any_of(sequence.ranges, is_outside)) report("a feature's range lies outside the text");
}

void check_text(std::string_view text, const DocumentRecord& record, const ReportBroken& report) {
  const Result<void> valid = validate_utf8(text, "text");
  if (valid.has_error()) return report("its text is " + valid.error().reason);
  if (count_code_points(text) != record.code_points)
    report("its text does not have as many code points as its record says");
}

}  // namespace akin
