#include "extract/client/picture_answer.h"

#include <optional>
#include <utility>

#include "extract/client/answer_fields.h"

namespace akin::extract {

namespace {

constexpr char kPictureTag = '\4', kPlacesTag = '\5';

std::optional<PagePicture> read_picture_fields(Fields fields) {
  PagePicture picture;
  picture.width = fields.u32();
  picture.height = fields.u32();
  picture.jpeg = fields.take(fields.u32());
  picture.words = read_words(fields, picture.width, picture.height);
  const bool right = fields.ended() && !picture.jpeg.empty();
  return right ? std::optional(std::move(picture)) : std::nullopt;
}

std::optional<std::vector<PageWords>> read_places_fields(Fields fields) {
  constexpr std::size_t kPageBytes = 12;
  std::vector<PageWords> pages(fields.count(kMostPlacedPages, kPageBytes));
  for (PageWords& page : pages) {
    page.width = fields.u32();
    page.height = fields.u32();
    page.words = read_words(fields, page.width, page.height);
  }
  return fields.ended() ? std::optional(std::move(pages)) : std::nullopt;
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
  std::string out(1, kPictureTag);
  append_u32(out, picture->width);
  append_u32(out, picture->height);
  put_string(out, picture->jpeg);
  put_words(out, picture->words);
  return out;
}

std::string encode_places(const Result<std::vector<PageWords>>& pages) {
  if (pages.has_error()) return encode_error(pages.error());
  std::string out(1, kPlacesTag);
  append_u32(out, static_cast<std::uint32_t>(pages->size()));
  for (const PageWords& page : *pages) {
    append_u32(out, page.width);
    append_u32(out, page.height);
    put_words(out, page.words);
  }
  return out;
}

Result<std::vector<PageWords>> decode_places(std::string_view body, const std::string& name) {
  return decode_tagged(body, kPlacesTag, name, read_places_fields);
}

Result<PagePicture> decode_picture(std::string_view body, const std::string& name) {
  return decode_tagged(body, kPictureTag, name, read_picture_fields);
}

}  // namespace akin::extract
