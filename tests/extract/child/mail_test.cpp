// What is read of an e-mail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "extract/child/readers.h"
#include "extract/formats/formats.h"

namespace akin::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kMostMailText = 1U << 24U;

Document mail(const std::string& bytes) {
  Result<Document> document = read_file(bytes, kMostMailText);
  EXPECT_TRUE(document.has_value()) << document.error().message();
  return document.has_value() ? *std::move(document) : Document();
}

const FileAlert* alert_of(const Document& document, FileAlertKind kind) {
  const auto found = std::ranges::find(document.alerts, kind, &FileAlert::kind);
  return found == document.alerts.end() ? nullptr : &*found;
}

const std::string kHeader =
    "From: \"A. Author\" <a@example.org>\r\nTo: b@example.org\r\nDate: Mon, 30 Nov 2026 13:19:18 +0300\r\n"
    "Subject: The mill\r\nMIME-Version: 1.0\r\n";

std::string in_parts(const std::string& kind, const std::vector<std::string>& parts) {
  std::string bytes =
      "Content-Type: multipart/" + kind + ";\r\n boundary=\"b;" + kind + "\"\r\n\r\nFor old programs\r\n";
  for (const std::string& part : parts) bytes += "--b;" + kind + "\r\n" + part + "\r\n";
  return bytes + "--b;" + kind + "--\r\n";
}

TEST(Mail, GivesItsTextAndWhatItsHeaderSays) {
  const Document document = mail(kHeader + "\r\nThe mill stood\r\nby the pond.\r\n");
  EXPECT_EQ(document.type, "mail");
  EXPECT_EQ(document.text, "The mill stood\nby the pond.");
  EXPECT_EQ(document.metadata.title, "The mill");
  EXPECT_THAT(document.metadata.authors, ElementsAre("A. Author"));
  EXPECT_EQ(document.metadata.date, "2026-11-30T13:19:18+03:00");
  EXPECT_TRUE(document.alerts.empty());
}

TEST(Mail, DecodesHeadersAndBodies) {
  const Document document = mail(
      "Received: from x\r\nFrom: =?koi8-r?Q?=E9=D7=C1=CE?= <i@example.org>\r\n"
      "Subject: =?UTF-8?B?0JzQtdC70YzQvQ==?=\r\n =?utf-8?b?0LjRhtCw?= (1)\r\n"
      "Content-Type: text/plain; charset=windows-1251\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
      "=CC=E5=EB=FC=\r\n=ED=E8=F6=E0 =3D 1\r\n");
  EXPECT_EQ(document.text, "Мельница = 1");
  EXPECT_EQ(document.metadata.title, "Мельница (1)");
  EXPECT_THAT(document.metadata.authors, ElementsAre("Иван"));
  EXPECT_EQ(mail(kHeader + "Content-Transfer-Encoding: base64\r\n\r\n0JzQtdC70YzQ\r\nvdC40YbQsA==\r\n").text,
            "Мельница");
  EXPECT_EQ(mail(kHeader + "Content-Type: text/plain; charset=none-such\r\n\r\nМельница\r\n").text,
            "Мельница");
}

TEST(Mail, ReadsThePlainTextOfAlternatives) {
  const std::string page = "Content-Type: text/html\r\n\r\n<p>The <b>mill</b> stood</p>";
  const Document plain = mail(kHeader + in_parts("alternative", {"\r\nThe *mill* stood", page}));
  EXPECT_EQ(plain.text, "The *mill* stood");
  EXPECT_TRUE(plain.alerts.empty());
  EXPECT_EQ(mail(kHeader + in_parts("alternative", {"\r\n \r\n", page})).text, "The mill stood");
  EXPECT_EQ(mail(kHeader + page).text, "The mill stood");
}

TEST(Mail, ReportsWhatOnlyThePageOfAlternativesHas) {
  std::string others;
  for (int number = 0; number < 100; ++number) others += "stolen" + std::to_string(number) + " ";
  const Document document =
      mail(kHeader +
           in_parts("alternative", {"\r\nMy own words",
                                    in_parts("related", {"Content-Type: text/html\r\n\r\n<p>" + others})}));
  EXPECT_EQ(document.text, "My own words");
  ASSERT_NE(alert_of(document, FileAlertKind::text_left_out), nullptr);
  EXPECT_THAT(alert_of(document, FileAlertKind::text_left_out)->sample, HasSubstr("stolen0"));
}

TEST(Mail, ReportsWhatItsPageHides) {
  const Document document =
      mail(kHeader + "Content-Type: text/html\r\n\r\n<p>seen<p style='display:none'>hidden words");
  EXPECT_EQ(document.text, "seen");
  EXPECT_EQ(document.hidden, "hidden words");
}

