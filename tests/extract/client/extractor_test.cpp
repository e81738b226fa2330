// The program akin-extract as akin drives it, with files as they come and files that are meant to hurt.
#include "extract/client/extractor.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/waiting.h"
#include "tests/extract/child/sample_files.h"
#include "tests/support/built.h"
#include "tests/support/temporary_folder.h"

namespace akin::extract {
namespace {

using ::testing::HasSubstr;

ExtractorOptions options() { return {.program = test::extract_program()}; }

class ReadFile : public ::testing::Test {
 protected:
  Document read(const std::string& bytes) {
    const Result<Document> document = extractor_.read(bytes, "file");
    EXPECT_TRUE(document.has_value()) << document.error().message();
    return document.has_value() ? *document : Document();
  }
  Error refused(const std::string& bytes) {
    const Result<Document> document = extractor_.read(bytes, "file");
    EXPECT_TRUE(document.has_error());
    return document.has_error() ? document.error() : Error();
  }

  Extractor extractor_{options()};
};

TEST_F(ReadFile, TheSandboxHolds) {
  const Result<Sandbox> sandbox = extractor_.sandbox();
  ASSERT_TRUE(sandbox.has_value()) << sandbox.error().message();
  EXPECT_TRUE(sandbox->holds()) << sandbox->broken;
}

/// The files that the processes of akin-extract which this process started have open.
std::vector<std::string> files_of_readers() {
  std::vector<std::string> files;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(process.path() / "stat");
    std::string pid, name, state, parent;
    if (!(status >> pid >> name >> state >> parent) || name != "(akin-extract)") continue;
    if (parent != std::to_string(::getpid())) continue;
    std::error_code ended;
    for (const auto& open : std::filesystem::directory_iterator(process.path() / "fd", ended))
      files.push_back(std::filesystem::read_symlink(open.path(), ended).string());
  }
  return files;
}

TEST(Reader, HasNoDescriptorOfItsCaller) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "data.mdb").string();
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);  // as LMDB opens it: programs inherit it
  ASSERT_GE(file, 0);
  ASSERT_EQ(::dup2(file, 40), 40);
  Extractor extractor(options());
  const Result<Sandbox> sandbox = extractor.sandbox();
  ASSERT_TRUE(sandbox.has_value()) << sandbox.error().message();
  EXPECT_TRUE(sandbox->holds()) << sandbox->broken;
  const std::vector<std::string> files = files_of_readers();
  EXPECT_THAT(files, ::testing::Contains("/dev/null"));
  EXPECT_THAT(files, ::testing::Not(::testing::Contains(path)));
  ::close(40);
  ::close(file);
}

TEST_F(ReadFile, APdfHasPages) {
  const Document document = read(make_pdf({{"First page."}, {"Second page."}}));
  EXPECT_EQ(document.type, "pdf");
  EXPECT_EQ(document.pages, 2U);
  EXPECT_EQ(document.text, "First page.\n\nSecond page.");
  EXPECT_EQ(piece_at(document, 13)->page, 2U);
}

TEST_F(ReadFile, ThePlacesOfWordsAreThoseOfThePictures) {
  const std::string pdf = make_pdf({{"First page."}, {"The second page", "has lines."}});
  const Result<std::vector<PageWords>> places = extractor_.places(pdf, "file");
  ASSERT_TRUE(places.has_value()) << places.error().message();
  ASSERT_EQ(places->size(), 2U);
  for (std::uint32_t page = 1; page <= 2; ++page) {
    Result<PagePicture> picture = extractor_.picture({.page = page, .bytes = pdf}, "file");
    ASSERT_TRUE(picture.has_value()) << picture.error().message();
    const PageWords& placed = places->at(page - 1);
    EXPECT_EQ(placed.width, picture->width);
    EXPECT_EQ(placed.height, picture->height);
    ASSERT_FALSE(placed.words.empty());
    for (PlacedWord& word : picture->words) word.is_drawn = true;
    EXPECT_EQ(placed.words, picture->words);
  }
  EXPECT_TRUE(extractor_.places("%PDF-1.7", "file").has_error());
}

