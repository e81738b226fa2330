// The report of a check, to read and to keep.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "extract/client/extractor.h"
#include "server/api/handlers.h"
#include "server/desk/page.h"
#include "server/desk/report.h"

namespace akin::api {

namespace {

constexpr std::string_view kPdf = "application/pdf";

/// The first of the types that the client names, but for weights; HTML if it names none.
std::string_view accepted_format(const Request& request) {
  const std::string accepted = ascii_lower(request.header("accept").value_or(""));
  std::pair<std::size_t, std::string_view> first{accepted.find("text/html"), "html"};
  first = std::min(first, {accepted.find(kPdf), "pdf"});
  return std::min(first, {accepted.find("application/json"), "json"}).second;
}

Result<std::string> printed(const std::string& page) {
  const std::string what = "report as PDF", remedy = "take format=html, and print it from a browser";
  const std::filesystem::path program = extract::installed_program("akin-report");
  if (program.empty()) {
    return Error{Errc::unsupported, what, "akin-report is not installed",
                 "build akin with pango, cairo and qpdf; or " + remedy};
  }
  auto pdf = extract::Extractor::installed().output_of({program.native()}, page, what);
  if (pdf.has_value() || pdf.error().code == Errc::busy) return pdf;
  return Error{Errc::unsupported, what, pdf.error().reason, remedy};
}

Result<std::string> page_of(const Call& call, const desk::Words& words, const Json& check, Naming naming,
                            bool certified) {
  AKIN_TRY(std::string body, report_of(call, words, check, {.naming = naming}));
  if (certified) {
    AKIN_TRY(const Json certificate, certificate_of(call, check));
    body += desk::certificate(words, certificate);
  }
  return desk::whole_page(words,
                          naming == Naming::names
                              ? desk::title_of(words, check)
                              : desk::filled(words.anonymous_title, {call.captures.front()}),
                          body);
}

}  // namespace

Result<Response> get_report(const Call& call) {
  const auto lang = call.parameters.text("lang");
  const bool anonymous = call.parameters.flag("anonymous");
  const Naming naming = anonymous ? Naming::anonymous : Naming::names;
  const std::string_view format = call.parameters.text("format").value_or(accepted_format(call.request));
  const bool is_pdf = format == "pdf";
  AKIN_TRY(const auto checks, checks_of(call.service));
  AKIN_TRY(Json check, allowed_check(call, *checks));
  if (format == "json") {
    AKIN_TRY(const Json report, report_object(call, std::move(check), naming));
    Response response = json_response(200, report);
    response.headers.emplace_back("Vary", "Accept, Accept-Language");
    return response;
  }
  const desk::Words& words =
      lang ? *desk::words_of(*lang) : desk::words_for(call.request.header("accept-language").value_or(""));
  // A certificate names the persons that decided.
  AKIN_TRY(std::string page, page_of(call, words, check, naming, is_pdf && !anonymous));
  std::vector<std::pair<std::string, std::string>> headers = {{"Content-Language", std::string(words.tag)},
                                                              {"Vary", "Accept, Accept-Language"}};
  if (is_pdf) {
    AKIN_TRY(std::string pdf, printed(page));
    headers.insert(headers.begin(), {"Content-Type", std::string(kPdf)});
    headers.emplace_back("Content-Disposition",
                         "inline; filename=\"akin-" + call.captures.front() + ".pdf\"");
    return Response{200, std::move(headers), std::move(pdf)};
  }
  constexpr std::string_view kPolicy =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
      "frame-ancestors 'none'";
  headers.insert(headers.begin(), {"Content-Type", "text/html; charset=utf-8"});
  headers.emplace_back("Content-Security-Policy", std::string(kPolicy));
  return Response{200, std::move(headers), std::move(page)};
}

}  // namespace akin::api
