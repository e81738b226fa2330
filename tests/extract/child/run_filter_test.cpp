// What a filter gives, and what its sandbox forbids it. Without Landlock these tests are skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "extract/client/answer.h"
#include "extract/client/extractor.h"
#include "tests/support/built.h"
#include "tests/support/temporary_folder.h"

namespace akin::extract {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

void write_into(const std::filesystem::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

class Filtered : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Extractor(options()).sandbox()->landlock == 0) GTEST_SKIP() << "the kernel has no Landlock";
  }
  static ExtractorOptions options() { return {.program = test::extract_program()}; }
  static Result<Document> by(const std::vector<std::string>& command, const std::string& bytes,
                             const ExtractorOptions& options = Filtered::options()) {
    return Extractor(options).filtered(bytes, Filter{".x", command}, "a.x");
  }
  /// Of a program in Perl that fails, what it says.
  static std::string complaint_of(const std::string& perl) {
    const Result<Document> document = by({"perl", "-e", perl}, "");
    return document.has_error() ? document.error().reason : "it could";
  }
};

TEST_F(Filtered, TheTextIsWhatTheCommandWrites) {
  const std::string bytes = std::string(300'000, 'a') + " stood by the \xD1\x80\xD0\xB5\xD0\xBA\xD0\xB8";
  const Result<Document> document = by({"perl", "-pe", "s/stood/lay/"}, bytes);
  ASSERT_TRUE(document.has_value()) << document.error().message();
  EXPECT_EQ(document->type, kFilteredType);
  EXPECT_EQ(document->text, std::string(300'000, 'a') + " lay by the \xD1\x80\xD0\xB5\xD0\xBA\xD0\xB8");
}

TEST_F(Filtered, ACommandThatIsMissingOrFailsIsNamed) {
  const Result<Document> missing = by({"no-such-command"}, "text");
  ASSERT_TRUE(missing.has_error());
  EXPECT_EQ(missing.error().code, Errc::type_unsupported);
  EXPECT_THAT(missing.error().reason, HasSubstr("'no-such-command' cannot be started: No such file"));
  const Result<Document> failed = by({"perl", "-e", "print STDERR qq(\\n no good\\n); exit 3"}, "text");
  ASSERT_TRUE(failed.has_error());
  EXPECT_EQ(failed.error().code, Errc::file_damaged);
  EXPECT_EQ(failed.error().what, "a.x");
  EXPECT_THAT(failed.error().reason, HasSubstr("ended with status 3: no good"));
}

TEST_F(Filtered, WhatIsNotTextIsDamaged) {
  for (const char* perl : {"print qq(a\\xFFb)", "print qq(a\\0b)"}) {
    const Result<Document> document = by({"perl", "-e", perl}, "");
    ASSERT_TRUE(document.has_error());
    EXPECT_EQ(document.error().code, Errc::file_damaged) << perl;
    EXPECT_THAT(document.error().reason, HasSubstr("not text in UTF-8"));
  }
}

TEST_F(Filtered, TooMuchTextAndTooMuchTimeAreErrors) {
  ExtractorOptions tight = options();
  tight.most_text = 1000;
  tight.seconds = 1;
  EXPECT_EQ(by({"perl", "-e", "print qq(abc ) while 1"}, "", tight).error().code, Errc::file_too_large);
  EXPECT_EQ(by({"perl", "-e", "sleep 100"}, "", tight).error().code, Errc::extraction_timed_out);
  EXPECT_EQ(by({"perl", "-e", "alarm 0; 1 while 1"}, "", tight).error().code, Errc::extraction_timed_out);
  EXPECT_TRUE(by({"cat"}, "It goes on.", tight).has_value());
}

TEST_F(Filtered, ACommandOpensNoFilesOfOthersAndWritesNone) {
  const std::string secret = std::filesystem::temp_directory_path() / "akin-filter-test";
  for (const std::string& path : {std::string("/etc/passwd"), std::string("/proc/1/environ"), "<" + secret}) {
    const std::string mode = path.front() == '<' ? ">" : "<";
    const std::string name = path.front() == '<' ? secret : path;
    EXPECT_THAT(complaint_of("open(F, '" + mode + "', '" + name + "') or die $!"),
                HasSubstr("Permission denied"))
        << path;
  }
  EXPECT_FALSE(std::filesystem::exists(secret));
}

TEST_F(Filtered, ACommandUsesNoNetworkStartsNoProcessAndSignalsNone) {
  EXPECT_THAT(complaint_of("socket(S, 2, 1, 6) or die $!"), HasSubstr("Operation not permitted"));
  EXPECT_THAT(complaint_of("socket(S, 1, 1, 0) or die $!"), HasSubstr("Operation not permitted"));
  EXPECT_THAT(complaint_of("defined(fork) or die $!"), HasSubstr("Operation not permitted"));
  EXPECT_THAT(complaint_of("kill(0, getppid) or die $!"), HasSubstr("Operation not permitted"));
  const std::string limits = std::to_string(SYS_prlimit64), cores = std::to_string(SYS_sched_setaffinity);
  EXPECT_THAT(complaint_of("my $old = ' ' x 16; syscall(" + limits + ", getppid, 7, 0, $old) == 0 or die $!"),
              HasSubstr("Operation not permitted"));
  EXPECT_THAT(
      complaint_of("my $set = chr(1) x 128; syscall(" + cores + ", getppid, 128, $set) == 0 or die $!"),
      HasSubstr("Operation not permitted"));
}

TEST_F(Filtered, ACommandChangesNoFileThatItCanName) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "victim";
  write_into(path, "content");
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  for (const std::string& change :
       {"chmod(0666, '" + path + "') == 1 or die $!", "utime(1, 1, '" + path + "') == 1 or die $!",
        "truncate('" + path + "', 0) or die $!",
        "use Fcntl; sysopen(F, '" + path + "', O_RDONLY | O_TRUNC) or die $!"})
    EXPECT_THAT(complaint_of(change),
                AnyOf(HasSubstr("Operation not permitted"), HasSubstr("Permission denied")))
        << change;
  EXPECT_EQ(std::filesystem::file_size(path), 7U);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
}

TEST_F(Filtered, ACommandDirectsNoSignalsOfADescriptorToAnother) {
  EXPECT_THAT(complaint_of("use Fcntl; fcntl(STDIN, F_SETOWN, getppid()) or die $!"),
              HasSubstr("Operation not permitted"));
}

TEST_F(Filtered, ACommandThatOutlivesItsOutputIsEnded) {
  ExtractorOptions tight = options();
  tight.seconds = 1;
  EXPECT_EQ(
      by({"perl", "-e", "close STDOUT; close STDERR; $SIG{ALRM} = 'IGNORE'; sleep 100 while 1"}, "", tight)
          .error()
          .code,
      Errc::extraction_timed_out);
}

TEST(FiltersWithoutLandlock, AreRefused) {
  Sandbox sandbox;
  sandbox.no_new_privileges = sandbox.system_calls = sandbox.limits = true;
  const test::TemporaryFolder folder;
  const std::filesystem::path program = folder.path() / "akin-extract";
  write_into(folder.path() / "akin-extract.greeting", encode_greeting(sandbox));
  write_into(program, "#!/bin/sh\ncat \"$0.greeting\" >&3\n");
  std::filesystem::permissions(program, std::filesystem::perms(0700));
  const Result<Document> refused =
      Extractor({.program = program}).filtered("text", Filter{".tex", {"cat"}}, "a.tex");
  ASSERT_TRUE(refused.has_error());
  EXPECT_EQ(refused.error().code, Errc::type_unsupported);
  EXPECT_EQ(refused.error().what, "a.tex");
  EXPECT_THAT(refused.error().reason, HasSubstr("filters need Landlock, which the kernel lacks"));
}

TEST_F(Filtered, ACommandHasNothingOpenButItsStreams) {
  EXPECT_THAT(complaint_of("for (3..63) { die qq(open $_) if open(F, qq(<&=$_)) } die 'none'"),
              HasSubstr("none"));
}

}  // namespace
}  // namespace akin::extract
