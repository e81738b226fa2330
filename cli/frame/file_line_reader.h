// Lines of a file that may be compressed.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::cli {

/// Reads lines from a file or, for "-", standard input; input that starts like gzip (RFC 1952) or zstd (RFC
/// 8878) is decompressed. One thread.
class FileLineReader {
 public:
  /// Longest line: less than the longest text, so that a file without line ends does not fill the memory.
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 30;

  /// If `stop` is given and becomes true, reading ends, even while it waits for input: `next` returns the
  /// complete lines read so far (an incomplete one is dropped), then the end. `stop` must outlive the reader.
  /// Errors: not_found, io, invalid_argument (a folder).
  [[nodiscard]] static Result<std::unique_ptr<FileLineReader>> open(const std::filesystem::path& path,
                                                                    const std::atomic<bool>* stop = nullptr);
  virtual ~FileLineReader() = default;

  /// The next line without its line feed; nothing at the end of the file. Errors: io, corrupt (broken
  /// compression; the error names the line), too_large (the line).
  [[nodiscard]] virtual Result<std::optional<std::string>> next() = 0;
  /// Number of the line that `next` returned last, from 1.
  [[nodiscard]] virtual std::uint64_t number() const noexcept = 0;
  /// Bytes of the file as stored, compressed or not: read so far, and in total (0 if unknown).
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t bytes_total() const noexcept = 0;
};

/// Whether a path names lines of JSON: "-", or the ending .jsonl, .ndjson or .json, also before .gz or .zst.
[[nodiscard]] bool is_lines(const std::filesystem::path& path);

/// Whether it names nothing else: .json may also be one text.
[[nodiscard]] bool is_surely_lines(const std::filesystem::path& path);

/// Whether a file can be lines of JSON objects by its first line, so that what is none as a whole is refused
/// once; other lines pass. Errors, naming `file`: invalid_argument (UTF-16, an array, an object over several
/// lines), type_unsupported (a PDF, for example).
[[nodiscard]] Result<void> check_lines_of_json(std::string_view line, std::uint64_t number,
                                               const std::string& file);

}  // namespace akin::cli
