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

std::size_t bytes_of(const std::vector<Excerpt>& excerpts) {
  std::size_t bytes = 0;
  for (const Excerpt& one : excerpts) bytes += one.text.size();
  return bytes;
}

std::vector<TextRange> ranges_in_b(const std::vector<Passage>& passages) {
  std::vector<TextRange> ranges;
  ranges.reserve(passages.size());
  for (const Passage& passage : passages) ranges.push_back(passage.b);
  return ranges;
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

RulesOut SourcePassages::rules_out(const SearchedTier& tier) const {
  return aligner_ == nullptr || !tier.verified ? nullptr : without_passages(*aligner_);
}

Result<void> SourcePassages::find(std::span<Hit> hits, const std::function<Result<void>(Hit)>& take) {
  const auto take_next = [&](Hit& hit) -> Result<void> {
    AKIN_CHECK(check_work());
    return take(std::move(hit));
  };
  if (aligner_ == nullptr) {
    for (Hit& hit : hits) AKIN_CHECK(take_next(hit));
    return {};
  }
  return matcher_->match_each(hits, [&](Hit& hit, std::shared_ptr<const TextMatch> match) {
    hit.passages = aligner_->outline(match->alignment);
    if (!hit.passages.empty()) matches_.keep(hit.document.number, std::move(match));
    return take_next(hit);
  });
}

Result<std::vector<TextPlace>> SourcePassages::align(Source& source, akin::StoredText& text) {
  const auto match = matches_.take(source.document.number);
  AKIN_TRY(AlignedText aligned, aligned_match(*collection_.snapshot, *aligner_, source.document, text, match,
                                              ChangeDetail::listed));
  source.passages = std::move(aligned.passages);
  source.changes = std::move(aligned.changes);
  name_passages(source);
  std::vector<TextPlace> places;
  for (std::size_t at = 0; at < source.passages.size(); ++at)
    places.push_back({source.passages[at].b, aligned.b_bytes[at]});
  return places;
}

Result<void> SourcePassages::show(std::vector<Source>& sources) {
  std::size_t kept = 0;
  for (const Source& source : sources) kept += bytes_of(source.excerpts);
  for (Source& source : sources) {
    if (source.collection != collection_.name) continue;
    AKIN_CHECK(check_work());
    Result<akin::StoredText> text = collection_.snapshot->open_text(source.document);
    if (text.has_error() && aligner_ == nullptr) continue;
    if (text.has_error()) return std::move(text).error();
    std::vector<TextPlace> places;
    if (aligner_ != nullptr) {
      AKIN_TRY(places, align(source, *text));
    } else {
      AKIN_TRY(const std::string_view whole, text->read());
      places = places_of(whole, ranges_in_b(source.passages));
    }
    AKIN_TRY(std::vector<Excerpt> excerpts, cut_excerpts(*text, std::move(places)));
    kept += bytes_of(excerpts);
    if (kept <= kMostExcerptBytes) source.excerpts = std::move(excerpts);
  }
  return {};
}

}  // namespace akin::check
