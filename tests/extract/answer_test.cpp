// What akin-extract answers, and what akin does not believe.
#include "extract/answer.h"

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

TEST(Answer, IsRefusedIfItsTextIsNotUtf8) {
  Document document = sample();
  document.text = "\xFF";
  document.map.clear();
  EXPECT_TRUE(decode_answer(encode_answer(document), "file").has_error());
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
