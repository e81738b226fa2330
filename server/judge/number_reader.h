// Reads the numbers, dates and quantities of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "morph/words/scanner.h"
#include "server/judge/number_words.h"

namespace akin::judge {

/// The numbers of a text, as hashes of their values: equal values are equal however they are written ("5
/// млн", "5 000 000", "5,000,000").
struct NumberFacts {
  std::vector<std::uint64_t> sequence;    ///< all numbers that are not dates, in text order
  std::vector<std::uint64_t> dates;       ///< days with their months, months alone, and years, each apart
  std::vector<std::uint64_t> quantities;  ///< numbers with their units
};

/// Reads numbers sentence by sentence. A number begins where a word begins with a digit:
/// - digits, in groups of three separated by blanks, no-break blanks or commas ("1 250 000"), or by several
///   points ("1.250.000"), then a point or comma with decimals; "12,345" is a group and "12.345" a decimal;
/// - dates: 2019-11-08, 08.11.2019, 8/11/2019 (the day first unless it can only be second), "8 ноября
///   (2019)", "November 8(, 2019)", "ноябрь 2019", "2019 год";
/// - a scale after a number ("млн", "thousand") multiplies it; a unit after that, or a sign of currency or
///   percent next to it, makes it a quantity. A full stop may end an abbreviation in between.
/// The parts of "6:4" and "3-5" are separate numbers; a number joined to a letter by a hyphen ("COVID-19") is
/// part of a name. Signs before a number do not count.
class NumberReader {
 public:
  /// `words` must outlive it.
  explicit NumberReader(const NumberWords& words) : words_(words) {}

  /// Appends the numbers of the words of a sentence, which are views of `text`.
  void read(std::string_view text, std::span<const Word> sentence, NumberFacts& facts);

 private:
  struct Literal;
  /// Reads the item that begins at the word `at`; returns the index of the first word after it.
  std::size_t read_one(std::size_t at);
  /// Takes a number in digits, `next` being the first word after it, with its date, scale and unit; returns
  /// the index of the first word after all of that.
  std::size_t take_number(std::size_t next, const Literal& number);
  bool take_day_before_month(std::size_t& next, const Literal& number);
  bool take_after_month(std::size_t& next, std::size_t at, const Literal& number);
  bool take_year(std::size_t& next, const Literal& number);
  /// Takes the year that begins at word `next`, if only blanks separate it from `from`.
  bool take_year_after(std::size_t& next, std::size_t from);
  void add_day(unsigned day, unsigned month);
  void add_year(unsigned year);

  /// The word `at` if only blanks, and a full stop if `stop` allows it, precede it.
  [[nodiscard]] const NumberWord* word_after(std::size_t end, std::size_t at, bool stop) const;
  [[nodiscard]] std::size_t begin_of(std::size_t at) const;
  [[nodiscard]] std::size_t end_of(std::size_t at) const;
  /// The first word from `at` on that begins at byte `end` or later.
  [[nodiscard]] std::size_t first_from(std::size_t at, std::size_t end) const;

  const NumberWords& words_;
  std::string_view text_;
  std::span<const Word> sentence_;
  NumberFacts* facts_ = nullptr;
};

/// A decimal number: its significant digits (no zeros at either end) and the power of ten of the last one.
struct Decimal {
  std::uint64_t digits = 0;  ///< a hash of the digits' spelling, 0 for the number 0
  std::int32_t exponent = 0;

  /// The hash of the number times 10^scale.
  [[nodiscard]] std::uint64_t hash(unsigned scale) const noexcept;
};

struct WrittenNumber {
  Decimal value;
  std::size_t end = 0;           ///< after its last byte
  std::uint32_t whole = 0;       ///< its value if that has at most four digits, without groups and decimals
  std::size_t plain_digits = 0;  ///< how many digits that value has; 0 for any other number
};

struct WrittenDate {
  unsigned year = 0, month = 0, day = 0;
  std::size_t end = 0;
};

/// Whether there is a digit 0 … 9 at byte `at`.
[[nodiscard]] bool is_digit_at(std::string_view text, std::size_t at) noexcept;

/// The number that begins at byte `at`. Requires a digit there.
[[nodiscard]] WrittenNumber read_number(std::string_view text, std::size_t at);

/// The date in digits that begins there: 2019-11-08, 08.11.2019, 8/11/19. Nothing unless
/// it can be one of the calendar.
[[nodiscard]] std::optional<WrittenDate> read_date(std::string_view text, std::size_t at);

/// The position after the blanks and no-break blanks that begin at byte `at`.
[[nodiscard]] std::size_t skip_blanks(std::string_view text, std::size_t at) noexcept;

}  // namespace akin::judge
