#include "server/json/strict_json.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "server/json/long_strings.h"
#include "server/json/quoted.h"

namespace akin::json {

namespace {

/// A position in the body, as "line 2, column 7".
std::string position_name(std::string_view body, std::size_t byte) {
  const auto before = body.substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto column = 1 + count_code_points(before.substr(line_start));
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// Iterates over the body and records how far the lexer has come, which its callbacks do not report.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::size_t* consumed_;
};

/// The library's message for an error, without "[json.exception…] parse error at line 1, column 3: " and
/// without the body's own text.
std::string syntax_reason(std::string_view said) {
  if (const auto bracket = said.find("] "); bracket != std::string_view::npos)
    said.remove_prefix(bracket + 2);
  if (const auto colon = said.find(": ");
      said.starts_with("parse error") && colon != std::string_view::npos) {
    said.remove_prefix(colon + 2);
  }
  if (const auto last_read = said.find("; last read: "); last_read != std::string_view::npos) {
    said = said.substr(0, last_read);
  }
  return std::string(slice_code_points(said, 0, 160));
}

Error broken_json(std::string_view body, const std::string& reason, std::size_t byte) {
  return Error{Errc::invalid_json, "JSON body at " + position_name(body, byte), reason,
               "send JSON as RFC 8259 specifies it"};
}

/// Builds the value from the parser's events and stops at the first error. The stack points at the open
/// containers: none of them moves while one inside it is open, because only the innermost one grows.
class StrictBuilder final : public nlohmann::json_sax<Json> {
 public:
  /// `taken`: strings that the body lacks.
  StrictBuilder(std::string_view body, const std::size_t& consumed, std::size_t most_values,
                std::span<LongString> taken)
      : body_(body), consumed_(consumed), values_left_(most_values), taken_(taken) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& written) override {
    if (written.find_first_of(".eE") != string_t::npos) return add(value);
    error_ = broken_json(body_, "an integer that 64 bits do not hold would lose digits", consumed_);
    error_.remedy = "send it as a string";
    return false;
  }
  bool string(string_t& value) override {
    if (!taken_.empty() && taken_.front().token == tokens_) {
      value = std::move(taken_.front().value);
      taken_ = taken_.subspan(1);
    }
    ++tokens_;
    return add(std::move(value));
  }
  bool binary(binary_t&) override { return refuse("binary values are not JSON", consumed_); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    ++tokens_;
    if (!open_.back().keys.insert(name).second) {
      return refuse("the key " + in_quotes(name) + " is given twice in one object", consumed_);
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& failure) override {
    return refuse(syntax_reason(failure.what()), position > 0 ? position - 1 : 0);
  }

  [[nodiscard]] Json take() { return std::move(root_); }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  struct Container {
    Json* value;
    std::set<std::string> keys;
  };

  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& into = *open_.back().value;
    if (into.is_array()) {
      into.push_back(std::move(value));
      return &into.back();
    }
    // Keys are already known to be new: appending needs no search through the object.
    auto& members = into.get_ref<Json::object_t&>();
    members.emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }

  bool add(Json value) {
    if (!count()) return false;
    place(std::move(value));
    return true;
  }

  bool count() {
    if (values_left_-- > 0) return true;
    error_ = Error{Errc::too_large, "JSON body",
                   "has more than " + std::to_string(kMaxJsonValues) + " values", "send less at a time"};
    return false;
  }

