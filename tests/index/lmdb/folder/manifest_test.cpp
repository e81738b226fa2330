#include "index/lmdb/folder/backup_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

TEST(Manifests, AreReadAsTheyWereWritten) {
  BackupManifest manifest{"1.2", 2, "2024-05-17T08:30:00Z", {}, FileDigest{5, std::string(64, 'b')}};
  manifest.collections.push_back(
      {"books", {"sentences", "f", "ru,en", false}, 7, 8, {9, std::string(64, 'a')}});
  manifest.collections.push_back(
      {"more", {"sentences", "f", "ru,en", true}, 7, 8, {9, std::string(64, 'a')}});
  manifest.collections[1].dictionaries = {std::string(32, 'c'), {10, std::string(64, 'd')}};
  manifest.left_out.push_back({"news", {}});
  const BackupManifest read = must(decode_manifest(encode_manifest(manifest)));
  EXPECT_EQ(read.left_out.at(0).name, "news");
  EXPECT_EQ(encode_manifest(read), encode_manifest(manifest));
  EXPECT_EQ(read.collections[0].name, "books");
  EXPECT_FALSE(read.collections[0].dictionaries);
  EXPECT_EQ(read.collections[1].dictionaries->fingerprint, std::string(32, 'c'));
  EXPECT_EQ(read.state, manifest.state);
}

TEST(Manifests, ThatAreBrokenAreRefused) {
  const std::string good =
      encode_manifest({"1.2", 2, "now", {{"a", {"s", "f", "l", true}, 1, 2, {3, std::string(64, 'a')}}}, {}});
  must(decode_manifest(good));
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string bytes = good;
    bytes.replace(bytes.find(from), from.size(), to);
    return decode_manifest(bytes);
  };
  EXPECT_EQ(decode_manifest("").error().code, Errc::corrupt);
  EXPECT_EQ(decode_manifest("[1]").error().code, Errc::corrupt);
  EXPECT_EQ(with("\"name\": \"a\"", "\"name\": \"../a\"").error().code, Errc::corrupt);
  EXPECT_EQ(with("\"documents\": 1", "\"documents\": -1").error().code, Errc::corrupt);
  EXPECT_EQ(with("\"documents\": 1", "\"documents\": \"1\"").error().code, Errc::corrupt);
  EXPECT_EQ(with("aaaaaaaa", "").error().code, Errc::corrupt);
  EXPECT_EQ(with("\"collections\"", "\"others\"").error().code, Errc::corrupt);
  EXPECT_EQ(with("\"state\"", "\"left_out\": [\"../a\"], \"state\"").error().code, Errc::corrupt);
  EXPECT_EQ(with("\"state\"", "\"left_out\": [1], \"state\"").error().code, Errc::corrupt);
  for (const char* format : {"\"format\": 0,", "\"format\": 1,", "\"format\": 9,"}) {
    const Error error = with("\"format\": 2,", format).error();
    EXPECT_EQ(error.code, Errc::mismatch);
    EXPECT_THAT(error.remedy, testing::HasSubstr("with that akin, export the collections (akin export)"));
  }
  EXPECT_EQ(with("\"backup\": 1", "\"backup\": 2").error().code, Errc::mismatch);
  // Numbers that 32 bits would cut to these.
  EXPECT_TRUE(with("\"backup\": 1", "\"backup\": 4294967297").has_error());
  EXPECT_TRUE(with("\"format\": 2,", "\"format\": 4294967298,").has_error());
}

TEST(Manifests, WhoseDictionariesHaveAnotherNameThanAFingerprintAreRefused) {
  BackupManifest manifest{
      "1.2", 2, "now", {{"a", {"s", "f", "l", true}, 1, 2, {3, std::string(64, 'a')}}}, {}};
  for (const std::string& name :
       {std::string("../../etc/passwd"), std::string(31, 'c'), std::string(32, '/')}) {
    manifest.collections[0].dictionaries = {name, {10, std::string(64, 'd')}};
    EXPECT_EQ(decode_manifest(encode_manifest(manifest)).error().code, Errc::corrupt) << name;
  }
}

}  // namespace
}  // namespace akin::test
