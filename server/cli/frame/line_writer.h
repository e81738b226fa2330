// Lines into a file that has its name when it is complete, compressed if wished.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::cli {

class LineWriter {
 public:
  /// "-" is standard output. A file is written under another name beside it, and replaces what is there when
  /// it is finished; without that, it goes with this object. Errors: io, disk_full, not_found (its folder).
  [[nodiscard]] static Result<std::unique_ptr<LineWriter>> open(const std::filesystem::path& path, bool zstd);
  virtual ~LineWriter() = default;

  /// A line, its end included. Errors: io, disk_full.
  [[nodiscard]] virtual Result<void> write(std::string_view line) = 0;
  /// Nobody reads standard output any more: what follows is dropped.
  [[nodiscard]] virtual bool lost() const noexcept = 0;
  /// Brings everything to the disk and gives the file its name.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace akin::cli
