#include "server/judge/number_reader.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/hash.h"

namespace akin::judge {

namespace {

constexpr std::uint64_t kDay = 0x1000000;  // separates days, months and years
constexpr std::uint64_t kYear = 0x2000000;

struct Sign {
  std::string_view text, unit;
};

/// Signs that are units; words are in number_words.txt.
constexpr std::array<Sign, 6> kSigns{
    {{"%", "percent"}, {"$", "dollar"}, {"€", "euro"}, {"£", "pound"}, {"₽", "ruble"}, {"₴", "hryvnia"}}};

std::uint64_t sign_before(std::string_view text, std::size_t at) {
  for (const Sign& sign : kSigns) {
    if (text.substr(0, at).ends_with(sign.text)) return unit_hash(sign.unit);
  }
  return 0;
}

std::uint64_t sign_after(std::string_view text, std::size_t at) {
  for (const Sign& sign : kSigns) {
    if (text.substr(at).starts_with(sign.text)) return unit_hash(sign.unit);
  }
  return 0;
}

bool is_blank_or_digit(char c) { return c == ' ' || c == '\n' || c == '\t' || (c >= '0' && c <= '9'); }

bool may_be_day(const WrittenNumber& number) {
  return number.plain_digits > 0 && number.plain_digits <= 2 && number.whole >= 1 && number.whole <= 31;
}

bool may_be_year(const WrittenNumber& number) {
  return number.plain_digits == 4 && number.whole >= 1000 && number.whole < 2200;
}

/// Blank, no-break blank, thin and narrow no-break blank.
constexpr std::array<std::string_view, 4> kBlanks{" ", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (is_digit_at(text, end)) ++end;
  return end - at;
}

/// The separator of groups of three at `at`, empty if there is none.
std::string_view separator_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  for (const std::string_view blank : kBlanks) {
    if (rest.starts_with(blank)) return rest.substr(0, blank.size());
  }
  if (rest.starts_with(',') || rest.starts_with('.')) return rest.substr(0, 1);
  return {};
}

/// The position after the groups of three that follow the first digits; `at` itself if there are none. Points
/// separate groups only if there are two or more.
std::size_t skip_groups(std::string_view text, std::size_t at) {
  const std::string_view separator = separator_at(text, at);
  if (separator.empty()) return at;
  std::size_t end = at;
  std::size_t groups = 0;
  while (text.substr(end).starts_with(separator) && digits_at(text, end + separator.size()) == 3) {
    end += separator.size() + 3;
    ++groups;
  }
  return separator == "." && groups < 2 ? at : end;
}

/// The position after a point or comma and the decimals that follow; `at` itself if more of the same follow
/// ("1.2.3"), since that is not a number.
std::size_t skip_decimals(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '.' && text[at] != ',')) return at;
  const std::size_t digits = digits_at(text, at + 1);
  const std::size_t end = at + 1 + digits;
  const bool more = end < text.size() && text[end] == text[at] && is_digit_at(text, end + 1);
  return digits == 0 || more ? at : end;
}

/// The value of the digits in `whole` (groups with any separators) and of those in `decimals`.
Decimal decimal_of(std::string_view whole, std::string_view decimals) {
  SpellingHash hash;
  std::int32_t exponent = 0;
  std::int32_t zeros = 0;  // seen but not yet counted, since they may be the last
  bool begun = false;
  for (const std::string_view part : {whole, decimals}) {
    for (const char c : part) {
      if (c < '0' || c > '9') continue;
      if (part.data() == decimals.data()) --exponent;
      if (c == '0') {
        zeros += begun ? 1 : 0;
        continue;
      }
      for (; zeros > 0; --zeros) hash.add('0');
      hash.add(static_cast<unsigned char>(c));
      begun = true;
    }
  }
  if (!begun) return {};
  return {hash.value(), exponent + zeros};
}

