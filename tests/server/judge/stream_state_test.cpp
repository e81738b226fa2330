#include "server/judge/stream_state.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/sync_log.h"
#include "tests/support/temporary_folder.h"

namespace akin::judge {
namespace {

NumberedLine line_of(const std::string& file, bool ends_file) {
  NumberedLine line;
  line.number = 1;
  line.text = R"({"id":"a","text":"A text."})";
  line.file = file;
  line.ends_file = ends_file;
  return line;
}

TEST(StreamState, FlushedDocumentsAreOnTheDiskBeforeTheEndsOfTheirFiles) {
  const test::TemporaryFolder folder;
  auto state = StreamState::open(folder.path() / "window", {});
  ASSERT_TRUE(state) << state.error().message();
  const test::SyncLog log(folder.path());
  const Story story{"a", "a", 0, false, ""};
  for (const bool ends_file : {false, true}) {
    (*state)->add(line_of("a.jsonl", ends_file), 0, &story);
    ASSERT_TRUE((*state)->flush());
  }
  const std::vector<std::string> expected{"sync window",
                                          "write window/window-00000001.ndjson",
                                          "sync window/window-00000001.ndjson",
                                          "write window/window-00000001.ndjson",
                                          "sync window/window-00000001.ndjson",
                                          "sync window",
                                          "write window/files.ndjson",
                                          "sync window/files.ndjson"};
  EXPECT_EQ(test::SyncLog::events(), expected);
}

TEST(StreamState, WhatAPowerFailureLeftOfALineIsCutOff) {
  const test::TemporaryFolder folder;
  const Story story{"a", "a", 0, false, ""};
  {
    auto state = StreamState::open(folder.path(), {});
    ASSERT_TRUE(state);
    (*state)->add(line_of("", false), 0, &story);
    ASSERT_TRUE((*state)->flush());
  }
  std::ofstream(folder.path() / "window-00000001.ndjson", std::ios::app) << std::string(9, '\0') << "}\n";
  auto state = StreamState::open(folder.path(), {});
  ASSERT_TRUE(state);
  const auto first = (*state)->next_known();
  ASSERT_TRUE(first && *first);
  EXPECT_EQ((*first)->text, line_of("", false).text);
  const auto second = (*state)->next_known();
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_FALSE(*second);
}

}  // namespace
}  // namespace akin::judge
