#include "morph/words/word_collector.h"

#include <algorithm>
#include <array>
#include <functional>

#include "morph/words/letter_segmentation.h"

namespace akin {

namespace {

bool is_one_character(const Piece& part) { return part.range.end - part.range.begin == 1; }

}  // namespace

bool WordCollector::waits_for_letters() const noexcept {
  return std::ranges::all_of(chain_, is_one_character) &&
         std::all_of(chain_.begin() + 1, chain_.end(), std::mem_fn(&Piece::after_soft_hyphen));
}

bool WordCollector::continues(const Piece& part, std::u32string_view letters) const {
  return chain_.empty() || (part.after_hyphen && (chain_.back().scripts & part.scripts) != 0 &&
                            has_room_for(part) && chain_letters_.size() + letters.size() <= kMaxWordLetters);
}

bool WordCollector::has_room_for(const Piece& part) const {
  if (chain_.size() < kMaxParts) return true;
  return chain_.size() < kMaxSegmentedLetters && part.after_soft_hyphen && is_one_character(part) &&
         waits_for_letters();
}

void WordCollector::append(const Piece& part, std::u32string_view letters) {
  begins_.push_back(chain_letters_.size());
  chain_letters_.insert(chain_letters_.end(), letters.begin(), letters.end());
  chain_.push_back(part);
}

std::u32string_view WordCollector::letters_of(std::size_t from, std::size_t to) const {
  const std::size_t end = to < begins_.size() ? begins_[to] : chain_letters_.size();
  return {chain_letters_.data() + begins_[from], end - begins_[from]};
}

Piece WordCollector::merged(std::size_t from, std::size_t to) const {
  Piece whole = chain_[from];
  for (std::size_t i = from + 1; i < to; ++i) {
    whole.scripts |= chain_[i].scripts;
    whole.zero_width = whole.zero_width || chain_[i].zero_width;
    whole.unmasked = whole.unmasked || chain_[i].unmasked;
  }
  whole.range.end = chain_[to - 1].range.end;
  whole.byte_end = chain_[to - 1].byte_end;
  return whole;
}

bool WordCollector::known(std::size_t from, std::size_t to) {
  return dictionary_.knows(folder_.settle(letters_of(from, to), merged(from, to).scripts, kFoldClean));
}

void WordCollector::divide() {
  const std::size_t count = chain_.size();
  word_end_.assign(count + 1, 0);
  if (count >= kMinSegmentedLetters && waits_for_letters()) {
    std::size_t begin = 0;
    for (const std::size_t end : segment_letters(dictionary_, {chain_letters_.data(), chain_letters_.size()},
                                                 {begins_.data(), begins_.size()})) {
      word_end_[begin] = end;
      begin = end;
    }
    return;
  }
  // words[i]: the smallest number of known words that parts [i, count) can be cut into.
  constexpr std::size_t kNever = kMaxParts + 1;
  std::array<std::size_t, kMaxParts + 1> words{};
  if (count > 1 && !known(0, count)) {
    for (std::size_t i = count; i-- > 0;) {
      words[i] = kNever;
      for (std::size_t end = count; end > i; --end) {
        if (words[end] + 1 < words[i] && known(i, end)) {
          words[i] = words[end] + 1;
          word_end_[i] = end;
        }
      }
    }
  }
  if (words[0] == 0 || words[0] == kNever) word_end_[0] = count;
}

FoundWord WordCollector::settled(const Piece& part, std::u32string_view letters) {
  std::uint8_t flags = kFoldClean;
  if (part.zero_width) flags |= kFoldZeroWidth;
  if (part.unmasked) flags |= kFoldMixedScript;
  const FoldedWord folded = folder_.settle(letters, part.scripts, flags);
  if (folded.flags != kFoldClean) [[unlikely]] {
    if ((folded.flags & kFoldZeroWidth) != 0) alert(AlertKind::zero_width, part.range);
    if ((folded.flags & kFoldMixedScript) != 0) alert(AlertKind::mixed_script, part.range);
  }
  return {folded, part.range, part.byte_begin, part.byte_end};
}

void WordCollector::alert(AlertKind kind, TextRange range) {
  ++summary_.alert_counts[kind];
  if (summary_.alerts.size() < kMaxAlerts) summary_.alerts.push_back({kind, range});
}

}  // namespace akin
