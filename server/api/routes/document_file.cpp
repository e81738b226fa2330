#include <string>
#include <string_view>
#include <utility>

#include "base/hex.h"
#include "server/api/handlers.h"
#include "server/api/read/conditions.h"

namespace akin::api {

namespace {

/// RFC 5987, attr-char: what needs no escape in an extended parameter.
bool is_attribute_character(char c) {
  constexpr std::string_view kMarks = "!#$&+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kMarks.find(c) != std::string_view::npos;
}

/// Content-Disposition (RFC 6266): a file to be saved, never shown in the server's own origin. Its name
/// twice: in ASCII for old clients, and as it is.
std::string disposition_of(std::string_view name) {
  if (name.empty()) return "attachment";
  std::string plain, escaped;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool printable = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '%';
    plain += printable ? c : '_';
    escaped += is_attribute_character(c) ? std::string(1, c) : "%" + hex_of(std::string_view(&c, 1));
  }
  return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + escaped;
}

}  // namespace

Result<Response> get_file(const Call& call) {
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  const std::string& id = call.captures[1];
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(*collection, id);
  AKIN_TRY(const Freshness fresh, freshness(call.request, record->revision));
  const std::string tag = entity_tag(record->revision);
  if (fresh == Freshness::not_changed) return Response{304, {{"ETag", tag}}, ""};
  if (fresh == Freshness::not_wanted) return other_revision(id, record->revision);
  AKIN_CHECK(require_shown(call, collection->name(), *record));
  Result<StoredFile> file = snapshot->file(*record);
  if (file.has_error()) {
    Error error = std::move(file).error();
    if (error.code == Errc::unsupported) error.code = Errc::not_found;  // the request itself is a right one
    return error;
  }
  Response response = file_response(*std::move(file));
  response.headers.emplace_back("ETag", tag);
  return response;
}

Response file_response(StoredFile file) {
  return {200,
          {{"Content-Type", std::move(file.media_type)}, {"Content-Disposition", disposition_of(file.name)}},
          std::move(file.bytes)};
}

}  // namespace akin::api
