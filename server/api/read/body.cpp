#include "server/api/read/body.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/fair_turns.h"
#include "base/utf8.h"
#include "base/waiting.h"
#include "extract/formats/claimed_type.h"
#include "extract/formats/formats.h"
#include "server/ingest/read_document.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

Error unsupported_type(std::string reason) {
  return Error{
      Errc::type_unsupported, "content type of the body", std::move(reason),
      "send 'Content-Type: text/plain' or 'Content-Type: application/json', in UTF-8, or the type of a file: "
      "application/pdf, application/octet-stream; docs/formats.md has all"};
}

/// Enough of a file to know which of the formats of one type it has.
constexpr std::size_t kMarkBytes = 16;

std::string media_of(std::string_view content_type) {
  return ascii_lower(trimmed(content_type.substr(0, content_type.find(';'))));
}

/// A file that akin-extract reads, when it is the client's turn. Meanwhile this thread runs nothing.
Result<extract::Document> extracted_document(const Service& service, const Request& request,
                                             const ingest::DocumentReading& reading) {
  const Waiting waiting;
  AKIN_TRY(const auto turn, turn_to_extract(service, request));
  return ingest::document_of(request.body, reading, "body");
}

/// Parameters that say what a file in the body is.
constexpr std::array<std::string_view, 2> kOfFiles = {"file_name", "encoding"};

/// What a JSON value of this kind is called.
std::string_view json_type(ParameterKind kind) noexcept {
  if (kind == ParameterKind::integer || kind == ParameterKind::share) return "a number";
  if (kind == ParameterKind::flag) return "true or false";
  if (kind == ParameterKind::object) return "an object";
  return kind == ParameterKind::list ? "an array of strings" : "a string";
}

/// The value of a field as it would be in the query.
Result<std::string> parameter_text(const DeclaredParameter& parameter, const Fields& fields) {
  const ParameterKind kind = parameter.kind;
  const Json& value = *fields.value(parameter.name);
  const bool is_list =
      value.is_array() && std::ranges::all_of(value, [](const Json& one) {
        return one.is_string() && one.get_ref<const std::string&>().find(',') == std::string::npos;
      });
  const bool fits = kind == ParameterKind::list     ? is_list
                    : kind == ParameterKind::object ? value.is_object()
                    : value.is_number()  ? kind == ParameterKind::integer || kind == ParameterKind::share
                    : value.is_boolean() ? kind == ParameterKind::flag
                                         : value.is_string() && json_type(kind) == "a string";
  if (!fits) {
    const std::string expected(json_type(kind));
    if (expected == "a string") return fields.string(parameter.name).error();
    return Error{Errc::invalid_argument, "field " + in_quotes(parameter.name), "is not " + expected,
                 "give " + expected};
  }
  if (value.is_string()) return value.get<std::string>();
  if (!is_list) return value.dump();
  std::string names;
  for (const Json& name : value) names += (names.empty() ? "" : ",") + name.get_ref<const std::string&>();
  return names;
}

}  // namespace

ContentType content_type_of(std::string_view value) {
  ContentType type{media_of(value), {}};
  const auto end_of_type = value.find(';');
  std::string_view parameters = end_of_type == std::string_view::npos ? "" : value.substr(end_of_type + 1);
  while (!parameters.empty()) {
    const auto semicolon = parameters.find(';');
    const auto parameter = trimmed(parameters.substr(0, semicolon));
    parameters.remove_prefix(semicolon == std::string_view::npos ? parameters.size() : semicolon + 1);
    const auto equals = parameter.find('=');
    if (equals == std::string_view::npos || ascii_lower(trimmed(parameter.substr(0, equals))) != "charset")
      continue;
    type.charset = ascii_lower(trimmed(parameter.substr(equals + 1)));
    std::erase(type.charset, '"');
    if (type.charset == "utf8" || type.charset == "us-ascii") type.charset = extract::kUtf8Name;
    break;
  }
  return type;
}

Result<std::optional<FairTurns::Turn>> turn_to_extract(const Service& service, const Request& request) {
  if (!service.extractions) return std::optional<FairTurns::Turn>();
  std::optional<FairTurns::Turn> turn = service.extractions->take(request.client);
  if (turn) return turn;
  if (service.metrics) service.metrics->rejected("files");
  return Error{Errc::busy, "server", "too many files are waiting to be read", "try again in a moment"};
}

std::string_view type_of_no_form(const Request& request) {
  const std::string_view body = request.body;
  if (content_type_of(request.content_type).media != "application/x-www-form-urlencoded") return "";
  if (extract::type_of(body) != extract::FileType::other) return "application/octet-stream";
  if (trimmed(body, " \t\r\n").starts_with('{')) return "application/json";
  const std::size_t end_of_name = body.find_first_of("= \r\n");
  const bool has_field = end_of_name != std::string_view::npos && body[end_of_name] == '=';
  return !has_field && body.find('\n') != std::string_view::npos ? "text/plain" : "";
}

