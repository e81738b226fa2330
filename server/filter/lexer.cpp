#include "server/filter/lexer.h"

#include "base/utf8.h"

namespace akin::filter {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool begins_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_of_name(char c) noexcept { return begins_name(c) || is_digit(c) || c == '-' || c == '.'; }
bool begins_literal(char c) noexcept { return is_digit(c) || c == '-' || c == '.'; }
bool is_of_literal(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
         c == '.' || c == ':';
}

}  // namespace

Error refused(std::string_view filter, std::size_t at, std::string_view reason) {
  return Error{
      Errc::invalid_argument, "filter",
      "at character " + std::to_string(count_code_points(filter.substr(0, at)) + 1) + ": " +
          std::string(reason),
      "write it as in: group = \"news\" AND date >= 2024-01-31; /docs/api#filters has the whole language"};
}

Result<Token> Lexer::next() {
  while (at_ < filter_.size() && is_blank(filter_[at_])) ++at_;
  const std::size_t begin = at_;
  if (begin == filter_.size()) return Token{Token::Kind::end, "", begin};
  const char first = filter_[begin];
  const auto take_while = [&](auto belongs) {
    while (at_ < filter_.size() && belongs(filter_[at_])) ++at_;
    return std::string(filter_.substr(begin, at_ - begin));
  };
  if (first == '"') return string(begin);
  if (begins_name(first)) return Token{Token::Kind::name, take_while(is_of_name), begin};
  if (begins_literal(first)) return Token{Token::Kind::literal, take_while(is_of_literal), begin};
  for (const std::string_view sign : {"<=", ">=", "!=", "<", ">", "=", "(", ")", "[", "]", ","}) {
    if (!filter_.substr(begin).starts_with(sign)) continue;
    at_ += sign.size();
    return Token{Token::Kind::sign, std::string(sign), begin};
  }
  return refused(filter_, begin, "'" + std::string(1, first) + "' cannot begin a word of a filter");
}

Result<Token> Lexer::string(std::size_t begin) {
  Token token{Token::Kind::string, "", begin};
  for (at_ = begin + 1; at_ < filter_.size(); ++at_) {
    if (filter_[at_] == '"') {
      ++at_;
      return token;
    }
    if (filter_[at_] == '\\') {
      ++at_;
      if (at_ == filter_.size() || (filter_[at_] != '"' && filter_[at_] != '\\')) {
        return refused(filter_, at_ - 1, "a backslash may only precede a double quote or a backslash");
      }
    }
    token.text += filter_[at_];
  }
  return refused(filter_, begin, "the string that begins here has no closing quote");
}

}  // namespace akin::filter
