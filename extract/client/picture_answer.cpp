#include "extract/client/picture_answer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "extract/client/answer_fields.h"

namespace akin::extract {

namespace {

constexpr char kPicture = '\4';

bool is_inside(const PlacedWord& word, const PagePicture& picture) {
  return word.left <= word.right && word.top <= word.bottom && word.right <= picture.width &&
         word.bottom <= picture.height;
}

std::optional<PagePicture> read_picture_fields(Fields fields) {
  constexpr std::size_t kWordBytes = 21;
  PagePicture picture;
  picture.width = fields.u32();
  picture.height = fields.u32();
  picture.jpeg = fields.take(fields.u32());
  picture.words.resize(fields.count(kMostPlacedWords, kWordBytes));
  for (PlacedWord& word : picture.words) {
    word.text = fields.string();
    for (std::uint32_t* const length : {&word.left, &word.top, &word.right, &word.bottom})
      *length = fields.u32();
    word.is_drawn = fields.one_of<bool>(2);
  }
  const bool right =
      fields.ended() && !picture.jpeg.empty() &&
      std::ranges::all_of(picture.words, [&](const PlacedWord& word) { return is_inside(word, picture); });
  return right ? std::optional(std::move(picture)) : std::nullopt;
}

}  // namespace

std::string encode_picture_request(const PictureRequest& request) {
  std::string body;
  append_u32(body, request.page);
  body += request.bytes;
  return body;
}

Result<PictureRequest> decode_picture_request(std::string_view body) {
  Fields fields(body);
  PictureRequest request;
  request.page = fields.u32();
  const auto bytes = fields.rest();
  if (!bytes) return Error{Errc::corrupt, "akin-extract", "was sent something else than a page to draw", ""};
  request.bytes = *bytes;
  return request;
}

std::string encode_picture(const Result<PagePicture>& picture) {
  if (picture.has_error()) return encode_error(picture.error());
  std::string out(1, kPicture);
  append_u32(out, picture->width);
  append_u32(out, picture->height);
  put_string(out, picture->jpeg);
  append_u32(out, static_cast<std::uint32_t>(picture->words.size()));
  for (const PlacedWord& word : picture->words) {
    put_string(out, word.text);
    for (const std::uint32_t length : {word.left, word.top, word.right, word.bottom}) append_u32(out, length);
    out += word.is_drawn ? '\1' : '\0';
  }
  return out;
}

Result<PagePicture> decode_picture(std::string_view body, const std::string& name) {
  return decode_tagged(body, kPicture, name, read_picture_fields);
}

}  // namespace akin::extract
