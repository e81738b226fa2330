// The documents in the files of a folder, as lines for a stream.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "cli/commands/stream/folder_watch.h"
#include "cli/frame/file_line_reader.h"
#include "server/ingest/walk.h"
#include "server/judge/line_stream.h"
#include "server/judge/stream_state.h"

namespace akin::cli {

/// Reads each file once, the one that was written first before the others: lines of JSON as they are, other
/// files as `akin index` does. A file that cannot be read is answered by its error. One thread.
class FolderFeed {
 public:
  /// `follow`: waits for further files at the end, and leaves a file alone until it has not been written to
  /// for a second, unless it was renamed. `state` says what was read before; null: nothing. It must outlive
  /// the feed.
  FolderFeed(std::filesystem::path folder, bool follow, const judge::StreamState* state)
      : folder_(std::move(folder)), follow_(follow), state_(state) {}

  /// The next line, with its file as the path below the folder and its number; nothing at the end, or once
  /// `stopped` returns true, which is called often. Errors: io (the folder cannot be read).
  [[nodiscard]] Result<std::optional<judge::NumberedLine>> next(const std::function<bool()>& stopped);

 private:
  /// Puts the files of a list that were not read into `waiting_`. `prefix`: of their ids. `is_whole`: they
  /// are not being written.
  void take(ingest::InputList found, const std::string& prefix, bool is_whole);
  [[nodiscard]] Result<void> list_files();
  /// Takes what arrived in the folder; waits for it a little.
  [[nodiscard]] Result<void> await_files();
  /// Puts the waiting files that are not being written into `files_`.
  void queue_waiting();
  void open(const ingest::InputFile& file);
  /// Puts the next line of the open file at the end of `lines_`.
  void read_line();

  const std::filesystem::path folder_;
  const bool follow_;
  const judge::StreamState* const state_;
  std::optional<FolderWatch> watch_;  ///< with `follow_`, from the first list on
  std::chrono::steady_clock::time_point listed_;
  bool is_incomplete_ = false;  ///< the watch has missed something since then
  struct Waiting {
    ingest::InputFile file;
    bool is_whole = false;
  };
  std::vector<Waiting> waiting_;
  std::unordered_set<std::string> seen_;    ///< ids of files that wait, are queued or were read
  std::deque<ingest::InputFile> files_;     ///< to be read
  std::unique_ptr<FileLineReader> reader_;  ///< of the file of `lines_`, while it has more
  std::string file_;
  std::uint64_t taken_ = 0;                ///< lines of it that were answered before
  std::deque<judge::NumberedLine> lines_;  ///< read ahead, to know the last one of a file
};

}  // namespace akin::cli
