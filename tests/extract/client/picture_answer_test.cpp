// Pages of a PDF to be seen, as akin asks akin-extract for them.
#include "extract/client/picture_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace akin::extract {
namespace {

PagePicture some_picture() {
  return {.jpeg = "\xff\xd8\xff picture",
          .width = 900,
          .height = 1200,
          .words = {{"Мельник", 10, 20, 90, 40, true}, {"miller", 100, 20, 180, 40, false}}};
}

TEST(PictureAnswer, GivesThePictureBack) {
  const auto picture = decode_picture(encode_picture(some_picture()), "a.pdf");
  ASSERT_TRUE(picture.has_value()) << picture.error().message();
  EXPECT_EQ(*picture, some_picture());
}

TEST(PictureAnswer, GivesAnErrorBackWithTheNameOfTheFile) {
  const auto picture =
      decode_picture(encode_picture(Error{Errc::file_encrypted, "file", "reason", "remedy"}), "a.pdf");
  EXPECT_EQ(picture.error().code, Errc::file_encrypted);
  EXPECT_EQ(picture.error().what, "a.pdf");
}

TEST(PictureAnswer, TrustsNothing) {
  const std::string whole = encode_picture(some_picture());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(decode_picture(whole.substr(0, size), "a.pdf").has_error()) << size;
  EXPECT_TRUE(decode_picture(whole + "x", "a.pdf").has_error());
  PagePicture outside = some_picture();
  outside.words[1].right = outside.width + 1;
  EXPECT_TRUE(decode_picture(encode_picture(outside), "a.pdf").has_error());
  PagePicture empty = some_picture();
  empty.jpeg.clear();
  EXPECT_TRUE(decode_picture(encode_picture(empty), "a.pdf").has_error());
}

std::vector<PageWords> some_places() {
  return {{.width = 900, .height = 1200, .words = some_picture().words},
          {.width = 10, .height = 20, .words = {}}};
}

TEST(PlacesAnswer, GivesAllPagesBack) {
  const auto places = decode_places(encode_places(some_places()), "a.pdf");
  ASSERT_TRUE(places.has_value()) << places.error().message();
  EXPECT_EQ(*places, some_places());
}

TEST(PlacesAnswer, TrustsNothing) {
  const std::string whole = encode_places(some_places());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(decode_places(whole.substr(0, size), "a.pdf").has_error()) << size;
  EXPECT_TRUE(decode_places(whole + "x", "a.pdf").has_error());
  std::vector<PageWords> outside = some_places();
  outside[0].words[1].bottom = outside[0].height + 1;
  EXPECT_TRUE(decode_places(encode_places(outside), "a.pdf").has_error());
}

TEST(PictureAnswer, ReadsTheRequest) {
  const std::string body = encode_picture_request({.page = 7, .bytes = "%PDF"});
  const auto request = decode_picture_request(body);
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->page, 7U);
  EXPECT_EQ(request->bytes, "%PDF");
  EXPECT_TRUE(decode_picture_request("abc").has_error());
}

}  // namespace
}  // namespace akin::extract
