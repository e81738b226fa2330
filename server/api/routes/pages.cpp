#include <algorithm>
#include <cctype>

#include "base/ascii.h"
#include "server/api/embedded.h"
#include "server/api/handlers.h"

namespace akin::api {

namespace {

/// A page may load its style sheet and pictures from this server and nothing else; a picture contains its
/// style.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";
constexpr std::string_view kPicturePolicy = "default-src 'none'; style-src 'unsafe-inline'";

/// Whether the client is a browser. Programs that accept anything ("*/*") do not name HTML.
bool names_html(std::string_view accept) {
  return std::ranges::any_of(split(accept, ','), [](std::string_view range) {
    return equals_ignoring_case(trimmed(range.substr(0, range.find(';'))), "text/html");
  });
}

Response moved(int status, const std::string& path) {
  return Response{status, {{"Location", path}, {"Content-Type", "text/plain; charset=utf-8"}}, path + "\n"};
}

}  // namespace

Result<Response> get_root(const Call& call) {
  const bool browser = names_html(call.request.header("accept").value_or(""));
  Response response = browser ? moved(302, "/desk/") : error_response(no_route("/"));
  response.headers.emplace_back("Vary", "Accept");
  return response;
}

Result<Response> get_docs(const Call&) { return moved(308, "/docs/"); }

Result<Response> get_docs_page(const Call& call) {
  const std::string_view path = call.captures.empty() ? std::string_view() : call.captures.front();
  const auto files = docs_files();
  const auto* const file = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path).base();
  if (file == files.data() + files.size() || file->path != path) {
    return Error{Errc::not_found, "page " + in_quotes("/docs/" + std::string(path)),
                 "the documentation has no such page", "/docs/ lists its pages"};
  }
  const bool picture = file->type.starts_with("image/");
  return Response{200,
                  {{"Content-Type", std::string(file->type)},
                   {"Content-Security-Policy", std::string(picture ? kPicturePolicy : kPagePolicy)}},
                  std::string(file->content)};
}

Result<Response> get_docs_index(const Call& call) { return get_docs_page(call); }

Result<Response> get_description(const Call&) {
  return Response{200, {{"Content-Type", std::string(kJsonType)}}, std::string(openapi_description())};
}

}  // namespace akin::api
