// A reader that somebody else controls, and what it can make akin take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "extract/client/extractor.h"
#include "tests/support/temporary_folder.h"

namespace akin::extract {
namespace {

using ::testing::HasSubstr;

/// A reader under somebody else's control, which answers each file with zeros, as many as it likes.
std::filesystem::path make_traitor(const std::filesystem::path& folder, std::uint64_t answer) {
  const auto path = folder / "akin-extract";
  Sandbox holds;
  holds.no_new_privileges = holds.system_calls = holds.limits = true;
  std::ofstream(folder / "greeting") << encode_greeting(holds);
  std::ofstream(path) << "#!/usr/bin/python3\n"
                         "import array, socket, struct\n"
                         "control = socket.socket(fileno=3)\n"
                         "control.send(open('"
                      << (folder / "greeting").native()
                      << "', 'rb').read())\n"
                         "_, found, _, _ = control.recvmsg(1, 64)\n"
                         "file = socket.socket(fileno=array.array('i', found[0][2])[0])\n"
                         "file.sendall(b'BAKA2' + struct.pack('<Q', "
                      << answer << "))\nfile.sendall(bytes(" << answer << "))\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) << 10U;
  }
  return 0;
}

TEST(Extractor, TakesNoAnswerThatIsLongerThanAnyFiles) {
  const test::TemporaryFolder folder;
  constexpr std::uint64_t kAnswer = std::uint64_t{700} << 20U;
  Extractor extractor({.program = make_traitor(folder.path(), kAnswer)});
  const std::size_t before = peak_memory();
  const Error error = extractor.read("%PDF-1.7", "file").error();
  EXPECT_THAT(error.message(), HasSubstr("longer than any file's")) << error.message();
  EXPECT_LT(peak_memory() - before, std::size_t{64} << 20U);
}

}  // namespace
}  // namespace akin::extract
