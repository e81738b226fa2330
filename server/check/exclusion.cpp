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

bool is_excluded(TextRange range, const Letters& all, const Letters& rest) {
  const std::uint64_t letters = all.count(range);
  return 2 * (letters - rest.count(range)) > letters;
}

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
  exclude_passages(shared_passages(text, other), made_by, list);
}

void exclude_passages(const std::vector<Passage>& passages, const Exclusion& made_by, ExclusionList& list) {
  for (const Passage& passage : passages) {
    Exclusion exclusion = made_by;
    exclusion.range = passage.a;
    list.excluded.push_back(std::move(exclusion));
  }
}

WordSequence compared_words(const WordSequence& words, const Letters& all, const Letters& rest) {
  WordSequence compared;
  for (std::size_t at = 0; at < words.classes.size(); ++at) {
    if (is_excluded(words.ranges[at], all, rest)) continue;
    compared.classes.push_back(words.classes[at]);
    compared.ranges.push_back(words.ranges[at]);
    compared.bytes.push_back(words.bytes[at]);
  }
  return compared;
}

FeatureSequence compared_features(const FeatureSequence& features, const Letters& all, const Letters& rest) {
  FeatureSequence compared = features;
  compared.hashes.clear();
  compared.ranges.clear();
  for (std::size_t at = 0; at < features.hashes.size(); ++at) {
    if (is_excluded(features.ranges[at], all, rest)) continue;
    compared.hashes.push_back(features.hashes[at]);
    compared.ranges.push_back(features.ranges[at]);
  }
  return compared;
}

}  // namespace akin::check
