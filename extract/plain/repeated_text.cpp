#include "extract/plain/repeated_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>
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

LineLetters letters_of_line(std::string_view line) {
  LineLetters letters;
  std::string word;
  std::size_t in_word = 0;
  const auto end_word = [&] {
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
      if (u_isdigit(c) == 0 && u_isUWhiteSpace(c) == 0) ++letters.marks;
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

 private:
  void take(std::string_view line, std::uint32_t place) {
    LineLetters letters = letters_of_line(line);
    letters_ += letters.all;
    const bool is_row = letters.has_tab || letters.marks > letters.all;
    if (is_row || letters.compared < kLeastRepeatedLetters) return;
    const Piece* piece = piece_at(document_, place);
    if (piece != nullptr && piece->kind == PieceKind::table) return;
    Occurrences& of = lines_[std::move(letters.folded)];
    if (++of.times == 2) of.second = place, of.line = line;
  }

  const Document& document_;
  std::unordered_map<std::string, Occurrences> lines_;
  std::size_t letters_ = 0;
};

}  // namespace

void report_repeated_text(Document& document) {
  RepeatedLines lines(document);
  lines.run();
  if (FileAlert alert = lines.alert(); alert.characters > 0) document.alerts.push_back(std::move(alert));
}

}  // namespace akin::extract
