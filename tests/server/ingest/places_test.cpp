#include "server/ingest/places.h"

#include <gtest/gtest.h>

#include <string>

namespace akin::ingest {
namespace {

using extract::Document;
using extract::Piece;
using extract::PieceKind;

constexpr std::uint32_t kEnd = 0xffffffff;

Document book() {
  Document file;
  file.parts = {"Глава", ""};
  file.map = {{{0, 5}, PieceKind::heading, 1, 1},
              {{7, 900}, PieceKind::body, 1, 1},
              {{902, 1'000}, PieceKind::footnote, 3, 0},
              {{1'002, 70'000}, PieceKind::body, 2, 2}};
  return file;
}

TEST(Places, OfAStoredFileComeBack) {
  const Document stored = decode_places(encode_places(book()));
  EXPECT_EQ(stored.parts, book().parts);
  Document expected = book();
  for (std::size_t i = 0; i + 1 < expected.map.size(); ++i)
    expected.map[i].range.end = expected.map[i + 1].range.begin;
  expected.map.back().range.end = kEnd;
  EXPECT_EQ(stored.map, expected.map);
}

TEST(Places, OfNeighboursOnOnePageAreOne) {
  Document file;
  for (std::uint32_t i = 0; i < 1'000; ++i)
    file.map.push_back({{i * 100, i * 100 + 98}, PieceKind::body, 1 + i / 500, 0});
  const std::string bytes = encode_places(file);
  EXPECT_LE(bytes.size(), 8U);
  const Document stored = decode_places(bytes);
  ASSERT_EQ(stored.map.size(), 2U);
  EXPECT_EQ(stored.map[1], (Piece{{50'000, kEnd}, PieceKind::body, 2, 0}));
}

TEST(Places, OfATextWithoutPagesAndPartsAreNone) {
  Document file;
  file.map = {{{0, 5}, PieceKind::heading, 0, 0}, {{7, 900}, PieceKind::body, 0, 0}};
  EXPECT_EQ(encode_places(file), "");
  EXPECT_EQ(decode_places("").map.size(), 0U);
  EXPECT_TRUE(places_object("").is_null());
}

TEST(Places, ThatTakeMoreThanTheLimitAreNotKept) {
  Document file = book();
  file.parts[0].assign(kMaxPlacesBytes, 'a');
  EXPECT_EQ(encode_places(file), "");
  json::Json object = places_object(encode_places(book()));
  object["parts"][0] = file.parts[0];
  EXPECT_EQ(read_places(object).error().code, Errc::too_large);
}

TEST(Places, CutOffOrChangedAreNoneOrWithinTheParts) {
  const std::string bytes = encode_places(book());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = bytes;
      changed[size] = static_cast<char>(byte);
      for (const std::string& damaged : {changed, changed.substr(0, size)}) {
        const Document file = decode_places(damaged);
        for (const Piece& piece : file.map) EXPECT_LE(piece.part, file.parts.size());
      }
    }
  }
}

TEST(Places, AreTheSameAfterAnExport) {
  const std::string bytes = encode_places(book());
  const json::Json object = places_object(bytes);
  EXPECT_EQ(object.dump(),
            R"({"parts":["Глава",""],"ranges":[[0,"heading",1,1],[7,"body",1,1],[902,"footnote",3,0],)"
            R"([1002,"body",2,2]]})");
  EXPECT_EQ(read_places(object).value(), bytes);
}

class WrongPlaces : public ::testing::TestWithParam<const char*> {};

TEST_P(WrongPlaces, AreRefused) {
  EXPECT_EQ(read_places(json::Json::parse(GetParam())).error().code, Errc::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Objects, WrongPlaces,
                         ::testing::Values("7", "{}", R"({"parts":[],"ranges":7})",
                                           R"({"parts":[7],"ranges":[]})",
                                           R"({"parts":[],"ranges":[[0,"body",1]]})",
                                           R"({"parts":[],"ranges":[[0,"verse",1,0]]})",
                                           R"({"parts":[],"ranges":[[0,"body",1,1]]})",
                                           R"({"parts":[],"ranges":[[-1,"body",1,0]]})",
                                           R"({"parts":[],"ranges":[[4294967295,"body",1,0]]})",
                                           R"({"parts":[],"ranges":[[5,"body",1,0],[5,"body",2,0]]})"));

}  // namespace
}  // namespace akin::ingest
