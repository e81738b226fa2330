// The desk: pages for people, made of what the interface answers to programs.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"
#include "server/api/read/multipart.h"
#include "server/api/read/unpacked_files.h"
#include "server/api/routes/waiting_checks.h"
#include "server/api/write/check_objects.h"
#include "server/check/links.h"
#include "server/desk/links.h"
#include "server/desk/pages.h"
#include "server/ingest/input.h"

namespace akin::api {

namespace {

constexpr std::size_t kCasesOnPage = 50;
/// Checks of a list that are counted.
constexpr std::size_t kMostCounted = 1000;
/// Refused files that a page lists.
constexpr std::size_t kMostErrors = 100;

Result<std::vector<desk::CollectionLine>> collections_for(const Call& call) {
  AKIN_TRY(const auto names, allowed_collections(call));
  std::vector<desk::CollectionLine> lines;
  for (const std::string& name : names) {
    desk::CollectionLine line{name};
    if (may(call, access::Scope::read)) {
      const auto summary = call.service.catalog->describe(name);
      if (summary.has_error()) continue;
      line.documents = summary->stats.documents;
      line.text_bytes = summary->stats.text_bytes;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string collections_in(const Form& form) {
  std::string names;
  for (const Parameter& field : form.fields) {
    if (field.name == "collections") names += (names.empty() ? "" : ",") + field.value;
  }
  return names;
}

/// The form of the call, which it takes.
Result<Form> taken_form(const Call& call) {
  AKIN_TRY(const auto boundary, boundary_in(call.request.content_type));
  if (boundary) return std::move(*call.form);
  return Error{Errc::type_unsupported, "content type of the form", "is not multipart/form-data",
               "use the form at /desk/"};
}

/// A check by the same client, who does not wait for it.
Request request_to_wait(const Call& call, std::string type, std::string body) {
  Request request = request_of_same(call, std::move(type), std::move(body));
  request.headers.emplace_back("prefer", "respond-async");
  return request;
}

Response script_response(std::string_view script) {
  return Response{200, {{"Content-Type", "text/javascript; charset=utf-8"}}, std::string(script)};
}

/// The JSON that the interface answers: a check, or one that was handed in.
Result<Json> checked(const Call& call, const Request& request, const std::vector<Parameter>& query) {
  AKIN_TRY(Parameters parameters, Parameters::read(query, parameters_of(check_text)));
  AKIN_TRY(const Response response, check_text(Call{call.service, request, {}, std::move(parameters)}));
  return parse_json(response.body);
}

/// The day until which a link is proposed to hold.
std::string last_day_of_link() {
  constexpr std::chrono::days kUsual{30};
  return format_time(time_now() + kUsual).substr(0, std::string_view("2030-01-01").size());
}

/// What the form says of the text or file in it.
std::vector<Parameter> query_of(const Form& form) {
  std::vector<Parameter> query = {{"collections", collections_in(form)}};
  for (const char* name : {"policy", "owner", "title"}) {
    if (std::string value = value_of(form.fields, name); !value.empty())
      query.push_back({name, std::move(value)});
  }
  return query;
}

Result<Json> check_file(const Call& call, const Form& form, UnpackedFile unpacked) {
  FormFile& file = unpacked.file;
  if (unpacked.refused) {
    unpacked.refused->what = ingest::display_name(file.name);
    return *std::move(unpacked.refused);
  }
  std::vector<Parameter> query = query_of(form);
  query.push_back({"file_name", ingest::display_name(file.name)});
  query.push_back({"encoding", "auto"});
  return checked(call, request_to_wait(call, "application/octet-stream", std::move(file.bytes)), query);
}

Result<Json> check_text(const Call& call, const Form& form) {
  const auto text = std::ranges::find(form.fields, "text", &Parameter::name);
  if (text == form.fields.end() || trimmed(text->value, " \t\r\n").empty()) {
    return Error{Errc::invalid_argument, "form", "has neither a file nor a text",
                 "choose a file, or paste a text"};
  }
  return checked(call, request_to_wait(call, "text/plain", text->value), query_of(form));
}

/// Keeps what the page about an upload shows of the lines of its answer.
class UploadLines final : public AnswerSink {
 public:
  explicit UploadLines(desk::UploadCounts& counts) noexcept : counts_(counts) {}
  Result<void> begin(const Response&) override { return {}; }
  Result<void> write(std::string_view bytes) override {
    rest_ += bytes;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      AKIN_TRY(const Json line, parse_json(std::string_view(rest_).substr(0, end)));
      rest_.erase(0, end + 1);
      take(line);
    }
    return {};
  }
  void trouble(std::string what) override { trouble_ = std::move(what); }
  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

 private:
  void take(const Json& line) {
    if (const auto all = line.find("summary"); all != line.end()) {
      counts_.stored = all->at("created").get<std::uint64_t>() + all->at("replaced").get<std::uint64_t>();
      counts_.unchanged = all->at("unchanged").get<std::uint64_t>();
      counts_.refused_total = all->at("errors").get<std::uint64_t>();
      counts_.without_words = all->at("no_words").get<std::uint64_t>();
    }
    if (line.value("sentences", 1U) == 0 && ++named_ <= kMostErrors)
      counts_.wordless += (named_ > 1 ? ", " : "") + line.at("name").get<std::string>();
    const auto error = line.find("error");
    if (error == line.end() || counts_.refused.size() == kMostErrors) return;
    counts_.refused.push_back(*error);
  }

  desk::UploadCounts& counts_;
  std::size_t named_ = 0;  ///< of those without words
  std::string rest_, trouble_;
};

/// The filters of the list of checks; a field that is left empty filters nothing.
Result<Parameters> case_filter(const Call& call) {
  static constexpr DeclaredParameter kKnown[] = {
      {.name = "verdict", .kind = ParameterKind::word, .words = "pass,review,refuse"},
      {.name = "state", .kind = ParameterKind::word, .words = "open,accepted,returned,refused"},
      {.name = "q"},
      {.name = "owner"},
      {.name = "collection"},
      {.name = "since"},
      {.name = "until"},
      {.name = "least_words", .kind = ParameterKind::integer, .most = 1'000'000'000},
      {.name = "before"},
      {.name = "names"},
      {.name = "lang"}};
  std::vector<Parameter> given = call.parameters.given();
  std::erase_if(given, [](const Parameter& one) { return one.value.empty(); });
  return Parameters::read(std::move(given), kKnown);
}

Result<desk::MatchFilter> match_filter(const Call& call) {
  constexpr std::uint64_t kMost = 1'000'000;
  static constexpr DeclaredParameter kKnown[] = {
      {"source", ParameterKind::integer, 0, kMost},
      {"words", ParameterKind::integer, 0, kMost},
      {"hide_quoted", ParameterKind::flag},
      {"hide_referenced", ParameterKind::flag},
      {"hide_bibliography", ParameterKind::flag},
      {.name = "class",
       .kind = ParameterKind::word,
       .words = "borrowing,quotation,own_earlier,template,common_knowledge,false_alarm"},
      {"from", ParameterKind::integer, 0, kMost},
      {"to", ParameterKind::integer, 0, kMost},
      {"names"},
      {"lang"}};
  std::vector<Parameter> given = call.parameters.given();
  std::erase_if(given, [](const Parameter& one) { return one.value.empty(); });
  AKIN_TRY(const Parameters parameters, Parameters::read(std::move(given), kKnown));
  return desk::MatchFilter{.source = parameters.integer("source").value_or(0),
                           .least_words = parameters.integer("words").value_or(0),
                           .hides_quoted = parameters.flag("hide_quoted"),
                           .hides_referenced = parameters.flag("hide_referenced"),
                           .hides_bibliography = parameters.flag("hide_bibliography"),
                           .mark_class = std::string(parameters.text("class").value_or("")),
                           .first_year = parameters.integer("from").value_or(0),
                           .last_year = parameters.integer("to").value_or(0)};
}

}  // namespace

Result<void> check_form(const Request& request) {
  if (!needs_form_token(request)) return {};
  AKIN_TRY(const std::string given, first_field(request, desk::kFormToken));
  return check_form_token(request, given);
}

Result<Response> get_desk_root(const Call& call) {
  static_cast<void>(call);
  return see_other("/desk/");
}

Result<Response> get_desk_style(const Call& call) {
  static_cast<void>(call);
  return Response{200, {{"Content-Type", "text/css; charset=utf-8"}}, std::string(desk::style_sheet())};
}

Result<Response> get_desk_script(const Call& /*call*/) { return script_response(desk::script()); }
Result<Response> get_desk_switches(const Call& /*call*/) { return script_response(desk::switches()); }
Result<Response> get_desk_says(const Call& /*call*/) { return script_response(desk::says()); }
Result<Response> get_desk_beside(const Call& /*call*/) { return script_response(desk::beside()); }

Result<Response> get_hand_in(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_CHECK(checks_of(call.service));
    AKIN_TRY(const auto collections, collections_for(call));
    AKIN_TRY(const auto policies, call.service.policies->list());
    std::vector<std::string> names;
    for (const auto& [name, policy] : policies) names.push_back(name);
    const auto usual = std::ranges::find(names, check::kDefaultPolicy);
    if (usual != names.end()) std::rotate(names.begin(), usual, usual + 1);
    return page_response(200, reader, desk::hand_in_page(reader, collections, names));
  });
}

Result<Response> get_cases(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/checks");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const Parameters parameters, case_filter(call));
    desk::CaseList list;
    for (const auto& [name, value] :
         {std::pair("verdict", &list.verdict), std::pair("state", &list.state), std::pair("q", &list.part),
          std::pair("owner", &list.owner), std::pair("collection", &list.collection),
          std::pair("since", &list.since), std::pair("until", &list.until),
          std::pair("least_words", &list.least_words)})
      *value = parameters.text(name).value_or("");
    const std::string_view before = parameters.text("before").value_or("");
    list.is_newest = before.empty();
    list.may_decide = may(call, access::Scope::decide);
    if (list.is_newest && !list.is_filtered()) {
      AKIN_TRY(list.waiting, waiting_checks(call));
    }
    AKIN_TRY(const auto collections, collections_for(call));
    for (const desk::CollectionLine& line : collections) list.collections.push_back(line.name);
    AKIN_TRY(list.checks,
             newest_checks(call, before, parameters, list.is_newest ? kMostCounted + 1 : kCasesOnPage + 1));
    if (list.checks.size() > kMostCounted) {
      list.more_than = kMostCounted;
    } else if (list.is_newest) {
      for (const Json& check : list.checks)
        ++list.counts[check.at("decision").at("state").get<std::string>()];
    }
    if (list.checks.size() > kCasesOnPage) {
      list.checks.resize(kCasesOnPage);
      list.older = list.checks.back().at("id").get<std::string>();
    }
    for (std::vector<Json>* const shown : {&list.waiting, &list.checks}) {
      for (Json& check : *shown) check = shown_check(reader, std::move(check));
    }
    return page_response(200, reader, desk::cases_page(reader, list));
  });
}