TEST(Mail, NamesItsAttachments) {
  const Document document =
      mail(kHeader +
           in_parts("mixed",
                    {"\r\nSee the thesis.",
                     "Content-Type: application/pdf\r\nContent-Disposition: attachment;\r\n"
                     " filename*=utf-8''%D0%94%D0%B8%D0%BF%D0%BB%D0%BE%D0%BC.pdf\r\n\r\n%PDF",
                     "Content-Type: text/plain; name=\"a;b.txt\"\r\nContent-Disposition: attachment\r\n\r\nx",
                     "Content-Type: application/pgp-signature\r\n\r\nx"}));
  EXPECT_EQ(document.text, "See the thesis.");
  const FileAlert* missing = alert_of(document, FileAlertKind::part_missing);
  ASSERT_NE(missing, nullptr);
  EXPECT_EQ(missing->characters, 2U);
  EXPECT_EQ(missing->sample, "Диплом.pdf, a;b.txt");
}

TEST(Mail, LeavesOutThePicturesThatItShows) {
  const std::string logo = "Content-Type: image/png; name=logo.png\r\nContent-ID: <1>\r\n";
  EXPECT_TRUE(mail(kHeader + in_parts("related", {"\r\nHello.", logo + "\r\nx"})).alerts.empty());
  const Document scan =
      mail(kHeader + in_parts("mixed", {"\r\nHello.", logo + "Content-Disposition: attachment\r\n\r\nx"}));
  EXPECT_NE(alert_of(scan, FileAlertKind::part_missing), nullptr);
}

TEST(Mail, NamesAnAttachmentWithoutANameByItsType) {
  const Document document = mail(kHeader + "Content-Type: application/\xFFpng\r\n\r\nx");
  ASSERT_NE(alert_of(document, FileAlertKind::part_missing), nullptr);
  EXPECT_EQ(alert_of(document, FileAlertKind::part_missing)->sample, "application/ÿpng");
}

TEST(Mail, ReadsMessagesWithinMessages) {
  const Document document =
      mail(kHeader + in_parts("mixed", {"\r\nForwarded:",
                                        "Content-Type: message/rfc822\r\n\r\nSubject: Inner\r\n\r\n"
                                        "The pond"}));
  EXPECT_EQ(document.text, "Forwarded:\n\nThe pond");
  EXPECT_THAT(document.parts, ElementsAre("Inner"));
  EXPECT_EQ(document.metadata.title, "The mill");
}

TEST(Mail, ReadsAMailbox) {
  const std::string from = "From a@example.org Mon Nov 30 13:19:18 2026\n";
  const Document document = mail(from + kHeader + "\nOne.\nFrom here on\n\n" + from +
                                 "From: c@example.org\nMessage-ID: <1@x>\nSubject: Two\n\nTwo.\n");
  EXPECT_EQ(document.text, "One.\nFrom here on\n\nTwo.");
  EXPECT_THAT(document.parts, ElementsAre("Two"));
}

TEST(Mail, SaysWhatIsWrong) {
  const auto error = [](const std::string& bytes) { return read_file(bytes, kMostMailText).error(); };
  EXPECT_THAT(error(kHeader + "Content-Type: multipart/mixed\r\n\r\nx").reason,
              HasSubstr("names no boundary"));
  EXPECT_THAT(error(kHeader + "Content-Type: multipart/mixed; boundary=b\r\n\r\nx").reason,
              HasSubstr("has none"));
  EXPECT_EQ(error(kHeader + "Content-Type: multipart/encrypted; boundary=b\r\n\r\n--b\r\n\r\nx").code,
            Errc::file_encrypted);
  std::string nested = "\r\nx";
  for (int depth = 0; depth <= 9; ++depth) nested = in_parts("mixed", {nested});
  EXPECT_EQ(error(kHeader + nested).code, Errc::file_damaged);
}

TEST(Mail, CutOffAnywhereIsReadOrRefused) {
  const std::string whole =
      kHeader +
      in_parts("mixed",
               {in_parts("alternative", {"\r\nThe mill", "Content-Type: text/html\r\n\r\n<p>The mill"}),
                "Content-Type: message/rfc822\r\n\r\nSubject: =?utf-8?b?0JzQtdC7?=\r\n\r\nx"});
  for (std::size_t size = kHeader.size(); size < whole.size(); ++size) {
    const Result<Document> document = read_file(whole.substr(0, size), kMostMailText);
    if (document.has_error()) {
      EXPECT_EQ(document.error().code, Errc::file_damaged) << size;
    }
  }
  const Document cut = mail(whole.substr(0, whole.size() - 10));
  ASSERT_NE(alert_of(cut, FileAlertKind::part_missing), nullptr);
  EXPECT_EQ(alert_of(cut, FileAlertKind::part_missing)->sample, "the end of the e-mail");
}

TEST(Mail, IsKnownByItsHeader) {
  EXPECT_EQ(type_of("Return-Path: <a@b>\nReceived: from x\n by y\n\nx"), FileType::mail);
  EXPECT_EQ(type_of("From: a\nSubject: b\nDate: c\n\nx"), FileType::mail);
  EXPECT_EQ(type_of("MIME-Version: 1.0\nMessage-ID: <1>\nFrom: a\nContent-Type: multipart/related\n\nx"),
            FileType::mail);
  for (const char* text : {"From: a play\nin two acts, of a date\n", "Note: a\nDate: b\n\nx",
                           "From: a\n\nTo: b\nDate: c\n", "Dear Sir,\nReceived: your letter.\n", ""})
    EXPECT_EQ(type_of(text), FileType::other) << text;
}

}  // namespace
}  // namespace akin::extract
