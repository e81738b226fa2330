#include "index/search/stored_matches.h"

#include <algorithm>
#include <utility>

#include "index/codec/stored_text.h"
#include "index/codec/word_codes.h"

namespace akin {
namespace {

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
  WordCache& cache = WordCache::of_process();
  const Dictionary& dictionary = aligner_.dictionary();
  AKIN_TRY(auto words, cache.words(snapshot_, hit.document, dictionary, &texts_));
  const auto& last = texts_.before;
  const bool is_copy = words == last || (last && have_same_words(words->numbered(), last->numbered()));
  if (!is_copy) {
    last_match_ = std::make_shared<const TextMatch>(aligner_.match(*words, near_seeds_));
  }
  texts_.before = std::move(words);
  hit.words = last_match_->words;
  return last_match_;
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
