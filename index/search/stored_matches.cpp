#include "index/search/stored_matches.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "base/waiting.h"
#include "index/codec/stored_text.h"
#include "index/codec/word_codes.h"

namespace akin {
namespace {

/// Words of texts that are matched at once: a few milliseconds of work, and as many megabytes of memory.
constexpr std::uint64_t kMostWords = std::uint64_t{1} << 20U;
/// To match fewer takes less time than to wake another thread.
constexpr std::uint64_t kLeastShared = 8192;

bool have_same_words(const NumberedWords& one, const NumberedWords& other) {
  return std::ranges::equal(one.numbers(), other.numbers()) &&
         std::ranges::equal(one.classes(), other.classes());
}

}  // namespace

RulesOut without_passages(const TextAligner& aligner) {
  if (!aligner.has_seeds()) return nullptr;
  return [&aligner](std::string_view kept, std::span<const Feature> shared) {
    const auto codes = decode_word_codes(kept, aligner.dictionary());
    return codes && !aligner.may_share_by_codes(*codes, shared);
  };
}

Result<std::shared_ptr<const TextMatch>> StoredMatcher::match(Hit& hit) {
  AKIN_TRY(auto matches, match_first({&hit, 1}));
  return std::move(matches.front());
}

Result<void> StoredMatcher::match_each(std::span<Hit> hits, const Visit& visit) {
  while (!hits.empty()) {
    AKIN_TRY(auto matches, match_first(hits));
    for (std::size_t i = 0; i < matches.size(); ++i) AKIN_CHECK(visit(hits[i], std::move(matches[i])));
    hits = hits.subspan(matches.size());
  }
  return {};
}

Result<std::vector<std::shared_ptr<const TextMatch>>> StoredMatcher::match_first(std::span<Hit> hits) {
  std::vector<std::shared_ptr<const PackedWords>> texts;  // those that are not copies of the one before
  std::vector<std::size_t> text_of;  // of each hit, counted from 1; 0: that of the match before
  std::uint64_t words = 0;
  while (text_of.size() < hits.size() && words < kMostWords) {
    AKIN_CHECK(check_work());
    const StoredDocument& document = hits[text_of.size()].document;
    AKIN_TRY(auto text, WordCache::of_process().words(snapshot_, document, aligner_.dictionary(), &texts_));
    const auto& last = texts_.before;
    if (text != last && !(last && have_same_words(text->numbered(), last->numbered()))) {
      words += text->numbered().size();
      texts.push_back(text);
    }
    texts_.before = std::move(text);
    text_of.push_back(texts.size());
  }
  std::vector<std::shared_ptr<const TextMatch>> matched(texts.size() + 1, last_match_);
  const auto match_text = [&](std::size_t i) {
    if (check_work().has_error()) return;
    matched[i + 1] = std::make_shared<const TextMatch>(aligner_.match(*texts[i], near_seeds_));
  };
  const bool is_shared = words >= kLeastShared && place_of_work() != nullptr;
  for_each_index(texts.size(), match_text, is_shared ? 0 : 1);
  AKIN_CHECK(check_work());
  last_match_ = matched.back();
  std::vector<std::shared_ptr<const TextMatch>> found;
  found.reserve(text_of.size());
  for (const std::size_t text : text_of) {
    hits[found.size()].words = matched[text]->words;
    found.push_back(matched[text]);
  }
  return found;
}

void KeptMatches::keep(std::uint64_t document, std::shared_ptr<const TextMatch> match) {
  std::size_t fragments = 0;
  for (const AlignedPassage& passage : match->alignment.passages) fragments += 8 + passage.fragments.size();
  if (fragments > room_) return;
  room_ -= fragments;
  kept_.insert_or_assign(document, std::move(match));
}

std::shared_ptr<const TextMatch> KeptMatches::take(std::uint64_t document) {
  auto node = kept_.extract(document);
  return node.empty() ? nullptr : std::move(node.mapped());
}

Result<AlignedText> aligned_match(const Snapshot& snapshot, const TextAligner& aligner,
                                  const StoredDocument& document, StoredText& text,
                                  const std::shared_ptr<const TextMatch>& found, ChangeDetail detail) {
  AKIN_TRY(const auto words, WordCache::of_process().words(snapshot, document, text, aligner.dictionary()));
  if (found) return aligner.describe(found->alignment, text, *words, detail);
  return aligner.align(text, *words, detail);
}

Result<void> show_match(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit,
                        const std::shared_ptr<const TextMatch>& found) {
  AKIN_TRY(StoredText text, snapshot.open_text(hit.document));
  AKIN_TRY(AlignedText aligned,
           aligned_match(snapshot, aligner, hit.document, text, found, ChangeDetail::counted));
  hit.passages = std::move(aligned.passages);
  hit.words = aligned.words;
  return {};
}

}  // namespace akin
