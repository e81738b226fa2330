#include "tests/morph/words/slow_scanner.h"

#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "morph/sentences/boundary.h"
#include "morph/words/letter_segmentation.h"
#include "morph/words/scanner.h"
#include "tests/morph/normalize/slow_arrangement.h"
#include "tests/morph/words/slow_units.h"

namespace akin::slow {
namespace {

using icu::UnicodeSet;

UnicodeSet set(const char* pattern) {
  UErrorCode error = U_ZERO_ERROR;
  UnicodeSet result(icu::UnicodeString::fromUTF8(pattern), error);
  if (U_FAILURE(error)) std::abort();
  return result;
}

bool in(const UnicodeSet& characters, char32_t c) {
  return characters.contains(static_cast<UChar32>(c)) != 0;
}

class SentenceMaker {
 public:
  SentenceMaker(const Units& units, const Dictionary& dictionary) : units_(units), dictionary_(dictionary) {
    for (const Unit& unit : units) letters_ += unit.c;
  }

  void run(std::vector<Sentence>& out) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < units_.size(); ++at) {
      if (at < begin || !is_terminator(letters_[at])) continue;
      if (const auto end = sentence_end(letters_, at)) {
        begin = make(begin, *end, out);
      }
    }
    make(begin, units_.size(), out);
  }

 private:
  /// Returns where the next sentence begins: a word that begins before `end` is not divided.
  std::size_t make(std::size_t begin, std::size_t end, std::vector<Sentence>& out) {
    Sentence sentence;
    const std::size_t given_end = end;
    while (begin < end && letters_[begin] == U' ') ++begin;
    while (end > begin && letters_[end - 1] == U' ') --end;
    if (begin == end) return given_end;
    sentence.range = {units_[begin].range.begin, units_[end - 1].range.end};
    for (std::size_t i = begin; i < end;) {
      if (!is_word(letters_[i])) {
        ++i;
        continue;
      }
      const auto [words, past] = take_chain(i);
      sentence.words.insert(sentence.words.end(), words.begin(), words.end());
      i = past;
      sentence.range.end = std::max(sentence.range.end, units_[past - 1].range.end);
      end = std::max(end, past);
    }
    if (!sentence.words.empty()) out.push_back(std::move(sentence));
    return std::max(end, given_end);
  }

  /// The end of the part that begins at i.
  [[nodiscard]] std::size_t part_end(std::size_t i) const {
    const std::size_t begin = i;
    const bool solo = is_solo(letters_[i]);
    for (++i; i < letters_.size() && i - begin < kMaxWordLetters; ++i) {
      const char32_t c = letters_[i];
      if (is_mark(c)) continue;
      if (solo || units_[i].after_hyphen) break;
      if (is_letter(c) || is_digit(c)) continue;
      Units before(units_.begin() + static_cast<std::ptrdiff_t>(begin),
                   units_.begin() + static_cast<std::ptrdiff_t>(i));
      if (c == U'\'' && ends_in_letter(before) && i + 1 < letters_.size() && is_letter(letters_[i + 1]) &&
          !units_[i + 1].after_hyphen) {
        continue;
      }
      break;
    }
    return i;
  }

  [[nodiscard]] std::pair<std::vector<Word>, std::size_t> take_chain(std::size_t i) const {
    std::vector<Word> result;
    std::vector<std::size_t> cuts = {i, part_end(i)};  // the ends of the chain's parts
    const auto finish = [&] {
      for (const auto& [from, to] : best_words(cuts)) result.push_back(word(from, to));
    };
    while (cuts.back() < units_.size() && units_[cuts.back()].after_hyphen) {
      const std::size_t begin = cuts.back();
      const std::size_t end = part_end(begin);
      const bool letters = are_letters(cuts) && units_[begin].after_soft &&
                           units_[begin].range.end - units_[begin].range.begin == 1 &&
                           units_[end - 1].range.end == units_[begin].range.end;
      if (!share_script(cuts.end()[-2], begin, end) || cuts.size() == (letters ? 513 : 17) ||
          end - cuts.front() > kMaxWordLetters) {
        finish();
        cuts = {begin};
      }
      cuts.push_back(end);
    }
    finish();
    return {result, cuts.back()};
  }

