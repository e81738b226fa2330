#include "server/api/read/uploaded_files.h"

#include <algorithm>
#include <array>
#include <utility>

#include "extract/formats/text_encoding.h"
#include "server/api/desk_request.h"
#include "server/api/parameters.h"
#include "server/api/read/body.h"
#include "server/api/read/metadata.h"
#include "server/ingest/input.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

/// Archives that are not among the types of single documents.
constexpr std::array<std::string_view, 9> kArchiveTypes = {
    "application/x-tar",           "application/tar",  "application/gzip", "application/x-gzip",
    "application/x-7z-compressed", "application/x-xz", "application/zstd", "application/x-bzip2",
    "application/x-zip-compressed"};

Result<void> require_file(const Request& request) {
  const ContentType type = content_type_of(request.content_type);
  if (std::ranges::find(kArchiveTypes, type.media) != kArchiveTypes.end()) return {};
  const auto known = body_type(request);
  if (known.has_value() && known->kind != BodyKind::json) return {};
  return Error{Errc::type_unsupported, "content type of the body",
               known.has_error() ? known.error().reason : "JSON is not accepted here",
               "send 'Content-Type: multipart/form-data', as curl -F does, or the type of an archive: "
               "application/zip, application/x-tar"};
}

Error too_long_file(const std::string& name, std::size_t limit) {
  return Error{Errc::too_large, name, "more than " + std::to_string(limit) + " bytes",
               "send a shorter file, or raise --body-limit"};
}

/// The file's path without what leads to its beginning.
std::string_view relative(std::string_view name) {
  for (;;) {
    if (name.starts_with('/')) {
      name.remove_prefix(1);
    } else if (name.starts_with("./")) {
      name.remove_prefix(2);
    } else {
      return name;
    }
  }
}

Error wrong_field(const std::string& name, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, "form field " + json::in_quotes(name), std::move(reason),
               std::move(remedy)};
}

}  // namespace

Result<UploadedFiles> UploadedFiles::open(const Call& call, BodySource& body) {
  UploadedFiles files(call, body);
  const Parameters& parameters = call.parameters;
  files.prefix_ = parameters.text("prefix").value_or("");
  if (files.prefix_.size() > kMaxIdBytes) {
    return Error{Errc::invalid_argument, "query parameter 'prefix'",
                 "has more than the " + std::to_string(kMaxIdBytes) + " bytes of an id", "shorten it"};
  }
  files.encoding_ = parameters.text("encoding").value_or(extract::kUtf8Name);
  AKIN_CHECK(extract::check_encoding(files.encoding_));
  const auto name = parameters.text("file_name");
  AKIN_TRY(const auto boundary, boundary_in(call.request.content_type));
  if (boundary) {
    if (name) {
      return Error{Errc::invalid_argument, "query parameter 'file_name'", "given together with a form",
                   "leave it out: each file of a form has a name of its own"};
    }
    files.form_.emplace(body, *boundary);
    files.needs_token_ = needs_form_token(call.request);
    return files;
  }
  if (needs_form_token(call.request)) AKIN_CHECK(check_form_token(call.request, ""));
  AKIN_CHECK(require_file(call.request));
  if (!name || name->empty()) {
    return Error{Errc::invalid_argument, "query parameter 'file_name'", "is missing, and the body is a file",
                 "give the file's name, which becomes the document's id: ?file_name=books.zip"};
  }
  files.name_ = *name;
  return files;
}

Result<std::optional<UploadedFile>> UploadedFiles::next() {
  if (ended_) return std::optional<UploadedFile>();
  if (!form_) {
    ended_ = true;
    AKIN_TRY(UploadedFile file, read_whole_body());
    return std::optional(std::move(file));
  }
  for (;;) {
    AKIN_TRY(const auto head, form_->next());
    if (std::exchange(needs_token_, false)) {
      const bool has_token = head && head->name == desk::kFormToken && !head->file_name;
      AKIN_TRY(const std::string given, has_token ? read_value(head->name) : std::string());
      AKIN_CHECK(check_form_token(call_.request, given));
      continue;
    }
    ended_ = !head;
    if (ended_) return std::optional<UploadedFile>();
    if (!head->file_name && head->name == desk::kOnce && is_for_people(call_.request)) {
      AKIN_CHECK(read_value(head->name));  // what is stored twice is stored once
      continue;
    }
    if (!head->file_name) {
      AKIN_CHECK(read_field(head->name));
      continue;
    }
    AKIN_TRY(UploadedFile file, read_file(*head));
    // So browsers send the field of a form for which no file was chosen.
    if (head->file_name->empty() && file.file.bytes.empty()) continue;
    if (++files_ > kMostUploadedFiles) {
      return Error{Errc::too_large, "multipart body",
                   "more than " + std::to_string(kMostUploadedFiles) + " files",
                   "send them in several requests"};
    }
    return std::optional(std::move(file));
  }
}