Result<BodyType> body_type(const Request& request) {
  if (request.content_type.empty()) return unsupported_type("is missing");
  if (validate_utf8(request.content_type, "content type").has_error())
    return unsupported_type("is not UTF-8");
  const std::string_view other = type_of_no_form(request);
  BodyType type{content_type_of(other.empty() ? request.content_type : other)};
  auto& [media, charset] = static_cast<ContentType&>(type);
  if (charset.empty()) charset = extract::kUtf8Name;
  const bool known = charset != extract::kAutoName && extract::check_encoding(charset).has_value();
  const bool text = media == "text/plain" || media == "text/html";
  if (charset != extract::kUtf8Name && (media == "application/json" || (text && !known)))
    return unsupported_type("charset " + in_quotes(charset) + " is not supported");
  const bool is_file = extract::is_media_of_files(media) || ingest::filter_of_media(media) != nullptr;
  if (!is_file && media != "application/json" && media != "text/plain")
    return unsupported_type(in_quotes(media) + " is not supported");
  if (is_file || (media == "text/plain" && charset != extract::kUtf8Name)) {
    type.kind = BodyKind::file;
  } else if (media == "application/json") {
    type.kind = BodyKind::json;
  }
  return type;
}

Result<BodyType> in_encoding(BodyType type, std::optional<std::string_view> encoding) {
  if (!encoding || type.kind == BodyKind::json) return type;
  if (auto known = extract::check_encoding(*encoding); known.has_error()) {
    Error error = std::move(known).error();
    error.what = "encoding " + in_quotes(*encoding);  // shortened
    return error;
  }
  type.charset = *encoding;
  type.kind = BodyKind::file;
  return type;
}

Result<extract::Document> body_document(const Service& service, const Request& request, const BodyType& type,
                                        extract::Sampling sampling, const std::string& file_name) {
  const std::string& media = type.media;
  const bool named_page =
      media == "text/html" || media == "application/xhtml+xml" || extract::type_of_name(file_name) == "html";
  const bool page = extract::type_of(request.body) == extract::FileType::other &&
                    (named_page || extract::begins_as_page(request.body));
  ingest::DocumentReading reading;
  if (page) reading.format = ingest::Format::html;
  reading.encoding = type.charset;
  const extract::Filter* filter = ingest::filter_of_media(media);
  if (filter == nullptr) filter = ingest::filter_of_name(file_name);
  const bool extracted = filter != nullptr || ingest::is_extracted(request.body);
  AKIN_TRY(extract::Document document,
           extracted ? extracted_document(service, request, {.sampling = sampling, .filter = filter})
                     : ingest::document_of(request.body, reading, "body"));
  document.sha256 = sha256(request.body);
  extract::check_claim(document, extract::type_of_media(media), media);
  const bool contradicted = std::ranges::any_of(document.alerts, [](const extract::FileAlert& alert) {
    return alert.kind == extract::FileAlertKind::type_contradicted;
  });
  if (!contradicted) ingest::check_name(document, file_name);
  return document;
}

StoredFile body_file(const Request& request, const BodyType& type, const extract::Document& document,
                     std::string_view path) {
  StoredFile file = ingest::original_file(path.substr(path.rfind('/') + 1), document.type,
                                          request.body.substr(0, kMarkBytes));
  file.bytes.clear();
  const bool own = document.type == extract::kFilteredType || file.media_type == type.media;
  if (own && request.content_type.size() <= kMaxFileNameBytes)
    file.media_type = trimmed(request.content_type);
  return file;
}

Result<Json> json_value(const Request& request) {
  AKIN_TRY(const BodyType type, body_type(request));
  if (type.kind == BodyKind::json) return parse_json(request.body);
  return Error{Errc::type_unsupported, "content type of the body", "only JSON is accepted here",
               "send 'Content-Type: application/json'"};
}

Result<Fields> json_body(const Request& request, std::initializer_list<std::string_view> known) {
  AKIN_TRY(Json value, json_value(request));
  return Fields::read(std::move(value), known);
}

Result<JsonBody> json_with_parameters(const Call& call, std::initializer_list<std::string_view> own) {
  const bool has_none = call.request.body.empty() && call.request.content_type.empty();
  AKIN_TRY(Json value, has_none ? Json::object() : json_value(call.request));
  std::vector<std::string_view> known(own);
  for (const DeclaredParameter& one : call.parameters.declared()) {
    if (std::ranges::find(kOfFiles, one.name) == kOfFiles.end()) {
      if (std::ranges::find(own, one.name) == own.end()) known.push_back(one.name);
    } else if (call.parameters.text(one.name)) {
      return Error{Errc::invalid_argument, call.parameters.what(one.name), "given together with a JSON body",
                   "leave it out, or send a file"};
    }
  }
  AKIN_TRY(Fields fields, Fields::read(std::move(value), known));
  std::vector<Parameter> given;
  for (const DeclaredParameter& one : call.parameters.declared()) {
    if (!fields.has(one.name) || std::ranges::find(own, one.name) != own.end()) continue;
    AKIN_TRY(std::string text, parameter_text(one, fields));
    given.push_back({std::string(one.name), std::move(text), "field"});
  }
  AKIN_TRY(Parameters parameters, call.parameters.joined(std::move(given)));
  return JsonBody{std::move(fields), std::move(parameters)};
}

Result<bool> is_array(const Request& request) {
  const ContentType type = content_type_of(request.content_type);
  const bool is_json = type.media == "application/json";
  const bool is_utf8 = type.charset.empty() || type.charset == extract::kUtf8Name;
  if ((is_json && is_utf8) || type.media == "application/x-ndjson") return is_json;
  return Error{
      Errc::type_unsupported, "content type of the body",
      "only lines of JSON and JSON arrays are accepted here",
      "send 'Content-Type: application/x-ndjson', or 'Content-Type: application/json' with an array"};
}

}  // namespace akin::api
