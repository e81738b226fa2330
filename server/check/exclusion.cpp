#include "server/check/exclusion.h"

#include <algorithm>
#include <numeric>

#include "index/overlap/passages.h"
#include "server/check/bibliography.h"
#include "server/check/quotations.h"
#include "server/check/ranges.h"
#include "server/json/strict_json.h"

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
      list_.add(NotExcluded{kind, range, false});
      return;
    }
    used_ = with_it;
    list_.add(Exclusion{kind, range, {}, {}});
  }

 private:
  const Letters& letters_;
  double most_;
  ExclusionList& list_;
  std::uint64_t used_ = 0;
};

template <class Part>
void keep_first(std::vector<Part>& parts) {
  std::ranges::stable_sort(parts, {},
                           [](const Part& part) { return std::pair(part.range.begin, part.range.end); });
  if (parts.size() > kMostNamedParts) parts.resize(kMostNamedParts);
}

template <class Part>
void add_named(std::vector<Part>& parts, Part part) {
  parts.push_back(std::move(part));
  if (parts.size() >= 2 * kMostNamedParts) keep_first(parts);
}

bool is_excluded(TextRange range, const Letters& all, const Letters& rest) {
  const std::uint64_t letters = all.count(range);
  return 2 * (letters - rest.count(range)) > letters;
}

}  // namespace

void ExclusionList::add(Exclusion part) {
  ++excluded_by_kind[static_cast<std::size_t>(part.kind)];
  ranges_.push_back(part.range);
  if (ranges_.size() >= 2 * std::max(joined_, kMostNamedParts)) {
    join_ranges(ranges_);
    joined_ = ranges_.size();
  }
  add_named(excluded, std::move(part));
}

void ExclusionList::add(NotExcluded part) {
  ++not_excluded_total;
  add_named(not_excluded, part);
}

void ExclusionList::finish() {
  keep_first(excluded);
  keep_first(not_excluded);
}

std::uint64_t ExclusionList::excluded_total() const noexcept {
  return std::reduce(excluded_by_kind.begin(), excluded_by_kind.end());
}

bool belongs_to(const DocumentRecord& document, std::string_view owner) {
  if (document.metadata.find("\"owner\"") == std::string::npos) return false;
  const auto metadata = json::parse_json(document.metadata);
  if (metadata.has_error() || !metadata->is_object()) return false;
  const auto found = metadata->find("owner");
  if (found == metadata->end()) return false;
  const auto names = [&](const json::Json& one) {
    return one.is_string() && one.get_ref<const std::string&>() == owner;
  };
  return found->is_array() ? std::ranges::any_of(*found, names) : names(*found);
}

std::string_view exclusion_name(ExclusionKind kind) noexcept {
  switch (kind) {
    case ExclusionKind::quotation:
      return "quotation";
    case ExclusionKind::bibliography:
      return "bibliography";
    case ExclusionKind::template_text:
      return "template";
    case ExclusionKind::referenced_quotation:
      return "referenced_quotation";
    case ExclusionKind::unreferenced_quotation:
      return "unreferenced_quotation";
    case ExclusionKind::referenced_passage:
      return "referenced_passage";
  }
  return "unknown";
}

void OwnText::add(OwnPassage passage, const std::vector<TextRange>& gaps) {
  ++total;
  append_without(passage.range, gaps, ranges);
  if (ranges.size() >= 2 * std::max(joined_, kMostNamedParts)) {
    join_ranges(ranges);
    joined_ = ranges.size();
  }
  add_named(passages, std::move(passage));
}

void OwnText::finish() {
  join_ranges(ranges);
  keep_first(passages);
}

void exclude_by_form(std::string_view text, const Letters& letters, const Exclusions& rules,
                     ExclusionList& list) {
  if (rules.quotations) {
    ShareLimit limit(letters, rules.max_quotation_share, list);
    for (const TextRange& range : find_quotations(text)) {
      if (letters.count(range) > rules.max_quotation_letters) {
        list.add(NotExcluded{ExclusionKind::quotation, range, true});
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

void exclude_cited(CitedParts parts, const Letters& letters, const Exclusions& rules, ExclusionList& list) {
  ShareLimit limit(letters, rules.max_cited_share, list);
  for (std::size_t kind = 0; kind < parts.size(); ++kind) {
    join_ranges(parts[kind]);
    for (const TextRange& range : parts[kind]) limit.exclude(static_cast<ExclusionKind>(kind), range);
  }
}

void exclude_shared(const FeatureSequence& text, const FeatureSequence& other, const Exclusion& made_by,
                    ExclusionList& list) {
  exclude_passages(shared_passages(text, other), made_by, list);
}

void exclude_passages(const std::vector<Passage>& passages, const Exclusion& made_by, ExclusionList& list) {
  for (const Passage& passage : passages) {
    std::vector<TextRange> ranges;
    append_without(passage.a, passage.gaps, ranges);
    for (const TextRange& range : ranges) {
      Exclusion exclusion = made_by;
      exclusion.range = range;
      list.add(std::move(exclusion));
    }
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