#ifndef __SANITIZE_ADDRESS__  // which looks into files when a thread starts
TEST_F(ReadFile, ADjvuHasThePlacesOfItsWords) {
  const std::string mill = *read_whole_file(test::source_folder() / "tests/data/files/mill.djvu");
  const Result<std::vector<PageWords>> places = extractor_.places(mill, "file");
  ASSERT_TRUE(places.has_value()) << places.error().message();
  ASSERT_EQ(places->size(), 4U);
  const PageWords& first = places->front();
  ASSERT_EQ(first.width, 600U);
  ASSERT_EQ(first.height, 800U);
  EXPECT_EQ(first.words.at(3),
            (PlacedWord{.text = "It", .left = 80, .top = 88, .right = 140, .bottom = 100}));
  EXPECT_TRUE(places->at(1).words.empty());
  EXPECT_EQ(places->at(2).words.at(1).text, "membered it.");  // a line whose words have no places
  for (std::uint32_t page = 1; page <= 4; ++page) {
    const Result<PagePicture> picture = extractor_.picture({.page = page, .bytes = mill}, "file");
    ASSERT_TRUE(picture.has_value()) << picture.error().message();
    EXPECT_THAT(picture->jpeg, ::testing::StartsWith("\xff\xd8\xff"));
    EXPECT_EQ(picture->words, places->at(page - 1).words);
  }
  EXPECT_TRUE(extractor_.picture({.page = 5, .bytes = mill}, "file").has_error());
}
#endif

TEST_F(ReadFile, APdfInJapaneseNeedsTheTablesOfPopplerData) {
  if (!std::filesystem::exists("/usr/share/poppler/cidToUnicode/Adobe-Japan1"))
    GTEST_SKIP() << "poppler-data is not installed";
  EXPECT_EQ(read(make_japanese_pdf("BT /F 12 Tf 72 600 Td <034B034D> Tj ET")).text, "あい");
}

TEST_F(ReadFile, AnFb2HasPartsAndMetadata) {
  const Document document = read(kBook);
  EXPECT_EQ(document.type, "fb2");
  EXPECT_EQ(document.metadata.title, "The Mill");
  EXPECT_THAT(document.metadata.authors, ::testing::ElementsAre("Ada Byron"));
  EXPECT_EQ(document.text, "Chapter One\n\nIt stood by the river.\n\nA line\nand another\n\nA note.");
  EXPECT_THAT(document.parts, ::testing::ElementsAre("Chapter One"));
  EXPECT_EQ(document.map.back().kind, PieceKind::footnote);
}

TEST_F(ReadFile, ADamagedFileIsRefusedByName) {
  EXPECT_EQ(refused("%PDF-1.7\nnothing of a PDF obj").code, Errc::file_damaged);
  EXPECT_EQ(refused(std::string("PK\x03\x04 nothing of a ZIP")).code, Errc::file_damaged);
}

TEST_F(ReadFile, AnUnknownTypeIsRefusedByName) { EXPECT_EQ(refused("GIF89a").code, Errc::type_unsupported); }

TEST_F(ReadFile, TheErrorNamesTheFile) {
  EXPECT_THAT(refused("%PDF-1.7\nnothing of a PDF obj").message(), HasSubstr("file: "));
}

TEST_F(ReadFile, EntitiesOfTheFileAreNotExpanded) {
  std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE FictionBook [<!ENTITY a0 \"lol\">";
  for (int i = 1; i < 30; ++i) {
    bomb += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int copies = 0; copies < 4; ++copies) bomb += "&a" + std::to_string(i - 1) + ";";
    bomb += "\">";
  }
  bomb += "]><FictionBook><body><section><p>seen &a29;</p></section></body></FictionBook>";
  EXPECT_EQ(read(bomb).text, "seen");
}

using Names = std::vector<std::pair<std::string, std::string>>;

/// Names and contents of the members; of one with an error, its code.
Names members_of(const Content& content) {
  Names all;
  for (const Member& member : std::get<Unpacked>(content).members)
    all.emplace_back(member.name, member.error ? std::string(error_name(member.error->code)) : member.bytes);
  return all;
}

struct ArchiveRow {
  const char *format, *filter;
};
void PrintTo(const ArchiveRow& row, std::ostream* out) { *out << row.format << " " << row.filter; }

