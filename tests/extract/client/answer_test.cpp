// What akin-extract answers, and what akin does not believe.
#include "extract/client/answer.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace akin::extract {
namespace {

Document sample() {
  Document document;
  document.type = "pdf";
  document.text = "Глава\n\nOne two.";
  document.map = {{{0, 5}, PieceKind::heading, 1, 1}, {{7, 15}, PieceKind::body, 2, 1}};
  document.parts = {"Глава"};
  document.pages = 2;
  document.metadata = {"Title", {"A. N. Author", "B"}, "ru", "1834", {"isbn"}};
  document.alerts = {{FileAlertKind::hidden_text, 7, 0.5, "unseen", 2, 1, 3, set_of(Hiding::size)}};
  document.hidden = "unseen!";
  document.recognized[2] = {
      .width = 90, .height = 70, .words = {{.text = "One", .left = 1, .top = 2, .right = 90, .bottom = 3}}};
  return document;
}

TEST(Answer, GivesTheDocumentBack) {
  const Result<Document> read = decode_answer(encode_answer(sample()), "file");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(*read, sample());
}

TEST(Answer, GivesAnErrorBackWithTheNameOfTheFile) {
  const Result<Document> read =
      decode_answer(encode_answer(Error{Errc::file_encrypted, "file", "reason", "remedy"}), "a.pdf");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::file_encrypted);
  EXPECT_EQ(read.error().message(), "a.pdf: reason (remedy)");
}

TEST(Answer, AnErrorOfAnotherKindIsADamagedFile) {
  const Result<Document> read =
      decode_answer(encode_answer(Error{Errc::internal, "", "reason", ""}), "a.pdf");
  EXPECT_EQ(read.error().code, Errc::file_damaged);
}

TEST(Answer, IsRefusedWhereverItBreaksOff) {
  const std::string whole = encode_answer(sample());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Result<Document> read = decode_answer(std::string_view(whole).substr(0, size), "file");
    ASSERT_TRUE(read.has_error()) << size;
    EXPECT_EQ(read.error().code, Errc::file_damaged);
  }
  EXPECT_TRUE(decode_answer(whole + '\0', "file").has_error());
}

TEST(Answer, IsRefusedIfItsMapIsNotOneOfItsText) {
  for (const Piece wrong : {Piece{{0, 16}, PieceKind::body, 1, 1}, Piece{{6, 5}, PieceKind::body, 1, 1},
                            Piece{{0, 5}, PieceKind::body, 3, 1}, Piece{{0, 5}, PieceKind::body, 1, 2}}) {
    Document document = sample();
    document.map = {wrong};
    EXPECT_TRUE(decode_answer(encode_answer(document), "file").has_error());
  }
  Document overlapping = sample();
  overlapping.map[1].range.begin = 4;
  EXPECT_TRUE(decode_answer(encode_answer(overlapping), "file").has_error());
}

TEST(Answer, IsRefusedIfARecognizedWordIsOnNoPage) {
  Document document = sample();
  document.recognized[2].words[0].right = 91;
  EXPECT_TRUE(decode_answer(encode_answer(document), "file").has_error());
  for (const std::uint32_t page : {0U, 3U}) {
    document = sample();
    document.recognized[page] = document.recognized[2];
    EXPECT_TRUE(decode_answer(encode_answer(document), "file").has_error()) << page;
  }
}

TEST(Answer, IsRefusedIfItsTextIsNotUtf8) {
  Document document = sample();
  document.text = "\xFF";
  document.map.clear();
  EXPECT_TRUE(decode_answer(encode_answer(document), "file").has_error());
}

Content sample_archive() {
  Unpacked unpacked;
  unpacked.members = {{"a/b.bin", std::string("\0\xff", 2)},
                      {"c", "", Error{Errc::file_encrypted, "", "r", "m"}}};
  unpacked.hidden = 3;
  unpacked.broken = Error{Errc::file_damaged, "", "breaks off", ""};
  return unpacked;
}

TEST(Answer, GivesTheMembersOfAnArchiveBack) {
  const Result<Content> read = decode_content(encode_content(sample_archive()), "a.zip");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  const auto& unpacked = std::get<Unpacked>(*read);
  ASSERT_EQ(unpacked.members.size(), 2U);
  EXPECT_EQ(unpacked.members[0].name, "a/b.bin");
  EXPECT_EQ(unpacked.members[0].bytes, std::string("\0\xff", 2));
  EXPECT_FALSE(unpacked.members[0].error);
  EXPECT_EQ(unpacked.members[1].error.value().message(), "a.zip: r (m)");
  EXPECT_EQ(unpacked.hidden, 3U);
  EXPECT_EQ(unpacked.broken.value().code, Errc::file_damaged);
}

TEST(Answer, OfAnArchiveIsRefusedWhereverItBreaksOff) {
  const std::string whole = encode_content(sample_archive());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(decode_content(std::string_view(whole).substr(0, size), "file").has_error()) << size;
  EXPECT_TRUE(decode_content(whole + '\0', "file").has_error());
  EXPECT_TRUE(decode_answer(whole, "file").has_error());
}

TEST(Answer, OfAnArchiveIsRefusedIfNamesAreEmptyOrEqual) {
  for (const auto& [first, second] : {std::pair("a", "a"), std::pair("", "b")}) {
    Unpacked unpacked;
    unpacked.members = {{first, "1"}, {second, "2"}};
    EXPECT_TRUE(decode_content(encode_content(Content(unpacked)), "file").has_error());
  }
}

TEST(Answer, AGreatCountAllocatesNothing) {
  std::string body("\1", 1);
  append_u32(body, 0);            // type
  append_u32(body, 0);            // text
  append_u32(body, 0x00FFFFFFU);  // pieces, of which there is none
  EXPECT_TRUE(decode_answer(body, "file").has_error());
}

TEST(Answer, TheGreetingNamesTheSandbox) {
  const Sandbox sandbox{
      .no_new_privileges = true, .system_calls = true, .landlock = 7, .limits = true, .broken = ""};
  EXPECT_EQ(decode_greeting(encode_greeting(sandbox)).value(), sandbox);
  EXPECT_TRUE(sandbox.holds());
  EXPECT_TRUE(decode_greeting("AKG0").has_error());
}

TEST(Document, AnOffsetLeadsToItsPiece) {
  const Document document = sample();
  EXPECT_EQ(piece_at(document, 0)->page, 1U);
  EXPECT_EQ(piece_at(document, 6)->page, 1U);
  EXPECT_EQ(piece_at(document, 14)->page, 2U);
  EXPECT_EQ(piece_at(Document(), 0), nullptr);
}

}  // namespace
}  // namespace akin::extract