unsigned value_of(std::string_view digits) {
  unsigned value = 0;
  for (const char c : digits) value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

bool is_day(const WrittenDate& date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31;
}

/// Three runs of digits separated by `separator`.
struct Triple {
  std::array<std::string_view, 3> parts;
  std::size_t end = 0;
};

std::optional<Triple> read_triple(std::string_view text, std::size_t at, char separator) {
  Triple triple;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0 && (at >= text.size() || text[at++] != separator)) return std::nullopt;
    const std::size_t digits = digits_at(text, at);
    if (digits == 0 || digits > 4) return std::nullopt;
    triple.parts[i] = text.substr(at, digits);
    at += digits;
  }
  if (at < text.size() && text[at] == separator && is_digit_at(text, at + 1)) return std::nullopt;
  triple.end = at;
  return triple;
}

}  // namespace

struct NumberReader::Literal : WrittenNumber {
  std::size_t begin = 0;
};

std::size_t NumberReader::begin_of(std::size_t at) const {
  return static_cast<std::size_t>(sentence_[at].source.data() - text_.data());
}

std::size_t NumberReader::end_of(std::size_t at) const { return begin_of(at) + sentence_[at].source.size(); }

std::size_t NumberReader::first_from(std::size_t at, std::size_t end) const {
  while (at < sentence_.size() && begin_of(at) < end) ++at;
  return at;
}

const NumberWord* NumberReader::word_after(std::size_t end, std::size_t at, bool stop) const {
  if (at >= sentence_.size()) return nullptr;
  if (stop && end < text_.size() && text_[end] == '.') ++end;
  return skip_blanks(text_, end) == begin_of(at) ? words_.find(sentence_[at].lemma_class.hash) : nullptr;
}

void NumberReader::add_day(unsigned day, unsigned month) {
  facts_->dates.push_back(mix64(kDay + std::uint64_t{month} * 100 + day));
}

void NumberReader::add_year(unsigned year) { facts_->dates.push_back(mix64(kYear + year)); }

void NumberReader::read(std::string_view text, std::span<const Word> sentence, NumberFacts& facts) {
  text_ = text;
  sentence_ = sentence;
  facts_ = &facts;
  for (std::size_t at = 0; at < sentence.size();) {
    const char first = sentence[at].source.empty() ? ' ' : sentence[at].source.front();
    at = first >= '0' && first <= '9' ? read_one(at) : at + 1;
  }
}

std::size_t NumberReader::read_one(std::size_t at) {
  const std::size_t begin = begin_of(at);
  if (const auto date = read_date(text_, begin)) {
    add_day(date->day, date->month);
    add_year(date->year);
    return first_from(at + 1, date->end);
  }
  if (begin >= 2 && text_[begin - 1] == '-' && !is_blank_or_digit(text_[begin - 2])) return at + 1;
  const Literal number{read_number(text_, begin), begin};
  std::size_t next = first_from(at + 1, number.end);
  const bool date =
      take_day_before_month(next, number) || take_after_month(next, at, number) || take_year(next, number);
  return date ? next : take_number(next, number);
}

bool NumberReader::take_year_after(std::size_t& next, std::size_t from) {
  if (next >= sentence_.size() || skip_blanks(text_, from) != begin_of(next)) return false;
  if (!is_digit_at(text_, begin_of(next))) return false;
  const WrittenNumber year = read_number(text_, begin_of(next));
  if (!may_be_year(year)) return false;
  add_year(year.whole);
  next = first_from(next + 1, year.end);
  return true;
}

bool NumberReader::take_day_before_month(std::size_t& next, const Literal& number) {
  const NumberWord* following = word_after(number.end, next, false);
  if (!may_be_day(number) || following == nullptr || following->month == 0) return false;
  add_day(number.whole, following->month);
  const std::size_t end = end_of(next);
  ++next;
  take_year_after(next, end);
  return true;
}

