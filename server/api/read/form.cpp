#include "server/api/read/form.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "server/api/read/body.h"
#include "server/api/read/multipart.h"
#include "server/ingest/input.h"

namespace akin::api {

namespace {

constexpr std::string_view kAnyFile = "application/octet-stream";

Error wrong_form(std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, "form", std::move(reason), std::move(remedy)};
}

/// A body that has arrived.
class WholeBody final : public BodySource {
 public:
  explicit WholeBody(std::string_view bytes) noexcept : rest_(bytes) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = rest_.copy(into.data(), into.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

Result<std::string> read_part(MultipartReader& reader) {
  std::string value;
  for (;;) {
    AKIN_TRY(const std::string_view piece, reader.read());
    if (piece.empty()) return value;
    value += piece;
  }
}

Result<Parameter> field_of(std::string name, std::string value) {
  AKIN_CHECK(validate_utf8(name, "name of a form field"));
  AKIN_CHECK(validate_utf8(value, std::string(kFormField) + " " + in_quotes(name)));
  return Parameter{std::move(name), std::move(value), kFormField};
}

bool is_urlencoded(const Request& request) {
  return content_type_of(request.content_type).media == "application/x-www-form-urlencoded" &&
         type_of_no_form(request).empty();
}

/// Perhaps a file without its line ends: whatever `curl -d` sends claims to be a form, unless -H says
/// otherwise.
Error no_form(const Request& request) {
  const std::string url = in_quotes(request.header("host").value_or("") + request.target);
  return Error{Errc::type_unsupported, "content type of the body",
               "'application/x-www-form-urlencoded', as curl -d sends it, without a form's field 'text'",
               "send a text by: curl " + url +
                   " -H 'Content-Type: text/plain' --data-binary @FILE, and a file by: curl " + url +
                   " -F file=@FILE"};
}

Result<Form> urlencoded_form(const Request& request) {
  Form form;
  constexpr std::string_view kText = "text=";
  const bool has_text = request.body.starts_with(kText) || request.body.find("&text=") != std::string::npos;
  if (!has_text) return no_form(request);
  AKIN_TRY(form.fields, parse_query(request.body, kFormField));
  return form;
}

/// The content type by which a file's own bytes decide what it is, unless its part says more.
Result<std::string> type_of_part(const FormFile& file) {
  Request part;
  part.content_type = file.media;
  const auto type = body_type(part);
  if (type.has_value() && type->kind == BodyKind::file) return file.media;
  const ContentType given = content_type_of(file.media);
  if (type.has_error() && !given.charset.empty()) return type.error();
  return std::string(kAnyFile);
}

/// The fields of this list as one, where the first of them is.
void join_list(std::vector<Parameter>& fields, std::string_view name) {
  const auto is_list = [name](const Parameter& field) { return field.name == name; };
  const auto first = std::ranges::find_if(fields, is_list);
  if (first == fields.end()) return;
  const auto others = std::stable_partition(first + 1, fields.end(), std::not_fn(is_list));
  for (auto other = others; other != fields.end(); ++other) first->value += "," + other->value;
  fields.erase(others, fields.end());
}

/// Makes the form's file, or its field `text`, the body of the request.
Result<void> take_body(Form& form, Request& request) {
  const auto text = std::ranges::find(form.fields, "text", &Parameter::name);
  const bool has_text = text != form.fields.end();
  if (form.files.size() + (has_text ? 1 : 0) != 1) {
    const bool none = form.files.empty() && !has_text;
    return wrong_form(none ? "it has neither a file nor a text" : "it has more than one file or text",
                      "send one, as curl -F file=@NAME or curl -F 'text=…'");
  }
  if (has_text) {
    request.content_type = "text/plain";
    request.body = std::move(text->value);
    form.fields.erase(text);
    return {};
  }
  FormFile& file = form.files.front();
  if (file.field != "file" && file.field != "document") {
    return Error{Errc::invalid_argument, "form field " + in_quotes(file.field), "it is a file",
                 "send the file as the field 'file'"};
  }
  AKIN_TRY(request.content_type, type_of_part(file));
  request.body = std::move(file.bytes);
  const auto is_named = std::ranges::find(form.fields, "file_name", &Parameter::name) != form.fields.end();
  if (!is_named && !file.name.empty())
    form.fields.push_back({"file_name", ingest::display_name(file.name), kFormField});
  return {};
}

/// The request's head, without its body.
Request head_of(const Request& request) {
  Request head;
  head.method = request.method;
  head.target = request.target;
  head.headers = request.headers;
  head.id = request.id;
  head.peer = request.peer;
  head.client = request.client;
  head.grant = request.grant;
  head.endpoint = request.endpoint;
  return head;
}

}  // namespace

Result<std::optional<Form>> multipart_form(const Request& request) {
  AKIN_TRY(const auto boundary, boundary_in(request.content_type));
  if (!boundary) return std::optional<Form>();
  WholeBody body(request.body);
  MultipartReader reader(body, *boundary);
  Form form;
  for (;;) {
    AKIN_TRY(auto head, reader.next());
    if (!head) return std::optional(std::move(form));
    if (form.fields.size() + form.files.size() == kMostParameters) {
      return wrong_form("it has more than " + std::to_string(kMostParameters) + " parts",
                        "send it in several requests");
    }
    AKIN_TRY(std::string value, read_part(reader));
    if (!head->file_name) {
      AKIN_TRY(Parameter field, field_of(std::move(head->name), std::move(value)));
      form.fields.push_back(std::move(field));
    } else if (!head->file_name->empty() || !value.empty()) {
      form.files.push_back({std::move(head->name), *std::move(head->file_name), std::move(head->content_type),
                            std::move(value)});
    }
  }
}

Result<Form> posted_form(const Request& request) {
  AKIN_TRY(std::optional<Form> form, multipart_form(request));
  if (form) return *std::move(form);
  form.emplace();
  AKIN_TRY(form->fields, parse_query(request.body, kFormField));
  return *std::move(form);
}

Result<std::span<const Parameter>> fields_of(const Call& call) {
  if (call.form->has_error()) return call.form->error();
  return std::span<const Parameter>((*call.form)->fields);
}

Result<std::string> first_field(const Request& request, std::string_view name) {
  AKIN_TRY(const auto boundary, boundary_in(request.content_type));
  if (!boundary) {
    const std::string_view first = std::string_view(request.body).substr(0, request.body.find('&'));
    const bool is_it = first.starts_with(name) && first.substr(name.size()).starts_with('=');
    return std::string(is_it ? first.substr(name.size() + 1) : "");
  }
  WholeBody body(request.body);
  MultipartReader reader(body, *boundary);
  AKIN_TRY(const auto head, reader.next());
  if (!head || head->name != name || head->file_name) return std::string();
  return read_part(reader);
}

Result<Response> without_form(const Call& call, Handler handler) {
  AKIN_TRY(std::optional<Form> form, multipart_form(call.request));
  if (!form && is_urlencoded(call.request)) {
    AKIN_TRY(form, urlencoded_form(call.request));
  }
  if (!form) return handler(call);
  Request request = head_of(call.request);
  AKIN_CHECK(take_body(*form, request));
  for (const DeclaredParameter& one : call.parameters.declared()) {
    if (one.kind == ParameterKind::list) join_list(form->fields, one.name);
  }
  AKIN_TRY(Parameters parameters, call.parameters.joined(std::move(form->fields)));
  return handler(Call{call.service, request, call.captures, std::move(parameters)});
}

}  // namespace akin::api
