#include "server/check/sources.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/waiting.h"

namespace akin::check {
namespace {

bool better(const Source& left, const Source& right) {
  const auto key = [](const Source& source) {
    return std::tuple(~source.letters, ~source.overlap.x, source.overlap.b_features,
                      std::string_view(source.collection), std::string_view(source.document.id));
  };
  return key(left) < key(right);
}

}  // namespace

void keep_best(std::vector<Source>& sources, std::size_t most) {
  std::ranges::sort(sources, better);
  if (sources.size() > most) sources.resize(most);
}

void name_passages(Source& source) {
  source.passages_total = source.passages.size();
  if (source.passages.size() > kMostNamedParts) source.passages.resize(kMostNamedParts);
  if (source.changes.size() > kMostNamedParts) source.changes.resize(kMostNamedParts);
}

void SourcePassages::begin(const SearchedTier& tier) {
  if (aligner_ != nullptr) matcher_.emplace(*collection_.snapshot, *aligner_, tier.verified);
}

Result<void> SourcePassages::find(Hit& hit) {
  if (aligner_ == nullptr) return {};
  AKIN_TRY(auto match, matcher_->match(hit));
  hit.passages = aligner_->outline(match->alignment);
  if (!hit.passages.empty()) matches_.keep(hit.document.number, std::move(match));
  return {};
}

Result<void> SourcePassages::show(std::vector<Source>& sources) {
  if (aligner_ == nullptr) return {};
  for (Source& source : sources) {
    if (source.collection != collection_.name) continue;
    AKIN_CHECK(check_work());
    const auto match = matches_.take(source.document.number);
    AKIN_TRY(AlignedText aligned,
             aligned_match(*collection_.snapshot, *aligner_, source.document, match, ChangeDetail::listed));
    source.passages = std::move(aligned.passages);
    source.changes = std::move(aligned.changes);
    name_passages(source);
  }
  return {};
}

}  // namespace akin::check
