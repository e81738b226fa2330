// The lines of a body that is still arriving.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "server/api/stream.h"

namespace akin::api {

struct Line {
  std::uint64_t number = 0;  ///< from 1
  std::string text;          ///< without its line end; empty if it was too long
  bool too_long = false;     ///< it was skipped

  /// Whether it contains only spaces and tabs.
  [[nodiscard]] bool is_blank() const noexcept { return !too_long && akin::is_blank(text); }
};

/// The error for a skipped line: too_large.
[[nodiscard]] Error too_long(const Line& line, std::size_t limit);

/// Holds one line and one piece of the body, no more.
class BodyLineReader {
 public:
  BodyLineReader(BodySource& body, std::size_t limit) : body_(body), limit_(limit) {}

  /// The next line; nullopt at the end of the body. Text after the last line end is a line too, unless it is
  /// empty. Errors: as BodySource::read, which drop an incomplete line.
  [[nodiscard]] Result<std::optional<Line>> next();
  /// The number of lines that next() has returned.
  [[nodiscard]] std::uint64_t lines() const noexcept { return number_; }

 private:
  BodySource& body_;
  const std::size_t limit_;
  std::string piece_;
  std::size_t at_ = 0;  ///< bytes of the piece already consumed
  std::uint64_t number_ = 0;
};

}  // namespace akin::api