  /// All ways to cut at some of the cuts: known words only and as few as can be, the first as long as can be;
  /// else one word.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> best_words(
      const std::vector<std::size_t>& cuts) const {
    using Words = std::vector<std::pair<std::size_t, std::size_t>>;
    if (cuts.size() > 5 && are_letters(cuts)) return segmented(cuts);
    std::optional<Words> best;
    const std::size_t inner = cuts.size() - 2;
    for (std::size_t mask = 0; mask < (std::size_t{1} << inner); ++mask) {
      Words words;
      std::size_t from = cuts.front();
      for (std::size_t i = 0; i < inner; ++i) {
        if ((mask >> i & 1U) == 0) continue;
        words.emplace_back(from, cuts[i + 1]);
        from = cuts[i + 1];
      }
      words.emplace_back(from, cuts.back());
      if (!std::all_of(words.begin(), words.end(), [&](const auto& w) { return known(w.first, w.second); }))
        continue;
      if (!best || words.size() < best->size() || (words.size() == best->size() && words > *best))
        best = words;
    }
    return best.value_or(Words{{cuts.front(), cuts.back()}});
  }

  /// Whether each part is one character of the text, and soft hyphens are between them.
  [[nodiscard]] bool are_letters(const std::vector<std::size_t>& cuts) const {
    for (std::size_t i = 1; i < cuts.size(); ++i)
      if (units_[cuts[i] - 1].range.end - units_[cuts[i - 1]].range.begin != 1 ||
          (i > 1 && !units_[cuts[i - 1]].after_soft))
        return false;
    return true;
  }

  /// The cheapest words (letter_segmentation_test.cpp).
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> segmented(
      const std::vector<std::size_t>& cuts) const {
    std::vector<std::size_t> begins;
    for (const std::size_t cut : cuts) begins.push_back(cut - cuts.front());
    begins.pop_back();
    std::vector<std::pair<std::size_t, std::size_t>> words;
    std::size_t from = cuts.front();
    for (const std::size_t end :
         segment_letters(dictionary_, letters_.substr(cuts.front(), cuts.back() - cuts.front()), begins)) {
      words.emplace_back(from, cuts[end]);
      from = cuts[end];
    }
    return words;
  }

  [[nodiscard]] bool share_script(std::size_t a, std::size_t b, std::size_t b_end) const {
    static const UnicodeSet scripts[] = {
        set("[[:Latin:]&[[:L:][:Nl:]]]"), set("[[:Cyrillic:]&[[:L:][:Nl:]]]"),
        set("[[:Greek:]&[[:L:][:Nl:]]]"),
        set("[[:L:][:Nl:]-[:Latin:]-[:Cyrillic:]-[:Greek:]-[:Zyyy:]-[:Zinh:]]")};
    for (const UnicodeSet& script : scripts) {
      const auto has = [&](std::size_t from, std::size_t to) {
        return std::any_of(letters_.begin() + static_cast<std::ptrdiff_t>(from),
                           letters_.begin() + static_cast<std::ptrdiff_t>(to),
                           [&](char32_t c) { return in(script, c); });
      };
      if (has(a, b) && has(b, b_end)) return true;
    }
    return false;
  }

  [[nodiscard]] std::u32string folded(std::size_t from, std::size_t to) const {
    WordFolder folder;
    return std::u32string(folder.fold(to_utf8(letters_.substr(from, to - from))).letters);
  }

  [[nodiscard]] bool known(std::size_t from, std::size_t to) const {
    WordFolder folder;
    return dictionary_.knows(folder.fold(to_utf8(letters_.substr(from, to - from))));
  }

  [[nodiscard]] Word word(std::size_t from, std::size_t to) const {
    static const UnicodeSet disguisable = set("[[:Latin:][:Cyrillic:][:Greek:]&[[:L:][:Nl:]]]");
    Word result{{units_[from].range.begin, units_[to - 1].range.end}, folded(from, to), false, false};
    bool alphabetic = false;
    std::size_t joined_at = from;
    for (std::size_t i = from; i < to; ++i) {
      if (units_[i].after_hyphen) joined_at = i;
      alphabetic = alphabetic || in(disguisable, letters_[i]);
      result.zero_width = result.zero_width || (i != joined_at && units_[i].zero_width);
    }
    result.zero_width = result.zero_width && alphabetic;
    const std::string before = to_utf8(letters_.substr(from, to - from));
    result.mixed_script = std::any_of(units_.begin() + static_cast<std::ptrdiff_t>(from),
                                      units_.begin() + static_cast<std::ptrdiff_t>(to),
                                      [](const Unit& u) { return u.unmasked; }) ||
                          (WordFolder().fold(before).flags & kFoldMixedScript) != 0;
    return result;
  }

  const Units& units_;
  const Dictionary& dictionary_;
  std::u32string letters_;
};

}  // namespace

std::vector<Sentence> scan(std::string_view utf8, const Dictionary& dictionary) {
  const Arranged text = arranged(to_utf32(utf8));
  std::vector<Sentence> result;
  for (const Units& units : folded_paragraphs(to_utf8(text.text)))
    SentenceMaker(units, dictionary).run(result);
  const auto move = [&](TextRange& range) {
    range = {text.origin[range.begin], text.origin[range.end - 1] + 1};
  };
  for (Sentence& sentence : result) {
    move(sentence.range);
    for (Word& word : sentence.words) move(word.range);
  }
  return result;
}

}  // namespace akin::slow
