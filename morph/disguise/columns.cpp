#include "morph/disguise/columns.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

constexpr std::size_t kMinGap = 3;
constexpr std::uint32_t kMinWords = 3;
constexpr std::uint32_t kMinRows = 8;
constexpr std::uint32_t kMaxOthers = 2;

/// A line divided at its widest gap.
struct Row {
  std::size_t begin = 0, end = 0;         ///< bytes, without white space at both ends
  std::uint32_t left_end = 0, right = 0;  ///< columns; `right` is 0 without a gap
  bool prose = false;                     ///< both parts have words enough
};

bool has_gap(std::string_view line) {
  for (std::size_t at = kMinGap - 1; at < line.size(); at += kMinGap) {
    if (line[at] != ' ') continue;
    std::size_t begin = at, end = at + 1;
    while (begin > 0 && line[begin - 1] == ' ') --begin;
    while (end < line.size() && line[end] == ' ') ++end;
    if (end - begin >= kMinGap) return true;
  }
  return false;
}

class ColumnFinder {
 public:
  explicit ColumnFinder(std::string_view utf8) : text_(utf8) {}

  std::vector<TextRange> run() {
    for (std::size_t start = 0; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      const std::size_t begin = std::min(text_.find_first_not_of(" \r", start), end);
      if (begin < end) take(has_gap(text_.substr(begin, end - begin)) ? row_of(start, end) : Row());
      start = end + 1;
    }
    end_run();
    return std::move(found_);
  }

 private:
  [[nodiscard]] Row row_of(std::size_t start, std::size_t end) const {
    Row row;
    std::uint32_t column = 0, blanks = 0, widest = 0, words = 0, left_words = 0;
    bool in_word = false, begun = false;
    for (std::size_t at = start; at < end; ++column) {
      const std::size_t byte = at;
      const char32_t c = next_code_point(text_, at);
      if (c == U' ' || c == U'\r') {
        ++blanks;
        in_word = false;
        continue;
      }
      if (!begun) row.begin = byte;
      if (begun && blanks >= kMinGap && blanks > widest) {
        widest = blanks;
        row.left_end = column - blanks;
        row.right = column;
        left_words = words;
      }
      begun = true;
      blanks = 0;
      if (!in_word && table_[c].kind() == CharKind::letter) {
        in_word = true;
        ++words;
      }
      row.end = at;
    }
    row.prose = row.right > 0 && left_words >= kMinWords && words - left_words >= kMinWords;
    return row;
  }

  void take(const Row& row) {
    if (rows_ > 0 && row.right == right_) {
      end_ = row.end;
      others_ = 0;
    } else if (rows_ > 0 && ++others_ <= kMaxOthers) {
      return;
    } else {
      end_run();
      if (!row.prose) return;
      begin_ = row.begin;
      end_ = row.end;
      right_ = row.right;
    }
    if (!row.prose) return;
    ++rows_;
    if (row.left_end * 10 >= right_ * 6) ++full_;
  }

  void end_run() {
    if (rows_ >= kMinRows && full_ * 3 >= rows_ * 2) found_.push_back({place_of(begin_), place_of(end_)});
    rows_ = full_ = others_ = 0;
  }

  /// Code points before a byte that is not before those asked about earlier.
  std::uint32_t place_of(std::size_t byte) {
    place_ += static_cast<std::uint32_t>(count_code_points(text_.substr(counted_, byte - counted_)));
    counted_ = byte;
    return place_;
  }

  const std::string_view text_;
  const CharTable& table_ = CharTable::instance();
  std::vector<TextRange> found_;
  std::size_t begin_ = 0, end_ = 0;    ///< of the run, in bytes
  std::uint32_t right_ = 0;            ///< where its right parts start
  std::uint32_t rows_ = 0, full_ = 0;  ///< of prose
  std::uint32_t others_ = 0;           ///< lines since its last row
  std::size_t counted_ = 0;            ///< bytes before `place_`
  std::uint32_t place_ = 0;
};

}  // namespace

std::vector<TextRange> find_columns(std::string_view utf8) { return ColumnFinder(utf8).run(); }

}  // namespace akin
