#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
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

/// The bytes [begin, end) of `size` that the field Range asks for (RFC 9110, 14.1.2); empty if it asks for
/// none that exist; nothing if it is not one range, which a server may ignore.
std::optional<std::pair<std::uint64_t, std::uint64_t>> range_in(std::string_view field, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!field.starts_with(kUnit)) return std::nullopt;
  field.remove_prefix(kUnit.size());
  const std::size_t dash = field.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, failure] = std::from_chars(digits.data(), last, value);
    return failure == std::errc() && end == last ? std::optional(value) : std::nullopt;
  };
  const auto first = number(field.substr(0, dash)), last = number(field.substr(dash + 1));
  if (dash == 0 && last) return std::pair(size - std::min(size, *last), size);
  if (!first || (!last && dash + 1 < field.size()) || (last && *last < *first)) return std::nullopt;
  return std::pair(*first, last && *last < size ? *last + 1 : size);
}

}  // namespace

Response file_response(const Request& request, StoredFile file, const std::string& tag) {
  Response response{
      200,
      {{"Content-Type", std::move(file.media_type)}, {"Content-Disposition", disposition_of(file.name)}},
      std::move(file.bytes)};
  if (!tag.empty()) response.headers.emplace_back("ETag", tag);
  response.headers.emplace_back("Accept-Ranges", "bytes");
  const auto wanted = range_in(request.header("range").value_or(""), response.body.size());
  if (!wanted || request.header("if-range").value_or(tag) != tag) return response;
  const auto [begin, end] = *wanted;
  const std::string size = "/" + std::to_string(response.body.size());
  if (begin >= end) {
    response = error_response(Error{Errc::invalid_argument, "field 'range'", "no byte of the file is in it",
                                    "ask for bytes before " + size.substr(1)},
                              "range_not_satisfiable");
    response.headers.emplace_back("Content-Range", "bytes *" + size);
    return response;
  }
  response.status = 206;
  response.body = response.body.substr(begin, end - begin);
  response.headers.emplace_back("Content-Range",
                                "bytes " + std::to_string(begin) + "-" + std::to_string(end - 1) + size);
  return response;
}

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
  return file_response(call.request, *std::move(file), tag);
}

}  // namespace akin::api
