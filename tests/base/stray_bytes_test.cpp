#include "base/stray_bytes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/text_codec.h"
#include "tests/support/temporary_folder.h"

namespace akin {
namespace {

const std::string kInEnglish = "In the house of the captain the lamp had been burning since the evening.";
const std::string kInRussian = "В доме капитана с самого вечера горела лампа, и никто не спал.";
const std::string kInGerman = "Im Haus des Kapitäns brannte seit dem Abend eine Lampe.";

TEST(StrayBytes, AreFoundInTextsAsTheyAreStored) {
  const test::TemporaryFolder folder;
  for (const std::string& text : {kInEnglish, kInRussian, kInGerman}) {
    const std::filesystem::path path = folder.path() / "file";
    std::ofstream(path, std::ios::binary)
        << "before" << compress_text("1. " + text + "\n").value() << "after";
    EXPECT_GT(count_in_file(path, text).value(), 0U) << text;
    EXPECT_EQ(count_in_file(path, text + "?").value(), 0U) << text;
  }
}

TEST(StrayBytes, AreFoundInAFrameThatIsCutOff) {
  const test::TemporaryFolder folder;
  const std::string frame = compress_bytes(kInGerman + std::string(300'000, '.') + kInEnglish).value();
  std::ofstream(folder.path() / "file", std::ios::binary) << frame.substr(0, frame.size() - 8);
  EXPECT_GT(count_in_file(folder.path() / "file", kInGerman).value(), 0U);
}

}  // namespace
}  // namespace akin
