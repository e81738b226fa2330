#include "base/folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

class Folders : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(Folders, AreListedWhole) {
  for (const char* name : {"a", ".b"}) std::ofstream(folder_.path() / name) << name;
  EXPECT_THAT(entry_names(folder_.path()).value(), testing::UnorderedElementsAre("a", ".b"));
}

TEST_F(Folders, ThatCannotBeReadAreNotEmpty) {
  EXPECT_EQ(entry_names(folder_.path() / "none").error().code, Errc::not_found);
  std::ofstream(folder_.path() / "file") << "";
  EXPECT_EQ(entry_names(folder_.path() / "file").error().code, Errc::io);
}

TEST_F(Folders, OfSecretsAreTheirOwners) {
  const fs::path secret = folder_.path() / "secret";
  ASSERT_TRUE(make_private_folder(secret).has_value());
  EXPECT_EQ(mode_of(secret), 0700U);
  EXPECT_TRUE(make_private_folder(secret).has_value());
  std::ofstream(folder_.path() / "file") << "";
  EXPECT_TRUE(make_private_folder(folder_.path() / "file").has_error());
}

TEST_F(Folders, AreMadeWithThoseAboveThem) {
  const fs::path deep = folder_.path() / "a" / "b" / "c";
  ASSERT_TRUE(make_folders(deep / "").has_value());
  EXPECT_TRUE(fs::is_directory(deep));
  EXPECT_TRUE(make_folders(deep).has_value());
  std::ofstream(folder_.path() / "file") << "";
  EXPECT_TRUE(make_folders(folder_.path() / "file" / "b").has_error());
}

}  // namespace
}  // namespace akin::test
