#include "extract/client/answer_fields.h"

#include <algorithm>
#include <array>

namespace akin::extract {

namespace {

/// In the order of their numbers in an answer.
constexpr std::array kCodes = {Errc::file_encrypted,   Errc::file_too_large,       Errc::file_damaged,
                               Errc::type_unsupported, Errc::extraction_timed_out, Errc::unsupported,
                               Errc::invalid_utf8,     Errc::invalid_argument,     Errc::too_large};

}  // namespace

void put_string(std::string& out, std::string_view text) {
  append_u32(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

void put_strings(std::string& out, const std::vector<std::string>& all) {
  append_u32(out, static_cast<std::uint32_t>(all.size()));
  for (const std::string& one : all) put_string(out, one);
}

void put_error(std::string& out, const Error& error) {
  const auto code = std::ranges::find(kCodes, error.code);
  out += static_cast<char>((code == kCodes.end() ? std::ranges::find(kCodes, Errc::file_damaged) : code) -
                           kCodes.begin());
  put_string(out, error.reason);
  put_string(out, error.remedy);
}

Error read_error(Fields& fields, const std::string& name) {
  const auto code = fields.one_of<std::uint8_t>(kCodes.size());
  return {kCodes[code], name, fields.string(), fields.string()};
}

void put_words(std::string& out, const std::vector<PlacedWord>& words) {
  append_u32(out, static_cast<std::uint32_t>(words.size()));
  for (const PlacedWord& word : words) {
    put_string(out, word.text);
    for (const std::uint32_t length : {word.left, word.top, word.right, word.bottom}) append_u32(out, length);
    out += word.is_drawn ? '\1' : '\0';
  }
}

std::vector<PlacedWord> read_words(Fields& fields, std::uint32_t width, std::uint32_t height) {
  constexpr std::size_t kWordBytes = 21;
  std::vector<PlacedWord> words(fields.count(kMostPlacedWords, kWordBytes));
  for (PlacedWord& word : words) {
    word.text = fields.string();
    for (std::uint32_t* const length : {&word.left, &word.top, &word.right, &word.bottom})
      *length = fields.u32();
    word.is_drawn = fields.one_of<bool>(2);
    const bool is_inside =
        word.left <= word.right && word.top <= word.bottom && word.right <= width && word.bottom <= height;
    if (!is_inside) fields.fail();
  }
  return words;
}

Error broken_answer(const std::string& name) {
  return {Errc::file_damaged, name, "its reader gave an answer that breaks the rules of akin-extract",
          "convert it to text by another program"};
}

std::string encode_error(const Error& error) {
  std::string out(1, '\0');
  put_error(out, error);
  return out;
}

Error decode_error(std::string_view body, const std::string& name) {
  Fields fields(body);
  if (fields.u8() != 0) return broken_answer(name);
  Error error = read_error(fields, name);
  return fields.ended() ? error : broken_answer(name);
}

}  // namespace akin::extract
