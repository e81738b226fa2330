// Filter::parse: recursive descent, a function for each rule of the grammar in filter.h.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "server/filter/node.h"

namespace akin::filter {

namespace {

struct Token {
  enum class Kind { end, name, string, literal, sign };
  Kind kind = Kind::end;
  std::string text;    ///< of a string without its quotes and backslashes
  std::size_t at = 0;  ///< byte where it begins
};

/// Splits a filter into tokens. A literal begins with a digit, a minus or a point: a number or a date. Signs
/// are ( ) [ ] , = != < <= > >=.
class Lexer {
 public:
  explicit Lexer(std::string_view filter) noexcept : filter_(filter) {}
  /// The next token; `end` after the last one, on every further call. Error: invalid_argument.
  [[nodiscard]] Result<Token> next();

 private:
  [[nodiscard]] Result<Token> string(std::size_t begin);
  std::string_view filter_;
  std::size_t at_ = 0;
};

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

/// The error for a position in a filter: "at character 7: expected a field, found ')'".
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

Field field_of(std::string name) {
  Field field{Field::Kind::metadata, std::move(name)};
  if (field.name == "id") field.kind = Field::Kind::id;
  if (field.name == "title") field.kind = Field::Kind::title;
  if (field.name == "stored") field.kind = Field::Kind::stored;
  return field;
}

template <class T>
std::optional<Number> number_as(std::string_view text) {
  T number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end ? std::optional(static_cast<Number>(number)) : std::nullopt;
}

/// An integer exactly, any other number as JSON reads it.
std::optional<Number> number_of(std::string_view text) {
  if (const auto number = number_as<std::int64_t>(text)) return number;
  if (const auto number = number_as<std::uint64_t>(text)) return number;
  const auto number = number_as<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<Value> value_of(const Token& token) {
  if (token.kind == Token::Kind::string) return Value(token.text);
  if (token.kind == Token::Kind::name) {
    if (token.text == "true" || token.text == "TRUE") return Value(true);
    if (token.text == "false" || token.text == "FALSE") return Value(false);
    return std::nullopt;
  }
  if (token.kind != Token::Kind::literal) return std::nullopt;
  if (const std::optional<Number> number = number_of(token.text)) return Value(*number);  // 2024, too
  const auto moment = parse_rfc3339(token.text);
  return moment ? std::optional<Value>(Moment{*moment}) : std::nullopt;
}

/// Whether a field has dates, where a year alone is one, which is a number in another field.
bool has_dates(const Field& field) {
  return field.kind == Field::Kind::stored || (field.kind == Field::Kind::metadata && field.name == "date");
}

std::optional<Moment> year_of(const Token& token) {
  if (token.kind != Token::Kind::literal || token.text.size() != 4) return std::nullopt;
  const auto moment = parse_rfc3339(token.text);
  return moment ? std::optional(Moment{*moment}) : std::nullopt;
}

void add(ValueSet& set, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    set.strings.push_back(*text);
    if (const auto moment = parse_rfc3339(*text)) set.moments.push_back(Moment{*moment});
  } else if (const auto* number = std::get_if<Number>(&value)) {
    set.numbers.push_back(*number);
  } else if (const auto* moment = std::get_if<Moment>(&value)) {
    set.moments.push_back(*moment);
  } else {
    (std::get<bool>(value) ? set.has_true : set.has_false) = true;
  }
}

Node negated(Node node) {
  Not whole;
  whole.part.push_back(std::move(node));
  return Node{std::move(whole)};
}

class Parser {
 public:
  explicit Parser(std::string_view filter) : filter_(filter), lexer_(filter) {}

  Result<Node> run() {
    AKIN_CHECK(advance());
    AKIN_TRY(Node root, any_of());
    if (token_.kind != Token::Kind::end) return unexpected("AND, OR or the end");
    return root;
  }

 private:
  Result<Node> any_of() { return joined<AnyOf>(&Parser::all_of, "OR"); }
  Result<Node> all_of() { return joined<AllOf>(&Parser::one, "AND"); }

  template <class Whole>
  Result<Node> joined(Result<Node> (Parser::*read_part)(), std::string_view word) {
    Whole whole;
    for (bool more = true; more;) {
      AKIN_TRY(Node part, (this->*read_part)());
      whole.parts.push_back(std::move(part));
      AKIN_TRY(more, take_keyword(word));
    }
    return whole.parts.size() == 1 ? std::move(whole.parts.front()) : Node{std::move(whole)};
  }

  Result<Node> one() {
    const std::size_t at = token_.at;
    AKIN_TRY(const bool is_not, take_keyword("NOT"));
    if (!is_not && !is_sign("(")) return test();
    if (++depth_ > kMaxFilterDepth) {
      return refused(filter_, at, "nested deeper than " + std::to_string(kMaxFilterDepth) + " levels");
    }
    Result<Node> node = is_not ? one() : in_parentheses();
    --depth_;
    if (is_not && !node.has_error()) return negated(*std::move(node));
    return node;
  }

  Result<Node> in_parentheses() {
    AKIN_CHECK(advance());
    AKIN_TRY(Node node, any_of());
    if (!is_sign(")")) return unexpected("AND, OR or ')'");
    AKIN_CHECK(advance());
    return node;
  }

