// The fields of answers: strings, numbers, errors. What reads them trusts nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/utf8.h"
#include "extract/document.h"

namespace akin::extract {

void put_string(std::string& out, std::string_view text);
void put_strings(std::string& out, const std::vector<std::string>& all);
/// Its code, its reason and its remedy; file_damaged for a code that readers do not give.
void put_error(std::string& out, const Error& error);

/// Reads fields one after another; after the first that is wrong all are empty, and ok() is false.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::string_view take(std::size_t size) {
    if (size > rest_.size()) return fail();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  [[nodiscard]] std::uint8_t u8() {
    const std::string_view bytes = take(1);
    return bytes.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(bytes.front());
  }
  [[nodiscard]] std::uint32_t u32() {
    const std::string_view bytes = take(4);
    return bytes.empty() ? 0 : load_u32(bytes.data());
  }
  [[nodiscard]] std::uint64_t u64() {
    const std::string_view bytes = take(8);
    return bytes.empty() ? 0 : load_u64(bytes.data());
  }
  [[nodiscard]] std::string string() {
    std::string text = text_with_zeros();
    return text.find('\0') == std::string::npos ? text : std::string(fail());
  }
  [[nodiscard]] std::string text_with_zeros() {
    const std::string_view bytes = take(u32());
    return std::string(validate_utf8(bytes, "").has_error() ? fail() : bytes);
  }
  [[nodiscard]] std::vector<std::string> strings() {
    std::vector<std::string> all(count(kMostParts, 4));
    for (std::string& one : all) one = string();
    return all;
  }
  /// A number of records, each of `least` bytes or more: a wrong one allocates nothing.
  [[nodiscard]] std::size_t count(std::size_t most, std::size_t least) {
    const std::size_t records = u32();
    if (records > most || records * least > rest_.size()) return fail(), 0;
    return records;
  }
  template <class Enum>
  [[nodiscard]] Enum one_of(std::size_t values) {
    const std::uint8_t value = u8();
    if (value >= values) return fail(), Enum{};
    return static_cast<Enum>(value);
  }
  std::string_view fail() {
    ok_ = false;
    return rest_ = {};
  }
  /// What follows the fields so far; nothing if one of them was wrong.
  [[nodiscard]] std::optional<std::string_view> rest() const {
    return ok_ ? std::optional(rest_) : std::nullopt;
  }
  /// Whether all fields were right, and nothing is left.
  [[nodiscard]] bool ended() const noexcept { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

void put_words(std::string& out, const std::vector<PlacedWord>& words);
/// Fails at a word outside of a page of this size.
[[nodiscard]] std::vector<PlacedWord> read_words(Fields& fields, std::uint32_t width, std::uint32_t height);

/// With `name` as its subject.
[[nodiscard]] Error read_error(Fields& fields, const std::string& name);

/// Of a body that breaks the rules.
[[nodiscard]] Error broken_answer(const std::string& name);

/// The body of an answer that is an error, 0 and put_error.
[[nodiscard]] std::string encode_error(const Error& error);
/// The error in such a body; else broken_answer.
[[nodiscard]] Error decode_error(std::string_view body, const std::string& name);

/// What `read` makes of the bytes after the tag with which a body begins. Errors: the one that the body is;
/// broken_answer.
template <class Answer>
[[nodiscard]] Result<Answer> decode_tagged(std::string_view body, char tag, const std::string& name,
                                           std::optional<Answer> (*read)(Fields fields)) {
  if (!body.starts_with(tag)) return decode_error(body, name);
  if (auto answer = read(Fields(body.substr(1)))) return *std::move(answer);
  return broken_answer(name);
}

}  // namespace akin::extract