Result<Response> post_cases(const Call& call) {
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(Form form, taken_form(call));
    if (collections_in(form).empty()) {
      return Error{Errc::invalid_argument, "form", "no collection is chosen", "choose what to compare with"};
    }
    AKIN_TRY(std::vector<UnpackedFile> files, unpacked_files(call, std::move(form.files)));
    if (files.size() <= 1) {
      AKIN_TRY(const Json check,
               files.empty() ? check_text(call, form) : check_file(call, form, std::move(files.front())));
      return see_other("/desk/checks/" + check.at("id").get<std::string>());
    }
    std::vector<desk::TakenFile> taken;
    for (UnpackedFile& file : files) {
      desk::TakenFile& line = taken.emplace_back(desk::TakenFile{ingest::display_name(file.file.name)});
      const Result<Json> check = check_file(call, form, std::move(file));
      if (check.has_error()) {
        line.error = error_object(check.error());
      } else {
        line.check = check->contains("verdict") ? check_summary(check::summary_of(*check)) : *check;
      }
    }
    return page_response(200, reader, desk::taken_page(reader, taken));
  });
}

Result<Response> get_case(const Call& call) {
  const std::string path = "/desk/checks/" + call.captures.front();
  const desk::Reader reader = reader_of(call, path);
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto checks, checks_of(call.service));
    AKIN_TRY(const auto waits, waiting_check(call));
    if (waits) {
      Response response = page_response(200, reader, desk::waiting_page(reader, hand_in_object(*waits)));
      if (!waits->ended()) response.headers.emplace_back("Refresh", "2");
      return response;
    }
    AKIN_TRY(const Json check, allowed_check(call, *checks));
    AKIN_TRY(const desk::MatchFilter filter, match_filter(call));
    const bool hides_names = reader.names == "hide";
    const Json shown = shown_check(reader, check);
    desk::CaseView view{shown, {}, {}, false, {}};
    AKIN_TRY(view.report, report_of(call, *reader.words, check,
                                    {.naming = hides_names ? Naming::anonymous : Naming::names,
                                     .filter = filter,
                                     .filter_path = path}));
    view.may_decide = may(call, access::Scope::decide);
    if (may(call, access::Scope::review) && !hides_names) {
      AKIN_TRY(const Json list, check::Links(call.service.state).list(call.captures.front()));
      view.links = desk::links_part(*reader.words, list.at("links"), path, last_day_of_link());
    }
    if (may(call, access::Scope::write)) {
      AKIN_TRY(const auto collections, collections_for(call));
      for (const desk::CollectionLine& line : collections) view.collections.push_back(line.name);
    }
    return page_response(200, reader, desk::case_page(reader, view));
  });
}

