// Writes lines into a file that gets its name once it is complete; compressed on request.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::cli {

enum class Compression : std::uint8_t { none, gzip, zstd };

/// That of a file by the ending of its name, .gz or .zst.
[[nodiscard]] Compression compression_of(const std::filesystem::path& path);

/// A file that is read must not be replaced by what is made of it, which lacks the rest. `what`: the flag
/// that names `out`. Among what is read, "-" is standard input. Error: invalid_argument.
[[nodiscard]] Result<void> check_is_not_read(const std::string& what, const std::filesystem::path& out,
                                             const std::vector<std::filesystem::path>& read);

class LineWriter {
 public:
  /// "-" is standard output. A file is written next to its final path under another name, and replaces an
  /// existing file when it is finished; if it is never finished, the destructor deletes it. A device or a
  /// pipe is written as it is. Errors: busy (another one writes it now, in any process), io, disk_full,
  /// not_found (its folder), invalid_argument (it is a folder).
  [[nodiscard]] static Result<std::unique_ptr<LineWriter>> open(const std::filesystem::path& path,
                                                                Compression compression = Compression::none);
  virtual ~LineWriter() = default;

  /// Writes a line that includes its line feed. Errors: io, disk_full.
  [[nodiscard]] virtual Result<void> write(std::string_view line) = 0;
  /// Nobody reads standard output any more: further lines are dropped.
  [[nodiscard]] virtual bool lost() const noexcept = 0;
  /// Writes everything to disk and gives the file its name.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace akin::cli
