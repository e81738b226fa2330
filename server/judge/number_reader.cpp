#include "server/judge/number_reader.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "server/judge/number_literal.h"

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

}  // namespace akin::judge