UploadedFile UploadedFiles::file_named(std::string name, const std::string& content_type) {
  UploadedFile uploaded;
  const std::string given = std::exchange(id_, {});
  uploaded.file.id = prefix_ + (given.empty() ? std::string(relative(name)) : given);
  uploaded.file.name = std::move(name);
  ContentType type = content_type_of(content_type);
  const bool text = type.media == "text/plain" || type.media == "text/html";
  uploaded.encoding = text && !type.charset.empty() ? std::move(type.charset) : encoding_;
  uploaded.file.media = std::move(type.media);
  uploaded.title = std::exchange(title_, {});
  uploaded.metadata = metadata_;
  if (const auto known = extract::check_encoding(uploaded.encoding); known.has_error()) {
    uploaded.refused = Error{Errc::type_unsupported, ingest::display_name(uploaded.file.name),
                             "charset " + json::in_quotes(uploaded.encoding) + " is not supported",
                             "convert the file to UTF-8"};
  } else if (uploaded.file.id == prefix_) {
    uploaded.refused = Error{Errc::invalid_argument, "file without a name", "cannot have an id",
                             "give it a file name, or the form field 'id' before it"};
  }
  return uploaded;
}

Result<UploadedFile> UploadedFiles::read_whole_body() {
  UploadedFile uploaded = file_named(name_, call_.request.content_type);
  const std::size_t limit = call_.service.line_limit;
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::string& bytes = uploaded.file.bytes;
  for (;;) {
    AKIN_TRY(const std::size_t read, body_.append_to(bytes, kPiece));
    if (read == 0) return uploaded;
    if (bytes.size() > limit) return too_long_file(ingest::display_name(uploaded.file.name), limit);
  }
}

Result<UploadedFile> UploadedFiles::read_file(const PartHead& head) {
  UploadedFile uploaded = file_named(*head.file_name, head.content_type);
  const std::size_t limit = call_.service.line_limit;
  std::string& bytes = uploaded.file.bytes;
  bool too_long = false;
  for (;;) {
    AKIN_TRY(const std::string_view piece, form_->read());
    if (piece.empty()) break;
    too_long = too_long || bytes.size() + piece.size() > limit;
    if (!too_long) bytes += piece;
  }
  if (too_long && !uploaded.refused)
    uploaded.refused = too_long_file(ingest::display_name(uploaded.file.name), limit);
  return uploaded;
}

Result<std::string> UploadedFiles::read_value(const std::string& name) {
  std::string value;
  for (;;) {
    AKIN_TRY(const std::string_view piece, form_->read());
    if (piece.empty()) return value;
    if (value.size() + piece.size() > kMaxMetadata)
      return wrong_field(name, "more than " + std::to_string(kMaxMetadata) + " bytes", "shorten it");
    value += piece;
  }
}

Result<void> UploadedFiles::read_field(const std::string& name) {
  if (name != "id" && name != "title" && name != "metadata") {
    return wrong_field(name, "is not known, and has no file name",
                       "give 'id', 'title' or 'metadata' before the file that it describes");
  }
  AKIN_TRY(std::string value, read_value(name));
  if (name == "metadata" && !value.empty()) {
    AKIN_TRY(Json metadata, parse_json(value));
    AKIN_TRY(const Fields fields, Fields::read(Json{{"metadata", std::move(metadata)}}, {"metadata"}));
    AKIN_TRY(metadata_, read_metadata(fields));
    return {};
  }
  (name == "id" ? id_ : name == "title" ? title_ : metadata_) = std::move(value);
  return {};
}

}  // namespace akin::api
