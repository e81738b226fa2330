// The window of a stream in a folder, so that a stream that was ended or killed continues.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/file_lock.h"
#include "base/files.h"
#include "server/judge/line_stream.h"

namespace akin::judge {

/// The folder has the lines of the documents in the window with their stories, in several files of which the
/// first are removed once their documents have left, and the names of the input files that were read to their
/// end. What was flushed survives the end of the process and a power failure.
///
/// `next_known`, `has_ended` and `lines_taken` belong to the thread that reads lines, the rest to the one
/// that takes answers.
class StreamState {
 public:
  /// Opens the folder, or makes it. Errors: busy (another stream uses it), io.
  [[nodiscard]] static Result<std::unique_ptr<StreamState>> open(const std::filesystem::path& folder,
                                                                 const WindowOptions& window);

  /// The documents that were added before, in their order, as known lines with a story; nothing at the end.
  /// Errors: io, corrupt.
  [[nodiscard]] Result<std::optional<NumberedLine>> next_known();
  [[nodiscard]] bool has_ended(const std::string& file) const { return ended_.contains(file); }
  /// The number of the last line of a file that was added. Requires that `next_known` has returned nothing.
  [[nodiscard]] std::uint64_t lines_taken(const std::string& file) const;

  /// Adds a line that was answered; `story` null: it is not a document.
  void add(const NumberedLine& line, std::int64_t time, const Story* story);
  /// Bytes that `flush` has to write.
  [[nodiscard]] std::size_t pending() const noexcept { return documents_.size() + files_.size(); }
  /// Brings what was added since the last call to the disk, documents before the ends of files. Call after
  /// the answers were written: a document whose answer is lost must be read again. Errors: io, disk_full.
  [[nodiscard]] Result<void> flush();

 private:
  /// One file of documents.
  struct Part {
    std::uint64_t number = 1;
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();  ///< time of a document
    std::uint64_t documents = 0;
  };

  StreamState(std::filesystem::path folder, FileLock lock, const WindowOptions& window)
      : folder_(std::move(folder)), lock_(std::move(lock)), window_(window) {}

  [[nodiscard]] std::filesystem::path path_of(const Part& part) const;
  [[nodiscard]] Result<void> list_parts();
  [[nodiscard]] Result<void> read_ended();
  [[nodiscard]] Result<NumberedLine> known_line(Part& part, std::string_view record);
  /// Begins the next part, and removes those that nothing in the window needs.
  [[nodiscard]] Result<void> turn_over();
  void count(Part& part, std::int64_t time);

  const std::filesystem::path folder_;
  const FileLock lock_;
  const WindowOptions window_;
  std::vector<Part> parts_;  ///< never empty; the last one is written
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();

  std::size_t next_part_ = 0;  ///< to be read
  bool is_read_ = false;       ///< all parts that were there are; others may be written
  std::string read_;           ///< of the part before it, from at_ on
  std::size_t at_ = 0;
  std::unordered_set<std::string> ended_;
  std::unordered_map<std::string, std::uint64_t> lines_taken_;

  FileHandle open_part_, open_ended_;
  std::uint64_t part_bytes_ = 0;   ///< of the last part
  std::string documents_, files_;  ///< to be written
};

}  // namespace akin::judge
