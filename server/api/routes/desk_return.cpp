#include "server/api/desk_return.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "server/api/desk_request.h"
#include "server/api/read/form.h"
#include "server/api/route.h"

namespace akin::api {

namespace {

constexpr std::string_view kRoot = "/desk/";
constexpr std::size_t kLongestTarget = 8000;

/// The method that the desk has for the target; null if there is none.
const Method* desk_method(std::string_view target, std::string_view method) {
  const bool is_plain =
      std::ranges::all_of(target, [](char c) { return c > ' ' && c < '\x7f' && c != '\\'; });
  const std::string path = ascii_lower(target.substr(0, target.find('?')));
  const bool climbs = path.find("/..") != std::string::npos || path.find("%2e") != std::string::npos;
  if (!is_plain || climbs || target.size() > kLongestTarget || !target.starts_with(kRoot)) return nullptr;
  Request head;
  head.method = method;
  head.target = target;
  const Endpoint endpoint = endpoint_of(head);
  return endpoint.pattern.starts_with("/desk/sign-") ? nullptr : endpoint.method;
}

std::uint64_t length_of(const Request& head) {
  const std::string field = head.header("content-length").value_or("");
  std::uint64_t length = kMostKept + 1;  // unless the field says less
  std::from_chars(field.data(), field.data() + field.size(), length);
  return length;
}

bool is_multipart(const Request& request) {
  return ascii_lower(request.content_type).starts_with("multipart/form-data");
}

}  // namespace

std::string page_or_root(std::string_view target) {
  return std::string(desk_method(target, "GET") == nullptr ? kRoot : target);
}

std::string page_of_form(const Request& request) {
  const std::string referer = request.header("referer").value_or("");
  const std::size_t host = referer.find("://");
  const std::size_t path = host == std::string::npos ? host : referer.find(kRoot, host + 3);
  return page_or_root(path == std::string::npos ? request.target : std::string_view(referer).substr(path));
}

desk::WrittenForm written_form(const Request& request, const Result<Form>& form) {
  desk::WrittenForm written{.action = request.target, .is_multipart = is_multipart(request)};
  if (form.has_error()) return written;
  written.had_files = !form->files.empty();
  for (const Parameter& field : form->fields) {
    if (field.name != desk::kFormToken && field.name != desk::kOnce)
      written.fields.emplace_back(field.name, field.value);
  }
  return written;
}

desk::WrittenForm kept_form(std::span<const Parameter> fields) {
  const std::string action = value_of(fields, "again");
  const Method* const method = desk_method(action, "POST");
  if (method == nullptr || method->delivery == Delivery::stream) return {};
  Request request;
  request.method = "POST";
  request.target = action;
  request.body = value_of(fields, "kept");
  desk::WrittenForm written = written_form(request, posted_form(request));
  written.is_multipart = value_of(fields, "multipart") == "true";
  return written;
}

bool keeps_form(const Request& head) {
  const Endpoint endpoint = endpoint_of(head);
  return head.method == "POST" && is_for_people(head) && endpoint.delivery != Delivery::stream &&
         !head.header("authorization") && !head.header("content-encoding") &&
         head.header("accept").value_or("") != "application/json" && is_surely_from_here(head) &&
         length_of(head) <= kMostKept;
}

Response ask_to_sign_in(const Service& service, const Request& request) {
  constexpr int kForbidden = 403;
  const Result<Form> form = posted_form(request);
  if (const auto sending = form.has_value() ? name_of_sending(request, *form) : std::nullopt) {
    // The first of two equal forms may have made the first person, and so ended the time without keys.
    auto first = service.sent_forms->answer(*sending, []() -> Result<Response> {
      return Error{Errc::unauthenticated, "form", "it was not sent before", "sign in"};
    });
    if (first.has_value()) return *std::move(first);
  }
  const desk::Reader reader = stranger_of({service, request, {}, {}}, "");
  desk::SignIn view{.next = page_of_form(request), .written = written_form(request, form)};
  Response response = page_response(kForbidden, reader, desk::sign_in_page(reader, view));
  if (!session_of(request).empty()) set_session_cookie(response, "");
  return response;
}

Response ask_to_send_again(const desk::Reader& reader) {
  constexpr int kForbidden = 403;
  return page_response(kForbidden, reader, desk::send_again_page(reader, reader.written, reader.back));
}

}  // namespace akin::api
