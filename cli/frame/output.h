// What a command prints: standard output, or a file, buffered and checked.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace akin::cli {

/// Buffers a command's output and writes it to a file descriptor. A reader that has gone away (a closed pipe)
/// is not an error: the rest is dropped silently. `flush` reports any other failure to write. Requires
/// SIGPIPE to be ignored.
class Output {
 public:
  /// Errors call the output `name`. A terminal gets no control characters (visible_text), files all bytes.
  explicit Output(int descriptor, std::string name = "standard output");
  /// Drops everything.
  Output() : descriptor_(kNowhere) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);

  /// Writes the buffer. Errors: disk_full, io; after the first one, every later call returns it again.
  [[nodiscard]] Result<void> flush();

  /// Nobody reads any more, or writing has failed: further output of a long job is lost.
  [[nodiscard]] bool lost() const noexcept { return reader_gone_ || failure_ != 0; }

 private:
  static constexpr int kNowhere = -1;

  int descriptor_;
  std::string name_;
  bool terminal_ = false;
  std::string buffer_;
  bool reader_gone_ = false;
  int failure_ = 0;  ///< errno of the first failed write

  void write_out();
};

}  // namespace akin::cli
