// The files in the body of a request to upload them: those of a form, or one that is the whole body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "server/api/call.h"
#include "server/api/read/multipart.h"
#include "server/api/stream.h"
#include "server/ingest/read_file.h"

namespace akin::api {

/// A request brings no more files than this; members of archives do not count.
inline constexpr std::uint64_t kMostUploadedFiles = std::uint64_t{1} << 16U;

struct UploadedFile {
  ingest::SentFile file;
  std::string encoding;               ///< of plain text, and of HTML that declares none
  std::string title = {};             ///< the one given for it; may be empty
  std::string metadata = {};          ///< given for it, as compact JSON; empty if there are none
  std::optional<Error> refused = {};  ///< why it cannot be read; its bytes are incomplete then
};

/// Holds one file and one piece of the body. For one thread.
class UploadedFiles {
 public:
  /// Reads the type of the body and the parameters `prefix`, `encoding` and `file_name`. The call and the
  /// body must outlive it. Errors: invalid_argument, unsupported.
  [[nodiscard]] static Result<UploadedFiles> open(const Call& call, BodySource& body);

  /// The next file; nothing at the end of the body. A file that is too long is skipped to its end. Errors:
  /// invalid_argument (also a form's field that is not known), too_large, forbidden (a form of the desk that
  /// does not begin with its token), as MultipartReader::next.
  [[nodiscard]] Result<std::optional<UploadedFile>> next();

 private:
  UploadedFiles(const Call& call, BodySource& body) : call_(call), body_(body) {}

  [[nodiscard]] Result<UploadedFile> read_whole_body();
  [[nodiscard]] Result<UploadedFile> read_file(const PartHead& head);
  [[nodiscard]] Result<void> read_field(const std::string& name);
  [[nodiscard]] Result<std::string> read_value(const std::string& name);
  /// Completes what is known before its bytes are.
  [[nodiscard]] UploadedFile file_named(std::string name, const std::string& content_type);

  const Call& call_;
  BodySource& body_;
  std::optional<MultipartReader> form_;
  std::string prefix_, encoding_, name_;  ///< the parameters; `name_` of a body that is a file
  std::string id_, title_;                ///< given for the next file
  std::string metadata_;                  ///< for all that follow
  std::uint64_t files_ = 0;
  bool needs_token_ = false;
  bool ended_ = false;
};

}  // namespace akin::api
