#include "morph/word_collector.h"

#include <array>

namespace akin {
void WordCollector::on_part(const WordPart& part) {
  if (chain_.empty() && !part.before_hyphen) {
    add(part);
    return;
  }
  if (!chain_.empty() &&
      (!part.after_hyphen || (chain_.back().scripts & part.scripts) == 0 || chain_.size() == kMaxParts ||
       chain_letters_.size() + part.letters.size() > kMaxWordLetters)) {
    release();
  }
  append(part);
  if (!part.before_hyphen) release();
}

void WordCollector::on_sentence(TextRange range) {
  release();
  const char32_t* letters = letters_.data();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    folded_[i].letters = {letters, folded_[i].letters.size()};
    letters += folded_[i].letters.size();
  }
  classes_.resize(words_.size());
  dictionary_.classify_all(folded_, classes_);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    words_[i].letters = folded_[i].letters;
    words_[i].lemma_class = classes_[i];
  }
  ++summary_.sentences;
  summary_.words += words_.size();
  sink_.on_sentence({range, words_});
  words_.clear();
  letters_.clear();
  folded_.clear();
}

void WordCollector::append(const WordPart& part) {
  begins_.push_back(chain_letters_.size());
  chain_letters_.insert(chain_letters_.end(), part.letters.begin(), part.letters.end());
  chain_.push_back(part);
}

WordPart WordCollector::merged(std::size_t from, std::size_t to) const {
  const std::size_t end = to < begins_.size() ? begins_[to] : chain_letters_.size();
  WordPart whole = chain_[from];
  whole.letters = {chain_letters_.data() + begins_[from], end - begins_[from]};
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
  const WordPart part = merged(from, to);
  return dictionary_.knows(folder_.settle(part.letters, part.scripts, kFoldClean));
}

void WordCollector::release() {
  const std::size_t count = chain_.size();
  if (count == 0) return;
  // words[i]: in how few known words parts [i, count) can be cut; next[i]: where the first of them ends.
  constexpr std::size_t kNever = kMaxParts + 1;
  std::array<std::size_t, kMaxParts + 1> words{};
  std::array<std::size_t, kMaxParts + 1> next{};
  if (count > 1 && !known(0, count)) {
    for (std::size_t i = count; i-- > 0;) {
      words[i] = kNever;
      for (std::size_t end = count; end > i; --end) {
        if (words[end] + 1 < words[i] && known(i, end)) {
          words[i] = words[end] + 1;
          next[i] = end;
        }
      }
    }
  }
  if (words[0] == 0 || words[0] == kNever) {
    add(merged(0, count));
  } else {
    for (std::size_t i = 0; i < count; i = next[i]) add(merged(i, next[i]));
  }
  chain_.clear();
  begins_.clear();
  chain_letters_.clear();
}

void WordCollector::add(const WordPart& part) {
  std::uint8_t flags = kFoldClean;
  if (part.zero_width) flags |= kFoldZeroWidth;
  if (part.unmasked) flags |= kFoldMixedScript;
  const FoldedWord folded = folder_.settle(part.letters, part.scripts, flags);
  letters_.insert(letters_.end(), folded.letters.begin(), folded.letters.end());
  folded_.push_back(folded);
  words_.push_back(
      {part.range, text_.substr(part.byte_begin, part.byte_end - part.byte_begin), {}, folded.key, {}});
  if (folded.flags != kFoldClean) [[unlikely]] {
    if ((folded.flags & kFoldZeroWidth) != 0) alert(AlertKind::zero_width, part.range);
    if ((folded.flags & kFoldMixedScript) != 0) alert(AlertKind::mixed_script, part.range);
  }
}

void WordCollector::alert(AlertKind kind, TextRange range) {
  if (++summary_.alert_count <= kMaxAlerts) summary_.alerts.push_back({kind, range});
}

}  // namespace akin
