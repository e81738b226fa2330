// The type of a request's body, and the document in one that is a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fair_turns.h"
#include "extract/document.h"
#include "extract/ocr_options.h"
#include "index/codec/stored_file.h"
#include "server/api/call.h"
#include "server/api/message.h"
#include "server/api/service.h"
#include "server/json/strict_json.h"

namespace akin::api {

enum class BodyKind { text, json, file };

/// A field Content-Type, in lower case.
struct ContentType {
  std::string media;
  std::string charset;  ///< "utf-8" also for its other names and for us-ascii; empty if there is none; of a
                        ///< BodyType then "utf-8"
};
[[nodiscard]] ContentType content_type_of(std::string_view value);

/// What a request's content type says of its body.
struct BodyType : ContentType {
  BodyKind kind = BodyKind::text;
};

/// Reads the content type: text/plain or application/json, in UTF-8; or that of a file:
/// application/octet-stream, text/html, text/plain in another charset, or one of the types of the formats in
/// docs/formats.md. Error: unsupported, which names the type or charset received and what is accepted.
[[nodiscard]] Result<BodyType> body_type(const Request& request);

/// The content type of a body that is called a form (application/x-www-form-urlencoded) and is none, because
/// `curl -d` and `--data-binary` call so whatever they send: JSON, a file, or a text of several lines, whose
/// bytes no form has, since a form encodes them. Empty for a form, for any other type, and for one line,
/// which may be a file whose line ends `curl -d` removed.
[[nodiscard]] std::string_view type_of_no_form(const Request& request);

/// The type of a body whose encoding a parameter gives, if it does: then it is a file, not JSON. Errors: as
/// extract::check_encoding.
[[nodiscard]] Result<BodyType> in_encoding(BodyType type, std::optional<std::string_view> encoding);

/// A body that must be JSON. Errors: unsupported (another content type), as parse_json.
[[nodiscard]] Result<Json> json_value(const Request& request);

/// The fields of a body that must be a JSON object. Errors: unsupported (another content type), as parse_json
/// and Fields::read.
[[nodiscard]] Result<Fields> json_body(const Request& request, std::initializer_list<std::string_view> known);

/// A body that must be a JSON object: the fields that are the handler's own, and the parameters of the
/// request together with those of its fields that are declared as parameters.
struct JsonBody {
  Fields fields;
  Parameters parameters;
};
/// A request without a body is one with an empty object. `own`: the names of the handler's fields. Errors:
/// unsupported (another content type), as parse_json, Fields::read and Parameters::joined; invalid_argument
/// (a field whose type is not that of the parameter).
[[nodiscard]] Result<JsonBody> json_with_parameters(const Call& call,
                                                    std::initializer_list<std::string_view> own);

/// The document in a body whose kind is `file`. Its own bytes decide what it is, except that text/html is
/// HTML, and charset is the encoding of text/plain and of a page that declares none; a content type that
/// contradicts them is an alert of the document. `file_name`, if it is given, chooses a filter, says that a
/// page is HTML, and may contradict the bytes too. Bytes that akin-extract reads wait for the client's turn,
/// without keeping a worker. Errors: busy (too many wait), as ingest::document_of.
[[nodiscard]] Result<extract::Document> body_document(const Service& service, const Request& request,
                                                      const BodyType& type,
                                                      extract::Sampling sampling = extract::Sampling::off,
                                                      const std::string& file_name = {});

/// Waits until it is the client's turn to have akin-extract read a file; nothing if all are read at once.
/// Error: busy (too many wait).
[[nodiscard]] Result<std::optional<FairTurns::Turn>> turn_to_extract(const Service& service,
                                                                     const Request& request);

/// Name and media type of the file in the body of a request to store it, without its bytes: the last part of
/// `path`; the type that its content shows, or, for text and for what a filter reads, that of
/// the request.
[[nodiscard]] StoredFile body_file(const Request& request, const BodyType& type,
                                   const extract::Document& document, std::string_view path);

/// Whether a body of many objects is a JSON array; else it is lines of JSON. Error: unsupported (neither).
[[nodiscard]] Result<bool> is_array(const Request& request);

}  // namespace akin::api