bool NumberReader::take_after_month(std::size_t& next, std::size_t at, const Literal& number) {
  if (at == 0) return false;
  const NumberWord* before = words_.find(sentence_[at - 1].lemma_class.hash);
  if (before == nullptr || before->month == 0) return false;
  if (skip_blanks(text_, end_of(at - 1)) != number.begin) return false;
  if (may_be_year(number)) {
    add_day(0, before->month);
    add_year(number.whole);
    return true;
  }
  if (!may_be_day(number)) return false;
  add_day(number.whole, before->month);
  const bool comma = number.end < text_.size() && text_[number.end] == ',';
  take_year_after(next, number.end + (comma ? 1 : 0));
  return true;
}

bool NumberReader::take_year(std::size_t& next, const Literal& number) {
  const NumberWord* following = word_after(number.end, next, false);
  if (!may_be_year(number) || following == nullptr || !following->year) return false;
  add_year(number.whole);
  ++next;
  return true;
}

std::size_t NumberReader::take_number(std::size_t next, const Literal& number) {
  std::uint64_t unit = sign_before(text_, number.begin);
  if (unit == 0) unit = sign_after(text_, skip_blanks(text_, number.end));
  unsigned scale = 0;
  const NumberWord* word = word_after(number.end, next, false);
  if (word != nullptr && word->scale != 0) {
    scale = word->scale;
    const std::size_t end = end_of(next);
    ++next;
    word = word_after(end, next, true);
    if (unit == 0) unit = sign_after(text_, skip_blanks(text_, end));
  }
  if (unit == 0 && word != nullptr && word->unit != 0) unit = word->unit;
  const std::uint64_t value = number.value.hash(scale);
  facts_->sequence.push_back(value);
  if (unit != 0) facts_->quantities.push_back(mix64(value ^ unit));
  return next;
}

std::uint64_t Decimal::hash(unsigned scale) const noexcept {
  if (digits == 0) return mix64(1);
  return mix64(digits + static_cast<std::uint64_t>(exponent + static_cast<std::int32_t>(scale)));
}

bool is_digit_at(std::string_view text, std::size_t at) noexcept {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

WrittenNumber read_number(std::string_view text, std::size_t at) {
  const std::size_t first = digits_at(text, at);
  std::size_t whole_end = at + first;
  if (first <= 3) whole_end = skip_groups(text, whole_end);
  // After "1." of "1.2.3" no decimal begins either.
  const bool goes_on = at >= 2 && (text[at - 1] == '.' || text[at - 1] == ',') && is_digit_at(text, at - 2);
  const std::size_t end = goes_on ? whole_end : skip_decimals(text, whole_end);
  WrittenNumber number;
  number.value = decimal_of(text.substr(at, whole_end - at), text.substr(whole_end, end - whole_end));
  number.end = end;
  if (end == at + first && first <= 4) {
    number.whole = value_of(text.substr(at, first));
    number.plain_digits = first;
  }
  return number;
}

std::optional<WrittenDate> read_date(std::string_view text, std::size_t at) {
  if (const auto iso = read_triple(text, at, '-')) {
    const auto& [year, month, day] = iso->parts;
    const WrittenDate date{value_of(year), value_of(month), value_of(day), iso->end};
    if (year.size() == 4 && month.size() == 2 && day.size() == 2 && is_day(date)) return date;
  }
  for (const char separator : {'.', '/'}) {
    const auto triple = read_triple(text, at, separator);
    if (!triple) continue;
    const auto& [day, month, year] = triple->parts;
    if (day.size() > 2 || month.size() > 2 || (year.size() != 4 && year.size() != 2)) continue;
    WrittenDate date{value_of(year), value_of(month), value_of(day), triple->end};
    if (year.size() == 2) date.year += date.year < 70 ? 2000 : 1900;
    if (separator == '/' && date.month > 12) std::swap(date.month, date.day);
    if (is_day(date)) return date;
  }
  return std::nullopt;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) noexcept {
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view blank : kBlanks) {
      if (!text.substr(at).starts_with(blank)) continue;
      at += blank.size();
      more = true;
    }
    if (at < text.size() && (text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) ++at, more = true;
  }
  return at;
}

}  // namespace akin::judge
