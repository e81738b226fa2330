// multipart/form-data (RFC 7578) as it arrives: the parts of a body, one after another.
//
// The grammar is that of RFC 2046, 5.1.1, read strictly: lines end with CR LF, a delimiter line has nothing
// but blanks after the boundary, field lines are not folded. Names are decoded as browsers and curl encode
// them: \" and \\ in quoted strings, %22 for a quote; `filename*` (RFC 8187) in UTF-8 takes precedence.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/stream.h"

namespace akin::api {

/// The header of a part.
struct PartHead {
  std::string name;                           ///< of the form's field; any bytes
  std::optional<std::string> file_name = {};  ///< set: the part is a file; any bytes, may be empty
  std::string content_type = {};              ///< the field's value; empty if there is none
};

/// All field lines of a part together have no more bytes than this.
inline constexpr std::size_t kMostPartHead = std::size_t{16} << 10U;

/// The boundary in the value of a field Content-Type whose type is multipart/form-data; nothing for any other
/// type. Error: invalid_argument (no boundary, or one that RFC 2046 does not allow).
[[nodiscard]] Result<std::optional<std::string>> boundary_in(std::string_view content_type);

/// Holds one piece of the body and one header, no more. For one thread.
class MultipartReader {
 public:
  /// `body` must outlive it; `boundary` is one of boundary_in.
  MultipartReader(BodySource& body, std::string_view boundary)
      : body_(body), delimiter_("\r\n--" + std::string(boundary)) {}

  /// The head of the next part, after the rest of the current one is skipped; nothing after the last, when
  /// the whole body has been read. Errors: invalid_argument (the body breaks the format, or ends before the
  /// closing delimiter), too_large (kMostPartHead), as BodySource::read. Call nothing after an error.
  [[nodiscard]] Result<std::optional<PartHead>> next();

  /// The next bytes of the current part; none at its end. The view lives until the next call. Errors: as
  /// next().
  [[nodiscard]] Result<std::string_view> read();

 private:
  [[nodiscard]] std::string_view rest() const noexcept { return std::string_view(buffer_).substr(at_); }
  /// Appends a piece of the body to the rest. Error also: invalid_argument at the end of the body.
  [[nodiscard]] Result<void> fill();
  /// Reads until the rest has so many bytes.
  [[nodiscard]] Result<void> require(std::size_t bytes);
  /// After a delimiter: whether a part follows, or the body's end.
  [[nodiscard]] Result<bool> finish_delimiter();
  [[nodiscard]] Result<PartHead> read_head();
  [[nodiscard]] Result<void> skip_epilogue();

  BodySource& body_;
  const std::string delimiter_;
  std::string buffer_ = "\r\n";  ///< as if a line ended before the body: its first line may be a delimiter
  std::size_t at_ = 0;           ///< bytes of the buffer already consumed
  bool at_delimiter_ = false;    ///< the last delimiter was consumed, and what follows it was not
  bool ended_ = false;
};

}  // namespace akin::api
