#include "server/api/read/body_line_reader.h"

#include <algorithm>

namespace akin::api {

namespace {
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
}  // namespace

Error too_long(const Line& line, std::size_t limit) {
  return Error{Errc::too_large, "line " + std::to_string(line.number),
               "more than " + std::to_string(limit) + " bytes", "send a shorter text"};
}

Result<std::optional<Line>> BodyLineReader::next() {
  Line line;
  bool begun = false;
  for (;;) {
    if (at_ == piece_.size()) {
      piece_.resize(kPieceBytes);
      Result<std::size_t> read = body_.read(piece_);
      piece_.resize(read.has_error() ? 0 : *read);
      at_ = 0;
      if (read.has_error()) return read.error();
      if (*read == 0) break;
    }
    begun = true;
    const std::size_t end = std::min(piece_.find('\n', at_), piece_.size());
    const std::string_view part = std::string_view(piece_).substr(at_, end - at_);
    at_ = std::min(end + 1, piece_.size());
    if (line.text.size() + part.size() > limit_) line.too_long = true;
    if (line.too_long) {
      line.text = {};
    } else {
      line.text += part;
    }
    if (end < piece_.size()) break;
  }
  if (!begun) return std::optional<Line>();
  if (line.text.ends_with('\r')) line.text.pop_back();
  line.number = ++number_;
  return std::optional(std::move(line));
}

}  // namespace akin::api
