// Filter::accepts.
#include <algorithm>
#include <optional>
#include "server/json/json.h"

#include "base/rfc3339.h"
#include "server/filter/node.h"

namespace akin::filter {

namespace {

using Json = nlohmann::json;

bool is_date_aware(const Field& field) { return field.kind == Field::Kind::metadata; }

std::optional<Moment> moment_of(const Field& field, const std::string& text) {
  if (!is_date_aware(field)) return std::nullopt;
  const auto moment = parse_rfc3339(text);
  return moment ? std::optional(Moment{*moment}) : std::nullopt;
}

template <class T>
bool holds(const std::vector<T>& ascending, const T& value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

template <class T>
bool ordered(Comparison comparison, const T& left, const T& right) {
  switch (comparison) {
    case Comparison::less:
      return left < right;
    case Comparison::less_or_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_or_equal:
      return left >= right;
  }
  return false;
}

/// Whether one value of a document satisfies a test.
bool satisfies(const Value& value, const IsIn& test) {
  const ValueSet& set = test.values;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (holds(set.strings, *text)) return true;
    if (set.moments.empty()) return false;
    const auto moment = moment_of(test.field, *text);
    return moment && holds(set.moments, *moment);
  }
  if (const auto* number = std::get_if<Number>(&value)) return holds(set.numbers, *number);
  if (const auto* moment = std::get_if<Moment>(&value)) return holds(set.moments, *moment);
  return std::get<bool>(value) ? set.has_true : set.has_false;
}

bool satisfies(const Value& value, const Compares& test) {
  if (const auto* number = std::get_if<Number>(&value)) {
    const auto* wanted = std::get_if<Number>(&test.value);
    return wanted != nullptr && ordered(test.comparison, *number, *wanted);
  }
  const auto* text = std::get_if<std::string>(&value);
  const auto* wanted_text = std::get_if<std::string>(&test.value);
  const auto as_moment = [&](const Value& one) -> std::optional<Moment> {
    if (const auto* moment = std::get_if<Moment>(&one)) return *moment;
    if (const auto* string = std::get_if<std::string>(&one)) {
      // The time of storing is compared with anything that is a date.
      const auto moment = parse_rfc3339(*string);
      if (moment) return Moment{*moment};
    }
    return std::nullopt;
  };
  if (test.field.kind == Field::Kind::stored || is_date_aware(test.field)) {
    const auto left = as_moment(value);
    const auto right = left ? as_moment(test.value) : std::nullopt;
    if (right) return ordered(test.comparison, *left, *right);
  }
  return text != nullptr && wanted_text != nullptr && ordered(test.comparison, *text, *wanted_text);
}

class Evaluation {
 public:
  explicit Evaluation(const DocumentRecord& document) noexcept : document_(document) {}

  bool operator()(const AllOf& all) {
    return std::ranges::all_of(all.parts, [this](const Node& node) { return std::visit(*this, node.what); });
  }
  bool operator()(const AnyOf& any) {
    return std::ranges::any_of(any.parts, [this](const Node& node) { return std::visit(*this, node.what); });
  }
  bool operator()(const Not& negation) { return !std::visit(*this, negation.part.front().what); }
  bool operator()(const Exists& exists) {
    return exists.field.kind != Field::Kind::metadata || metadata(exists.field.name) != nullptr;
  }
  bool operator()(const IsIn& test) { return any_value(test); }
  bool operator()(const Compares& test) { return any_value(test); }

 private:
  template <class Test>
  bool any_value(const Test& test) {
    switch (test.field.kind) {
      case Field::Kind::id:
        return satisfies(Value(document_.id), test);
      case Field::Kind::title:
        return satisfies(Value(document_.title), test);
      case Field::Kind::stored:
        return satisfies(Value(Moment{static_cast<std::int64_t>(document_.revision.value)}), test);
      case Field::Kind::metadata:
        break;
    }
    const Json* value = metadata(test.field.name);
    if (value == nullptr) return false;
    if (!value->is_array()) return scalar(*value, test);
    return std::any_of(value->begin(), value->end(), [&](const Json& one) { return scalar(one, test); });
  }

  template <class Test>
  static bool scalar(const Json& value, const Test& test) {
    if (value.is_string()) return satisfies(Value(value.get_ref<const std::string&>()), test);
    if (value.is_boolean()) return satisfies(Value(value.get<bool>()), test);
    if (value.is_number_unsigned()) return satisfies(Value(Number(value.get<std::uint64_t>())), test);
    if (value.is_number_integer()) return satisfies(Value(Number(value.get<std::int64_t>())), test);
    if (value.is_number()) return satisfies(Value(Number(value.get<double>())), test);
    return false;
  }

  /// The value of a field; null if it is missing or JSON's null.
  const Json* metadata(const std::string& name) {
    if (!metadata_) metadata_ = Json::parse(document_.metadata, nullptr, false);
    if (!metadata_->is_object()) return nullptr;
    const auto field = metadata_->find(name);
    return field == metadata_->end() || field->is_null() ? nullptr : &*field;
  }

  const DocumentRecord& document_;
  std::optional<Json> metadata_;
};

}  // namespace

bool Filter::accepts(const DocumentRecord& document) const {
  Evaluation evaluation(document);
  return std::visit(evaluation, root_->what);
}

}  // namespace akin::filter
