#include "server/check/exclusion.h"

#include "index/passages.h"
#include "server/check/bibliography.h"
#include "server/check/quotations.h"

namespace akin::check {

namespace {

/// Excludes ranges of one kind until their share of the text is used up.
class ShareLimit {
 public:
  ShareLimit(const Letters& letters, double max_share, ExclusionList& list)
      : letters_(letters), most_(max_share * static_cast<double>(letters.count())), list_(list) {}

  void exclude(ExclusionKind kind, TextRange range) {
    const std::uint64_t with_it = used_ + letters_.count(range);
    if (static_cast<double>(with_it) > most_) {
      list_.not_excluded.push_back({kind, range, false});
      return;
    }
    used_ = with_it;
    list_.excluded.push_back({kind, range, {}, {}});
  }

 private:
  const Letters& letters_;
  double most_;
  ExclusionList& list_;
  std::uint64_t used_ = 0;
};

}  // namespace

std::string_view exclusion_name(ExclusionKind kind) noexcept {
  switch (kind) {
    case ExclusionKind::quotation:
      return "quotation";
    case ExclusionKind::bibliography:
      return "bibliography";
    case ExclusionKind::template_text:
      return "template";
    case ExclusionKind::own_earlier:
      return "own_earlier";
  }
  return "unknown";
}

void exclude_by_form(std::string_view text, const Letters& letters, const Exclusions& rules,
                     ExclusionList& list) {
  if (rules.quotations) {
    ShareLimit limit(letters, rules.max_quotation_share, list);
    for (const TextRange& range : find_quotations(text)) {
      if (letters.count(range) > rules.max_quotation_letters) {
        list.not_excluded.push_back({ExclusionKind::quotation, range, true});
      } else {
        limit.exclude(ExclusionKind::quotation, range);
      }
    }
  }
  if (rules.bibliography) {
    ShareLimit limit(letters, rules.max_bibliography_share, list);
    for (const TextRange& range : find_bibliographies(text))
      limit.exclude(ExclusionKind::bibliography, range);
  }
}

void exclude_shared(const FeatureSequence& text, const FeatureSequence& other, const Exclusion& made_by,
                    ExclusionList& list) {
  for (const Passage& passage : shared_passages(text, other)) {
    Exclusion exclusion = made_by;
    exclusion.range = passage.a;
    list.excluded.push_back(std::move(exclusion));
  }
}

FeatureSequence compared_features(const FeatureSequence& features, const Letters& all, const Letters& rest) {
  FeatureSequence compared = features;
  compared.hashes.clear();
  compared.ranges.clear();
  for (std::size_t at = 0; at < features.hashes.size(); ++at) {
    const std::uint64_t letters = all.count(features.ranges[at]);
    if (2 * (letters - rest.count(features.ranges[at])) > letters) continue;
    compared.hashes.push_back(features.hashes[at]);
    compared.ranges.push_back(features.ranges[at]);
  }
  return compared;
}

}  // namespace akin::check