/// Letters in no order that compression finds; others for each seed.
std::string incompressible(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text(200'000, ' ');
  for (char& letter : text) letter = static_cast<char>('a' + random() % 26);
  return text;
}

class OfArchives : public ::testing::TestWithParam<ArchiveRow> {};

TEST_P(OfArchives, TheMembersAreGiven) {
  Extractor extractor{options()};
  const Names members = {{"a.txt", "One."}, {"folder/b.txt", std::string(100'000, 'x')}};
  const std::string bytes = make_archive(GetParam().format, GetParam().filter, members);
  const Result<Content> content = extractor.content(bytes, "archive");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  EXPECT_EQ(members_of(*content), members);
  EXPECT_EQ(extractor.read(bytes, "archive").error().code, Errc::type_unsupported);
}

TEST_P(OfArchives, WhatIsCutOffIsSaidToBreakOffAfterTheFilesRead) {
  Extractor extractor{options()};
  Names members;  // more than the blocks that compressed data are read in
  for (std::uint32_t i = 0; i < 9; ++i) members.emplace_back(std::to_string(i) + ".txt", incompressible(i));
  const std::string bytes = make_archive(GetParam().format, GetParam().filter, members);
  for (const auto& [part, least] : {std::pair(0.9, 4U), std::pair(0.02, 0U)}) {
    const auto size = static_cast<std::size_t>(static_cast<double>(bytes.size()) * part);
    const Result<Content> content = extractor.content(bytes.substr(0, size), "archive");
    if (content.has_error()) {
      EXPECT_EQ(content.error().code, Errc::file_damaged) << content.error().message();
      EXPECT_TRUE(least == 0 || std::string_view(GetParam().format) == "7zip");  // whose list is at its end
      if (std::string_view(GetParam().format) != "zip") {
        EXPECT_THAT(content.error().message(), HasSubstr("before its first file ends (copy or download it"));
      }
      continue;
    }
    std::size_t whole = 0;
    for (const Member& member : std::get<Unpacked>(*content).members) whole += member.error ? 0 : 1;
    EXPECT_GE(whole, least);
    const std::optional<Error>& broken = std::get<Unpacked>(*content).broken;
    ASSERT_TRUE(broken);
    EXPECT_EQ(broken->code, Errc::file_damaged);
    EXPECT_THAT(broken->reason, HasSubstr(whole == 0 ? "before its first file ends"
                                                     : "files read before that: " + std::to_string(whole)));
  }
}

TEST_P(OfArchives, EveryBeginningIsReadOrRefused) {
  Extractor extractor{options()};
  const std::string bytes = make_archive(GetParam().format, GetParam().filter,
                                         {{"a.txt", std::string(3000, 'x')}, {"b.txt", "Two."}});
  const std::size_t step = std::max<std::size_t>(1, bytes.size() / 50);
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    const Result<Content> content = extractor.content(bytes.substr(0, size), "archive");
    if (content.has_error()) continue;
    for (const auto& [name, bytes_of_it] : members_of(*content))
      EXPECT_TRUE(name == "a.txt" || name == "b.txt") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, OfArchives,
                         ::testing::Values(ArchiveRow{"zip", "none"}, ArchiveRow{"ustar", "none"},
                                           ArchiveRow{"ustar", "gzip"}, ArchiveRow{"ustar", "bzip2"},
                                           ArchiveRow{"ustar", "xz"}, ArchiveRow{"ustar", "zstd"},
                                           ArchiveRow{"7zip", "none"}),
                         [](const auto& row) {
                           return std::string(row.param.format) + "_" + row.param.filter;
                         });

TEST_F(ReadFile, AnArchiveGivesWhatIsSeenUnderPlainNames) {
  const std::string bytes = make_archive("ustar", "none",
                                         {{"./a.txt", "old"},
                                          {".hidden/b.txt", "b"},
                                          {"x/../../c.txt", "c"},
                                          {"/d.txt", "d"},
                                          {"a.txt", "new"},
                                          {"\xea.txt", "e"}});
  const Result<Content> content = extractor_.content(bytes, "file");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  EXPECT_EQ(members_of(*content), (Names{{"a.txt", "new"}, {"d.txt", "d"}, {"\\xea.txt", "e"}}));
  EXPECT_EQ(std::get<Unpacked>(*content).hidden, 2U);
}

struct NamesRow {
  const char* written;  ///< by a program of Windows
  const char* seen;
};
void PrintTo(const NamesRow& row, std::ostream* out) { *out << row.seen; }
/// A ZIP archive with one member, whose name is written as it is: libarchive's depends on the locale.
std::string zip_with(const std::string& name) {
  const std::string placeholder(name.size(), 'N');
  std::string bytes = make_archive("zip", "none", {{placeholder, "Text."}});
  for (std::size_t at = 0; (at = bytes.find(placeholder, at)) != std::string::npos; at += name.size())
    bytes.replace(at, name.size(), name);
  return bytes;
}

class MemberNames : public ::testing::TestWithParam<NamesRow> {};

TEST_P(MemberNames, AreThoseThatTheirWriterSaw) {
  Extractor extractor{options()};
  const Result<Content> content = extractor.content(zip_with(GetParam().written), "archive");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  EXPECT_EQ(members_of(*content), (Names{{GetParam().seen, "Text."}}));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MemberNames,
    ::testing::Values(NamesRow{"\x84\xa8\xaf\xab\xae\xac\xad\xa0\xef \xe0\xa0\xa1\xae\xe2\xa0.txt",
                               "Дипломная работа.txt"},
                      NamesRow{"\xc4\xe8\xef\xeb\xee\xec/\xe3\xeb\xe0\xe2\xe0 1.txt", "Диплом/глава 1.txt"},
                      NamesRow{"\xe3\xeb\xe0\xe2\xe0.txt", "глава.txt"},
                      NamesRow{"\xa3\xab\xa0\xa2\xa0.txt", "глава.txt"},
                      NamesRow{"M\x81llerin \x81"
                               "ber \x94l.txt",
                               "Müllerin über öl.txt"},
                      NamesRow{"\x9f.txt", "\\x9f.txt"}));

TEST_F(ReadFile, ADocumentInAnArchiveFormatIsADocument) {
  const Result<Content> content =
      extractor_.content(make_docx("<w:p><w:r><w:t>One.</w:t></w:r></w:p>"), "file");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  EXPECT_EQ(std::get<Document>(*content).text, "One.");
  EXPECT_EQ(extractor_.content(make_zip({{"[Content_Types].xml", "<Types/>"}, {"xl/book.xml", "x"}}), "file")
                .error()
                .code,
            Errc::type_unsupported);
}

TEST_F(ReadFile, AnArchiveThatBeginsWithAPdfIsAnArchive) {
  const std::string pdf = make_pdf({{"One."}});
  for (const std::string& begin : {std::string("PK\x03\x04...a.pdf"), std::string("\x1F\x8B...")})
    EXPECT_NE(type_of(begin + pdf), FileType::pdf);
  const Result<Content> content =
      extractor_.content(make_archive("ustar", "none", {{"a.pdf", pdf}}), "a.tar");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  EXPECT_TRUE(std::holds_alternative<Unpacked>(*content));
  EXPECT_EQ(type_of("junk before it\n" + pdf), FileType::pdf);
}

TEST_F(ReadFile, AnArchiveWithAFolderWordIsNoDocument) {
  const Result<Content> content = extractor_.content(
      make_zip({{"word/list.txt", "one"}, {"word/document.xml", "<words/>"}, {"_rels/.rels", "none"}}),
      "file");
  ASSERT_TRUE(content.has_value()) << content.error().message();
  ASSERT_TRUE(std::holds_alternative<Unpacked>(*content));
  const std::string workbook = make_zip(
      {{"_rels/.rels",
        "<Relationships><Relationship Target=\"xl/workbook.xml\" "
        "Type=\"t/officeDocument\"/></Relationships>"},
       {"xl/workbook.xml", "<workbook/>"},
       {"[Content_Types].xml",
        "<Types><Default Extension=\"docx\" "
        "ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document\"/></Types>"},
       {"word/notes.xml", "<notes/>"}});
  EXPECT_EQ(extractor_.content(workbook, "file").error().code, Errc::type_unsupported);
}

TEST_F(ReadFile, ADocxIsKnownByItsMainPartInAnyFolder) {
  const std::string moved = make_zip(
      {{"_rels/.rels",
        "<Relationships><Relationship Target=\"main.xml\" Type=\"t/officeDocument\"/></Relationships>"},
       {"main.xml",
        "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>One.</w:t></w:r></w:p></w:body></w:document>"}});
  EXPECT_EQ(read(moved).text, "One.");
  EXPECT_EQ(read(moved).type, "docx");
  const std::string listed =
      make_zip({{"[Content_Types].xml",
                 "<Types><Override PartName=\"/word/document.xml\" "
                 "ContentType=\"application/"
                 "vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"},
                {"word/document.xml", "<w:document xmlns:w=\"w\"/>"}});
  EXPECT_EQ(refused(listed).code, Errc::file_damaged);  // nothing names its main part
}

TEST_F(ReadFile, AnArchiveBombIsTooLarge) {
  const std::string mebibyte(std::size_t{1} << 20U, '\0');
  Names members;
  for (int i = 0; i < 257; ++i) members.emplace_back(std::to_string(i), mebibyte);
  const Result<Content> content = extractor_.content(make_archive("ustar", "zstd", members), "bomb.tar.zst");
  ASSERT_TRUE(content.has_error());
  EXPECT_EQ(content.error().code, Errc::file_too_large) << content.error().message();
  EXPECT_THAT(content.error().message(), HasSubstr("bomb.tar.zst"));
}

TEST_F(ReadFile, AnArchiveOfTooManyMembersIsTooLarge) {
  Names members;
  for (std::size_t i = 0; i <= kMostMembers; ++i) members.emplace_back(std::to_string(i), "");
  EXPECT_EQ(extractor_.content(make_archive("ustar", "zstd", members), "file").error().code,
            Errc::file_too_large);
}

TEST_F(ReadFile, AnArchiveMayHaveManySmallMembers) {
  Names members;
  for (std::size_t i = 0; i < kMostMembers; ++i) members.emplace_back(std::to_string(i) + ".txt", "Text.");
  for (const char* format : {"zip", "ustar"}) {
    const Result<Content> content = extractor_.content(make_archive(format, "none", members), "small");
    ASSERT_TRUE(content.has_value()) << content.error().message();
    ASSERT_EQ(std::get<Unpacked>(*content).members.size(), kMostMembers);
    EXPECT_EQ(std::get<Unpacked>(*content).members.back().bytes, "Text.");
  }
}

TEST_F(ReadFile, ADocumentMayHaveManySmallParts) {
  Names members = {
      {"_rels/.rels",
       "<Relationships><Relationship Target=\"main.xml\" Type=\"t/officeDocument\"/></Relationships>"},
      {"main.xml",
       "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>One.</w:t></w:r></w:p></w:body></w:document>"}};
  while (members.size() < kMostMembers) members.emplace_back(std::to_string(members.size()) + ".xml", "<x/>");
  EXPECT_EQ(read(make_zip(members)).text, "One.");
}

TEST_F(ReadFile, ACompressedTextIsNoArchive) {
  const char packed[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\xf3\xcfK\xd5\x03\0\xb1\x2b\x5d\xd6\x04\0\0\0";
  const Error error = extractor_.content(std::string(packed, sizeof packed - 1), "a.txt.gz").error();
  EXPECT_EQ(error.code, Errc::type_unsupported) << error.message();
  const std::string cut(packed, sizeof packed - 9);  // such as an archive that a transfer has cut off
  EXPECT_THAT(extractor_.content(cut, "a.tar.gz").error().message(),
              HasSubstr("a.tar.gz: is an archive that breaks off or is damaged"));
}

TEST_F(ReadFile, APageOfHtmlHasItsVisibleText) {
  const auto page =
      extractor_.page({true, "utf-8", "<title>Mills</title><p>seen</p><p hidden>unseen</p>"}, "a.html");
  ASSERT_TRUE(page.has_value()) << page.error().message();
  EXPECT_EQ(page->title, "Mills");
  EXPECT_EQ(page->text, "seen");
  EXPECT_EQ(page->hidden, "unseen");
}

TEST_F(ReadFile, APlainTextIsConverted) {
  EXPECT_EQ(extractor_.page({false, "koi8-r", "\xCD\xC9\xD2"}, "a.txt")->text, "мир");
  EXPECT_EQ(extractor_.page({false, "utf-8", "\xCD\xC9\xD2"}, "a.txt").error().code, Errc::invalid_utf8);
}

TEST_F(ReadFile, ManyAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 10; ++j) {
        const std::string text = "Page of " + std::to_string(i * 100 + j) + ".";
        const Result<Document> document = extractor_.read(make_pdf({{text}}), "file");
        if (document.has_value() && document->text == text) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 80);
}

TEST(Extractor, AFileThatTakesTooLongIsRefusedAndTheNextIsRead) {
  ExtractorOptions short_time = options();
  short_time.seconds = 1;
  Extractor extractor(short_time);
  // Thousands of pages that draw one another's form.
  const Result<Document> slow = extractor.read(make_endless_pdf(), "slow.pdf");
  ASSERT_TRUE(slow.has_error());
  EXPECT_EQ(slow.error().code, Errc::extraction_timed_out) << slow.error().message();
  EXPECT_TRUE(extractor.read(make_pdf({{"Next."}}), "next.pdf").has_value());
}

TEST(Extractor, AFileOfManyPagesHasMoreTime) {
  const std::vector<std::string> lines(150,
                                       "All of these lines have the same words, and more of them follow.");
  const std::string book = make_pdf(std::vector<std::vector<std::string>>(2000, lines));
  ExtractorOptions little = options();
  little.seconds = 1;
  EXPECT_TRUE(Extractor(little).read(book, "book.pdf").has_value());
  little.most_seconds = 1;
  const Result<Document> refused = Extractor(little).read(book, "book.pdf");
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::extraction_timed_out) << refused.error().message();
}

#ifndef __SANITIZE_ADDRESS__  // which needs more addresses than any limit
TEST(Extractor, AFileThatTakesTooMuchMemoryIsRefused) {
  ExtractorOptions little = options();
  little.memory = std::uint64_t{300} << 20U;
  Extractor extractor(little);
  const std::string huge = "{\\rtf1 " + std::string(std::size_t{250} << 20U, 'x') + "}";
  const Result<Document> read = extractor.read(huge, "huge.rtf");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::file_too_large) << read.error().message();
}
#endif

TEST(Extractor, TextOverTheLimitIsRefused) {
  ExtractorOptions little = options();
  little.most_text = 100;
  Extractor extractor(little);
  const Result<Document> read = extractor.read("{\\rtf1 " + std::string(1000, 'x') + "\\par}", "long.rtf");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::file_too_large);
}

/// The only child process of this one.
pid_t child_of_this() {
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  pid_t pid = 0;
  children >> pid;
  return pid;
}

/// Whether the process has children of its own.
bool has_children(pid_t pid) {
  std::ifstream children("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  pid_t child = 0;
  return static_cast<bool>(children >> child);
}

TEST(Extractor, AFileThatNobodyWaitsForIsReadNoFurther) {
  Extractor extractor(options());
  std::stop_source stop;
  std::jthread canceller([&] {
    while (!has_children(child_of_this())) std::this_thread::yield();
    stop.request_stop();
  });
  const WorkUnder under(nullptr, stop.get_token());
  const auto begin = std::chrono::steady_clock::now();
  const Result<Document> read = extractor.read(make_endless_pdf(), "endless.pdf");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::busy) << read.error().message();
  while (has_children(child_of_this())) std::this_thread::yield();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(options().seconds) / 2);
}

TEST(Extractor, ADeadProgramIsReplaced) {
  Extractor extractor(options());
  ASSERT_TRUE(extractor.read(make_pdf({{"Before."}}), "a.pdf").has_value());
  const pid_t program = child_of_this();
  ASSERT_GT(program, 0);
  ASSERT_EQ(::kill(program, SIGKILL), 0);
  const Result<Document> after = extractor.read(make_pdf({{"After."}}), "b.pdf");
  ASSERT_TRUE(after.has_value()) << after.error().message();
  EXPECT_EQ(after->text, "After.");
}

TEST(Extractor, WithoutItsProgramAFileIsOfAnUnsupportedType) {
  Extractor extractor(ExtractorOptions{.program = {}});
  const Result<Document> read = extractor.read("%PDF-", "a.pdf");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::type_unsupported);
  EXPECT_THAT(read.error().message(), HasSubstr("not installed"));
}

}  // namespace
}  // namespace akin::extract
