#include "extract/plain/repeated_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/utf8.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

constexpr std::size_t kLeastTimes = 3;

/// A line's letters.
struct LineLetters {
  std::string folded;   ///< without the words that number pages and chapters
  std::size_t all = 0;  ///< code points, with these
  std::size_t compared = 0;
  std::size_t marks = 0;  ///< code points other than letters, digits and blanks
  bool has_tab = false;
};

bool is_roman_numeral(std::string_view word) {
  return word.find_first_not_of("ivxlc") == std::string_view::npos;
}

/// Which word comes back after every one to five others of its line. One that is a seventh of all words is
/// among the six that are kept (Misra and Gries 1982).
class RecurringWord {
 public:
  void begin_line() noexcept { line_begin_ = words_ + 1; }
  void mark() noexcept { mark_after_ = words_; }

  void take(std::string_view word) {
    constexpr std::size_t kMostBetween = 5;
    ++words_;
    std::uint64_t key = 0;
    std::memcpy(&key, word.data(), std::min(word.size(), sizeof key - 1));
    const auto kept = std::ranges::find(kept_, key, &Kept::key);
    if (kept != kept_.end() && kept->count > 0) {
      ++kept->count;
      const std::size_t between = words_ - kept->last - 1;
      if (kept->last >= line_begin_ && between >= 1 && between <= kMostBetween) {
        if (++kept->times == 1) kept->word = word;
        kept->among += between + 1;
        kept->parted += mark_after_ >= kept->last ? 1 : 0;
      }
      kept->last = words_;
    } else if (const auto free = std::ranges::find(kept_, std::size_t{0}, &Kept::count);
               free != kept_.end()) {
      free->key = key;
      free->count = 1;
      free->last = words_;
      free->times = free->among = free->parted = 0;
    } else {
      for (Kept& one : kept_) --one.count;
    }
  }

  /// The alert; without characters if no word comes back so often.
  [[nodiscard]] FileAlert alert() const {
    constexpr std::size_t kLeastWords = 100, kOneOf = 7;
    const Kept& most = *std::ranges::max_element(kept_, {}, &Kept::times);
    FileAlert alert;
    alert.kind = FileAlertKind::repeated_text;
    if (words_ < kLeastWords || most.times * kOneOf < words_) return alert;
    if (3 * most.parted > 2 * most.times) return alert;  // "a in b, c in d, …"
    alert.characters = most.times * count_code_points(most.word);
    alert.share = static_cast<double>(most.among) / static_cast<double>(words_);
    alert.sample = whole_characters(most.word, kSampleBytes);
    return alert;
  }

 private:
  struct Kept {
    std::uint64_t key = 0;  ///< the beginning of the word
    std::string word;
    std::size_t count = 0, last = 0;
    std::size_t times = 0, among = 0;  ///< that it came back, and the words from there to here
    std::size_t parted = 0;            ///< times with a mark in between
  };
  std::array<Kept, 6> kept_;
  std::size_t words_ = 0, line_begin_ = 0, mark_after_ = 0;
};

LineLetters letters_of_line(std::string_view line, RecurringWord& recurring) {
  recurring.begin_line();
  LineLetters letters;
  std::string word;
  std::size_t in_word = 0;
  const auto end_word = [&] {
    if (!word.empty()) recurring.take(word);
    if (!is_roman_numeral(word)) letters.folded += word, letters.compared += in_word;
    word.clear();
    in_word = 0;
  };
  for (std::size_t at = 0; at < line.size();) {
    const auto c = static_cast<UChar32>(next_code_point(line, at));
    letters.has_tab = letters.has_tab || c == '\t';
    if (u_isalpha(c) != 0) {
      append_utf8(word, static_cast<char32_t>(u_foldCase(c, U_FOLD_CASE_DEFAULT)));
      ++in_word;
      ++letters.all;
    } else {
      end_word();
      if (u_isdigit(c) != 0 || u_isUWhiteSpace(c) != 0) continue;
      ++letters.marks;
      recurring.mark();
    }
  }
  end_word();
  return letters;
}

/// The occurrences of a line.
struct Occurrences {
  std::size_t times = 0;
  std::uint32_t second = 0;  ///< the code point where the second begins
  std::string_view line;
};

class RepeatedLines {
 public:
  explicit RepeatedLines(const Document& document) : document_(document) {}

  void run() {
    const std::string_view text = whole_characters(document_.text, kExaminedBytes);
    std::uint32_t place = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      take(line, place);
      place += static_cast<std::uint32_t>(count_code_points(line)) + 1;
      at = end + 1;
    }
  }

  /// The alert; without characters if too little repeats.
  [[nodiscard]] FileAlert alert() const {
    std::size_t repeated = 0;
    const Occurrences* most = nullptr;
    for (const auto& [folded, line] : lines_) {
      if (line.times < kLeastTimes) continue;
      repeated += count_code_points(folded) * (line.times - 1);
      const auto rank = [](const Occurrences& of) { return std::pair(of.times, -std::int64_t{of.second}); };
      if (most == nullptr || rank(line) > rank(*most)) most = &line;
    }
    FileAlert alert;
    alert.kind = FileAlertKind::repeated_text;
    const double share = letters_ == 0 ? 0 : static_cast<double>(repeated) / static_cast<double>(letters_);
    if (most == nullptr || share < kLeastRepeatedShare || repeated < kLeastRepeated) return alert;
    alert.characters = repeated;
    alert.share = share;
    alert.sample = std::string(whole_characters(most->line, kSampleBytes));
    alert.at = most->second;
    if (const Piece* piece = piece_at(document_, alert.at); piece != nullptr) {
      alert.page = piece->page;
      alert.part = piece->part;
    }
    return alert;
  }

  [[nodiscard]] FileAlert word_alert() const { return recurring_.alert(); }

 private:
  void take(std::string_view line, std::uint32_t place) {
    LineLetters letters = letters_of_line(line, recurring_);
    letters_ += letters.all;
    const bool is_row = letters.has_tab || letters.marks > letters.all;
    if (is_row || letters.compared < kLeastRepeatedLetters) return;
    const Piece* piece = piece_at(document_, place);
    if (piece != nullptr && piece->kind == PieceKind::table) return;
    Occurrences& of = lines_[std::move(letters.folded)];
    if (++of.times == 2) of.second = place, of.line = line;
  }

  const Document& document_;
  RecurringWord recurring_;
  std::unordered_map<std::string, Occurrences> lines_;
  std::size_t letters_ = 0;
};

}  // namespace

void report_repeated_text(Document& document) {
  RepeatedLines lines(document);
  lines.run();
  FileAlert alert = lines.alert();
  if (FileAlert word = lines.word_alert(); word.share > alert.share) alert = std::move(word);
  if (alert.characters > 0) document.alerts.push_back(std::move(alert));
}

}  // namespace akin::extract