  bool open(Json container) {
    if (open_.size() == kMaxJsonDepth) {
      return refuse("more than " + std::to_string(kMaxJsonDepth) + " levels of nested arrays and objects",
                    consumed_);
    }
    if (!count()) return false;
    open_.push_back({place(std::move(container)), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool refuse(const std::string& reason, std::size_t byte) {
    error_ = broken_json(body_, reason, byte);
    return false;
  }

  std::string_view body_;
  const std::size_t& consumed_;
  std::size_t values_left_;
  std::size_t tokens_ = 0;  ///< strings so far
  std::span<LongString> taken_;
  Json root_;
  std::vector<Container> open_;
  std::string key_;
  Error error_;
};

Error wrong_type(std::string_view name, const Json& value, std::string_view expected) {
  return Error{Errc::invalid_argument, "field " + in_quotes(name),
               "is of type " + std::string(value.type_name()) + ", not " + std::string(expected),
               "give a JSON " + std::string(expected)};
}

Error out_of_range(std::string_view name, const Json& value, const std::string& expected) {
  return Error{Errc::invalid_argument, "field " + in_quotes(name),
               in_quotes(value.dump()) + " is not " + expected, "give " + expected};
}

Result<Json> parse(std::string_view body, std::size_t most_values, std::span<LongString> taken) {
  std::size_t consumed = 0;
  StrictBuilder builder(body, consumed, most_values, taken);
  const CountingIterator first(body.data(), &consumed);
  const CountingIterator last(body.data() + body.size(), &consumed);
  if (!Json::sax_parse(first, last, &builder)) return builder.error();
  return builder.take();
}

}  // namespace

Result<Json> parse_json(std::string_view body, std::size_t most_values) {
  AKIN_CHECK(validate_utf8(body, "JSON body"));
  // nlohmann's lexer takes it for the end of the input, and would ignore what follows.
  if (const std::size_t zero = body.find('\0'); zero != std::string_view::npos) {
    return broken_json(body, "the byte 0, which JSON does not allow", zero);
  }
  if (std::optional<Shortened> shortened = take_long_strings(body)) {
    Result<Json> value = parse(shortened->json, most_values, shortened->strings);
    if (!value.has_error()) return value;
  }
  return parse(body, most_values, {});  // its errors name places in the whole
}

Result<Fields> Fields::read(Json value, std::span<const std::string_view> known, std::string_view what) {
  if (!value.is_object()) {
    return Error{Errc::invalid_argument, std::string(what),
                 "is of type " + std::string(value.type_name()) + ", not object",
                 "send an object with the fields " + quoted_list({known.begin(), known.end()})};
  }
  for (const auto& [name, field] : value.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      return Error{Errc::invalid_argument, "field " + in_quotes(name), "unknown here",
                   "known fields: " + quoted_list({known.begin(), known.end()})};
    }
  }
  return Fields(std::move(value));
}

Result<std::optional<std::string_view>> Fields::string(std::string_view name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return std::optional<std::string_view>();
  if (!found->is_string()) return wrong_type(name, *found, "string");
  return std::optional<std::string_view>(found->get_ref<const std::string&>());
}

std::string Fields::take_string(std::string_view name) {
  return std::exchange(object_.find(name)->get_ref<std::string&>(), {});
}

Result<std::optional<std::vector<std::string>>> Fields::strings(std::string_view name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return std::optional<std::vector<std::string>>();
  if (!found->is_array()) return wrong_type(name, *found, "array of strings");
  for (const Json& entry : *found) {
    if (!entry.is_string()) return wrong_type(name, entry, "array of strings");
  }
  return std::optional(found->get<std::vector<std::string>>());
}

Result<std::optional<bool>> Fields::boolean(std::string_view name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return std::optional<bool>();
  if (!found->is_boolean()) return wrong_type(name, *found, "boolean");
  return std::optional<bool>(found->get<bool>());
}

Result<std::string_view> Fields::required_string(std::string_view name) const {
  AKIN_TRY(const auto value, string(name));
  if (!value) {
    return Error{Errc::invalid_argument, "field " + in_quotes(name), "is missing", "give a JSON string"};
  }
  return *value;
}

Result<std::optional<std::uint64_t>> Fields::integer(std::string_view name, std::uint64_t max) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return std::optional<std::uint64_t>();
  if (found->is_number_unsigned() && found->get<std::uint64_t>() <= max) {
    return std::optional(found->get<std::uint64_t>());
  }
  return out_of_range(name, *found, "an integer from 0 to " + std::to_string(max));
}

Result<std::optional<double>> Fields::share(std::string_view name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return std::optional<double>();
  if (found->is_number()) {
    const auto number = found->get<double>();
    if (number >= 0.0 && number <= 1.0) return std::optional(number);
  }
  return out_of_range(name, *found, "a number from 0 to 1");
}

const Json* Fields::value(std::string_view name) const {
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

Result<std::string> Fields::object(std::string_view name) const {
  const auto found = object_.find(name);
  if (found == object_.end()) return std::string();
  if (!found->is_object()) return wrong_type(name, *found, "object");
  return found->dump();
}

}  // namespace akin::json