  Result<Node> test() {
    const bool is_word = token_.kind == Token::Kind::name && !is_reserved();
    if (!is_word && token_.kind != Token::Kind::string) return unexpected("a field, NOT or '('");
    Field field = field_of(std::move(token_.text));
    AKIN_CHECK(advance());
    AKIN_TRY(const bool exists, take_keyword("EXISTS"));
    if (exists) return Node{Exists{std::move(field)}};
    AKIN_TRY(const bool is_not, take_keyword("NOT"));
    AKIN_TRY(const bool is_in, take_keyword("IN"));
    if (is_in) {
      AKIN_TRY(ValueSet values, list(field));
      Node node{IsIn{std::move(field), std::move(values)}};
      return is_not ? negated(std::move(node)) : std::move(node);
    }
    if (is_not) return unexpected("IN");
    return comparison(std::move(field));
  }

  Result<Node> comparison(Field field) {
    const std::string sign = token_.kind == Token::Kind::sign ? token_.text : "";
    const std::pair<std::string_view, Comparison> orders[] = {{"<", Comparison::less},
                                                              {"<=", Comparison::less_or_equal},
                                                              {">", Comparison::greater},
                                                              {">=", Comparison::greater_or_equal}};
    const auto* order = std::ranges::find(orders, sign, &std::pair<std::string_view, Comparison>::first);
    if (sign != "=" && sign != "!=" && order == std::end(orders)) {
      return unexpected("=, !=, <, <=, >, >=, IN, NOT IN or EXISTS");
    }
    AKIN_CHECK(advance());
    const std::size_t at = token_.at;
    AKIN_TRY(Value wanted, value(field));
    if (order != std::end(orders)) {
      if (std::holds_alternative<bool>(wanted)) return refused(filter_, at, "true and false have no order");
      return Node{Compares{std::move(field), order->second, std::move(wanted)}};
    }
    ValueSet values;
    add(values, wanted);
    Node node{IsIn{std::move(field), std::move(values)}};
    return sign == "=" ? std::move(node) : negated(std::move(node));
  }

  Result<ValueSet> list(const Field& field) {
    ValueSet values;
    if (!is_sign("[")) return unexpected("'['");
    do {
      AKIN_CHECK(advance());
      AKIN_TRY(const Value item, value(field));
      add(values, item);
    } while (is_sign(","));
    if (!is_sign("]")) return unexpected("',' or ']'");
    AKIN_CHECK(advance());
    std::ranges::sort(values.strings);
    std::ranges::sort(values.numbers);
    std::ranges::sort(values.moments);
    return values;
  }

  Result<Value> value(const Field& field) {
    std::optional<Value> found = value_of(token_);
    if (const auto year = year_of(token_); year && has_dates(field)) found = Value(*year);
    if (!found) return unexpected("a string in double quotes, a number, a date, true or false");
    const auto* text = std::get_if<std::string>(&*found);
    const bool is_date = std::holds_alternative<Moment>(*found) || (text != nullptr && parse_rfc3339(*text));
    if (has_dates(field) && !is_date && (text == nullptr || field.kind == Field::Kind::stored))
      return unexpected("a date, such as 2024, 2024-05 or 2024-05-17");
    const bool is_text = field.kind == Field::Kind::id || field.kind == Field::Kind::title;
    if (is_text && text == nullptr) return unexpected("a string in double quotes");
    AKIN_CHECK(advance());
    return *std::move(found);
  }

  Result<void> advance() {
    AKIN_TRY(token_, lexer_.next());
    return {};
  }

  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return token_.kind == Token::Kind::sign && token_.text == sign;
  }

  [[nodiscard]] bool is_keyword(std::string_view word) const {
    if (token_.kind != Token::Kind::name) return false;
    const auto lower = [](char c) { return ascii_lower(c); };
    return token_.text == word || std::ranges::equal(token_.text, word, {}, {}, lower);
  }

  [[nodiscard]] bool is_reserved() const {
    return is_keyword("AND") || is_keyword("OR") || is_keyword("NOT") || is_keyword("IN") ||
           is_keyword("EXISTS");
  }

  Result<bool> take_keyword(std::string_view word) {
    if (!is_keyword(word)) return false;
    AKIN_CHECK(advance());
    return true;
  }

  [[nodiscard]] Error unexpected(std::string_view expected) const {
    const std::string found = token_.kind == Token::Kind::end      ? "the end"
                              : token_.kind == Token::Kind::string ? "a string"
                                                                   : "'" + token_.text + "'";
    return refused(filter_, token_.at, "expected " + std::string(expected) + ", found " + found);
  }

  std::string_view filter_;
  Lexer lexer_;
  Token token_;
  std::size_t depth_ = 0;
};

}  // namespace

Result<Filter> Filter::parse(std::string_view text) {
  if (text.size() > kMaxFilterBytes) {
    return Error{
        Errc::too_large, "filter",
        std::to_string(text.size()) + " bytes exceed the limit of " + std::to_string(kMaxFilterBytes),
        "shorten it"};
  }
  AKIN_CHECK(validate_utf8(text, "filter"));
  AKIN_TRY(Node root, Parser(text).run());
  return Filter(std::make_shared<const Node>(std::move(root)));
}

}  // namespace akin::filter
