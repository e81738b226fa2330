// A file that is open for reading, or standard input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace akin::ingest {

/// Move-only; closes the file, and leaves standard input open.
class OpenInput {
 public:
  /// "-" opens standard input. Errors: not_found, io, invalid_argument (a folder; a device, or a pipe that is
  /// not one of this process).
  [[nodiscard]] static Result<OpenInput> open(const std::filesystem::path& path);

  /// Reads up to `room` bytes; 0 at the end. Error: io.
  [[nodiscard]] Result<std::size_t> read(char* into, std::size_t room) const;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// For messages (display_name).
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// In bytes; nothing for what is not a regular file, such as a pipe.
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }

 private:
  OpenInput(FileHandle file, int descriptor, std::string name)
      : file_(std::move(file)), descriptor_(descriptor), name_(std::move(name)) {}

  FileHandle file_;
  int descriptor_;
  std::string name_;
  std::optional<std::uint64_t> size_;
};

}  // namespace akin::ingest