Result<Response> admit_case(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    const Json body = {{"collection", value_of(fields, "collection")}, {"id", value_of(fields, "id")}};
    const Request request = request_of_same(call, "application/json", body.dump());
    AKIN_CHECK(admit_check(Call{call.service, request, call.captures, {}}));
    return see_other("/desk/checks/" + call.captures.front());
  });
}

Result<Response> delete_case(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    const auto deleted = delete_check(call);
    // Another person may have been faster.
    if (deleted.has_error() && deleted.error().code != Errc::not_found) return deleted.error();
    return see_other("/desk/checks");
  });
}

Result<Response> get_desk_collections(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/collections");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto collections, collections_for(call));
    return page_response(200, reader,
                         desk::collections_page(reader, collections, may(call, access::Scope::admin),
                                                may(call, access::Scope::write)));
  });
}

Result<Response> post_desk_collections(const Call& call) {
  return desk_answer(reader_of(call, ""), [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    const Request request = request_of_same(call, "", "");
    AKIN_CHECK(put_collection(Call{call.service, request, {value_of(fields, "name")}, {}}));
    return see_other("/desk/collections");
  });
}

Result<std::optional<Response>> post_desk_documents(const Call& call, BodySource& body, AnswerSink& sink) {
  static_cast<void>(sink);  // the page is short, and is sent when it is known
  const desk::Reader reader = reader_of(call, "");
  return std::optional(desk_answer(reader, [&]() -> Result<Response> {
    desk::UploadCounts counts{.collection = call.captures.front()};
    UploadLines lines(counts);
    AKIN_TRY(Parameters parameters, Parameters::read({{"encoding", "auto"}}, parameters_of("upload_files")));
    AKIN_TRY(
        auto refused,
        upload_files(Call{call.service, call.request, call.captures, std::move(parameters)}, body, lines));
    if (refused) return *std::move(refused);
    Response page = page_response(200, reader, desk::upload_page(reader, counts));
    page.trouble = lines.trouble();
    return page;
  }));
}

}  // namespace akin::api
