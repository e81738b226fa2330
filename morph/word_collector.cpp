#include "morph/word_collector.h"

namespace akin {
namespace {

std::u32string_view view(const std::vector<char32_t>& letters) { return {letters.data(), letters.size()}; }

}  // namespace

void WordCollector::on_part(const WordPart& part) {
  if (!held_.any && !part.before_hyphen) {
    add(part, part.letters);
    return;
  }
  if (held_.any && part.after_hyphen && joins(part)) {
    join(part);
  } else {
    release();
    hold(part);
  }
  if (!part.before_hyphen) release();
}

void WordCollector::on_sentence(TextRange range) {
  release();
  ++summary_.sentences;
  summary_.words += words_.size();
  sink_.on_sentence({range, words_});
  words_.clear();
}

void WordCollector::hold(const WordPart& part) {
  held_.any = true;
  held_.letters.assign(part.letters.begin(), part.letters.end());
  held_.part = part;
}

bool WordCollector::joins(const WordPart& part) {
  if (held_.letters.size() + part.letters.size() > kMaxWordLetters) return false;
  joined_.assign(held_.letters.begin(), held_.letters.end());
  joined_.insert(joined_.end(), part.letters.begin(), part.letters.end());
  const auto scripts = static_cast<std::uint8_t>(held_.part.scripts | part.scripts);
  if (dictionary_.knows(folder_.settle(view(joined_), scripts, kFoldClean))) return true;
  return !dictionary_.knows(folder_.settle(view(held_.letters), held_.part.scripts, kFoldClean)) ||
         !dictionary_.knows(folder_.settle(part.letters, part.scripts, kFoldClean));
}

void WordCollector::join(const WordPart& part) {
  held_.letters.insert(held_.letters.end(), part.letters.begin(), part.letters.end());
  held_.part.scripts |= part.scripts;
  held_.part.zero_width = held_.part.zero_width || part.zero_width;
  held_.part.range.end = part.range.end;
  held_.part.byte_end = part.byte_end;
}

void WordCollector::release() {
  if (held_.any) add(held_.part, view(held_.letters));
  held_.any = false;
}

void WordCollector::add(const WordPart& part, std::u32string_view letters) {
  const FoldedWord folded =
      folder_.settle(letters, part.scripts, part.zero_width ? kFoldZeroWidth : kFoldClean);
  words_.push_back({part.range, text_.substr(part.byte_begin, part.byte_end - part.byte_begin), folded.key,
                    dictionary_.classify(folded)});
  if (folded.flags != kFoldClean) [[unlikely]] {
    if ((folded.flags & kFoldZeroWidth) != 0) alert(AlertKind::zero_width, part.range);
    if ((folded.flags & kFoldMixedScript) != 0) alert(AlertKind::mixed_script, part.range);
  }
}

void WordCollector::alert(AlertKind kind, TextRange range) {
  if (++summary_.alert_count <= kMaxAlerts) summary_.alerts.push_back({kind, range});
}

}  // namespace akin
