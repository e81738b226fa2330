#include "server/desk/pages.h"

#include "server/desk/decision.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"
#include "server/desk/sign_in.h"

namespace akin::desk {

namespace {

using json::Json;

std::string error_box(const Words& words, const Json& error) {
  return "<div class=\"error\">" + problem(words, error) + "</div>\n";
}

std::string collection_boxes(const Words& words, const std::vector<CollectionLine>& collections) {
  std::string boxes;
  for (const CollectionLine& one : collections) {
    const std::string documents = filled(words.documents, {number(words, one.documents)});
    boxes += check_box("collections", one.name, one.name + " (" + documents + ")", true);
  }
  return fieldset(words.compare_with, boxes);
}

std::string shares_of(const Words& words, double computed, double decided) {
  std::string shares = percent(words, computed);
  if (decided != computed) shares += ", " + filled(words.decided_share, {percent(words, decided)});
  return shares;
}

std::string case_row(const Words& words, const Json& check) {
  const std::string id = check.at("id").get<std::string>();
  const Json& decision = check.at("decision");
  const std::string owner = string_in(check, "owner");
  return "<tr><th scope=\"row\">" + link("/desk/checks/" + id, title_of(words, check)) + "</th><td>" +
         shown_time(string_in(check, "created")) + "</td><td>" +
         escaped(verdict_of(words, check.at("verdict").get<std::string>())) + "</td><td>" +
         escaped(shares_of(words, check.at("share").get<double>(), decision.at("share").get<double>())) +
         "</td><td>" + escaped(Words::of(words.states, decision.at("state").get_ref<const std::string&>())) +
         "</td><td>" + (owner.empty() ? "" : link("/desk/checks?owner=" + in_url(owner), owner)) +
         "</td></tr>\n";
}

std::string case_table(const Words& words, const std::vector<Json>& checks, std::string_view caption) {
  std::string rows;
  for (const Json& check : checks) rows += case_row(words, check);
  return table(caption, {words.title, words.received, words.verdict, words.share, words.state, words.author},
               rows);
}

/// Accepts the listed checks that are open and found nothing; nothing if there are none.
std::string accept_form(const Words& words, const std::vector<Json>& checks) {
  std::string fields;
  std::uint64_t count = 0;
  for (const Json& check : checks) {
    if (!is_acceptable_unread(check)) continue;
    fields += hidden("check", check.at("id").get_ref<const std::string&>());
    ++count;
  }
  return count == 0 ? "" : form("/desk/accept", fields, filled(words.accept_all, {number(words, count)}));
}

/// Of what was handed in.
std::string stage_of(const Words& words, const Json& hand_in) {
  return std::string(Words::of(words.hand_in_states, hand_in.at("state").get_ref<const std::string&>()));
}

/// `moment`: a day, or a date-time that the script made of one in the reader's zone.
std::string day_input(std::string_view name, std::string_view moment) {
  constexpr std::size_t kDay = std::string_view("2030-01-01").size();
  return input(name, "date", value_attribute(moment.substr(0, kDay)));
}

/// The page with the filters of the list.
std::string path_of(const CaseList& list) {
  std::string path = "/desk/checks";
  for (const auto& [name, value] :
       {std::pair("verdict", &list.verdict), std::pair("state", &list.state), std::pair("q", &list.part),
        std::pair("owner", &list.owner), std::pair("collection", &list.collection),
        std::pair("since", &list.since), std::pair("until", &list.until),
        std::pair("least_words", &list.least_words)}) {
    if (!value->empty())
      path += (path.find('?') == std::string::npos ? "?" : "&") + std::string(name) + "=" + in_url(*value);
  }
  return path;
}

std::string counts_sentence(const Words& words, const CaseList& list) {
  if (list.more_than > 0) return paragraph(filled(words.many_cases, {number(words, list.more_than)}));
  std::string states;
  std::uint64_t all = 0;
  for (const Named& state : words.states) {
    const auto count = list.counts.find(std::string(state.name));
    if (count == list.counts.end()) continue;
    all += count->second;
    states += (states.empty() ? "" : ", ") + std::string(state.text) + " " + number(words, count->second);
  }
  return all == 0 ? "" : paragraph(filled(words.count_of_cases, {number(words, all), states}));
}

std::string waiting_table(const Words& words, const std::vector<Json>& waiting) {
  if (waiting.empty()) return "";
  std::string rows;
  for (const Json& one : waiting) {
    rows += "<tr><th scope=\"row\">" +
            link("/desk/checks/" + one.at("id").get<std::string>(), title_of(words, one)) + "</th><td>" +
            shown_time(string_in(one, "created")) + "</td><td>" + escaped(stage_of(words, one)) +
            "</td><td>" + escaped(one.at("owner").is_string() ? one.at("owner").get<std::string>() : "") +
            "</td></tr>\n";
  }
  return table(words.waiting, {words.title, words.received, words.state, words.author}, rows);
}

}  // namespace

std::string hand_in_page(const Reader& reader, const std::vector<CollectionLine>& collections,
                         const std::vector<std::string>& policies) {
  const Words& words = *reader.words;
  if (collections.empty()) {
    return desk_page(reader, words.hand_in,
                     "<p>" +
                         escaped(reader.may_operate ? words.no_collections : words.no_collection_for_you) +
                         " " + link("/desk/collections", words.collections) + "</p>\n");
  }
  const std::string fields =
      field("file", words.files, input("file", "file", " multiple")) +
      field("text", words.or_text, text_area("text", "", 8), reader.signed_in ? words.or_text_hint : "") +
      field("title", words.title, input("title", "text")) +
      field("owner", words.author, input("owner", "text"), words.author_hint) +
      collection_boxes(words, collections) + field("policy", words.policy, select("policy", policies));
  return desk_page(reader, words.hand_in,
                   "<p>" + escaped(words.hand_in_intro) + "</p>\n" +
                       file_form(words, "/desk/checks", fields, words.check));
}

std::string taken_page(const Reader& reader, const std::vector<TakenFile>& files) {
  const Words& words = *reader.words;
  std::vector<Json> checks, waiting;
  std::string failed;
  for (const TakenFile& file : files) {
    if (!file.error.is_null()) {
      failed += "<h3>" + escaped(file.name) + "</h3>\n" + error_box(words, file.error);
    } else {
      (file.check.contains("verdict") ? checks : waiting).push_back(file.check);
    }
  }
  std::string html;
  if (!failed.empty()) html += "<h2>" + escaped(words.failed_files) + "</h2>\n" + failed;
  html += waiting_table(words, waiting);
  if (!checks.empty()) html += case_table(words, checks, words.taken_files);
  return desk_page(reader, words.taken_files, html + "<p>" + link("/desk/", words.new_case) + "</p>\n");
}

std::string cases_page(const Reader& reader, const CaseList& list) {
  const Words& words = *reader.words;
  std::vector<Option> verdicts = {{"", words.all_verdicts}}, states = {{"", words.all_states}};
  for (const std::string_view name : {"pass", "review", "refuse"})
    verdicts.push_back({name, verdict_of(words, name)});
  for (const Named& state : words.states) states.push_back({state.name, state.text});
  std::vector<Option> places = {{"", words.all_collections}};
  for (const std::string& name : list.collections) places.push_back({name, name});
  std::string html = "<form method=\"get\" action=\"/desk/checks\">" +
                     field("verdict", words.verdict, select("verdict", verdicts, list.verdict)) +
                     field("state", words.state, select("state", states, list.state)) +
                     field("q", words.part_of_check, input("q", "search", value_attribute(list.part))) +
                     field("owner", words.owner, input("owner", "text", value_attribute(list.owner))) +
                     field("collection", words.collection, select("collection", places, list.collection)) +
                     field("since", words.since, day_input("since", list.since), words.day_hint) +
                     field("until", words.until, day_input("until", list.until), words.day_hint) +
                     field("least_words", words.least_text,
                           input("least_words", "number", " min=\"0\"" + value_attribute(list.least_words))) +
                     "<p><button>" + escaped(words.filter) + "</button></p></form>\n";
  const std::string path = path_of(list);
  html += names_switch(reader, path);
  html += waiting_table(words, list.waiting);
  if (list.checks.empty()) {
    html += "<p>" + escaped(words.no_cases) + " " + link("/desk/", words.hand_in) + "</p>\n";
  } else {
    html += counts_sentence(words, list) + case_table(words, list.checks, "");
  }
  if (list.may_decide) html += accept_form(words, list.checks);
  if (!list.is_newest) html += "<p>" + link(path, words.newest) + "</p>\n";
  if (!list.older.empty())
    html += "<p>" + link(path + (list.is_filtered() ? "&" : "?") + "before=" + list.older, words.older) +
            "</p>\n";
  return desk_page(reader, words.cases, html);
}

bool is_acceptable_unread(const Json& check) {
  return check.at("verdict") == "pass" && check.at("sources_total") == 0 &&
         check.at("decision").at("state") == "open";
}

bool CaseList::is_filtered() const noexcept { return path_of(*this).find('?') != std::string::npos; }

std::string waiting_page(const Reader& reader, const Json& hand_in) {
  const Words& words = *reader.words;
  std::string html = "<p role=\"status\"><strong>" + escaped(stage_of(words, hand_in)) + "</strong></p>\n";
  const Json& error = hand_in.at("error");
  if (error.is_null()) {
    html += "<p><progress aria-label=\"" + escaped(words.waiting) + "\" max=\"1\" value=\"" +
            hand_in.at("progress").dump() + "\"></progress></p>\n<p>" + escaped(words.waiting_hint) +
            "</p>\n";
  } else {
    html += error_box(words, error) + "<p>" + link("/desk/", words.new_case) + "</p>\n";
  }
  html += form("/desk/checks/" + hand_in.at("id").get<std::string>() + "/delete", "",
               error.is_null() ? words.cancel_check : words.delete_case);
  return desk_page(reader, title_of(words, hand_in), html);
}

std::string case_page(const Reader& reader, const CaseView& view) {
  const Words& words = *reader.words;
  const std::string id = view.check.at("id").get<std::string>();
  const std::string path = "/desk/checks/" + id;
  std::string html = names_switch(reader, reader.path) + view.report;
  html += "<div class=\"screen\">\n";
  if (view.may_decide) html += decision_form(words, view.check, path);
  const std::string kept =
      path + "/report?lang=" + std::string(words.tag) + (reader.names == "hide" ? "&anonymous=true" : "");
  html += "<p>" + link(kept, words.download) + ". " + link(kept + "&format=pdf", words.download_pdf) + ". " +
          escaped(words.print_hint) + "</p>\n";
  const Json& admitted = view.check.at("admitted");
  if (!admitted.is_null()) {
    html +=
        "<p>" + escaped(words.admitted) + ": " +
        escaped(admitted.at("collection").get<std::string>() + "/" + admitted.at("id").get<std::string>()) +
        "</p>\n";
  } else if (!view.collections.empty()) {
    html +=
        "<details><summary>" + escaped(words.store) + "</summary>\n" +
        form(path + "/admit",
             field("collection", words.collection, select("collection", view.collections), words.store_hint) +
                 field("id", words.store_id, input("id", "text", " required value=\"" + escaped(id) + "\"")),
             words.store) +
        "</details>\n";
  }
  html += view.links;
  html += "<details><summary>" + escaped(words.delete_case) + "</summary>\n<p>" +
          escaped(words.delete_warning) + "</p>\n" + form(path + "/delete", "", words.delete_case) +
          "</details>\n</div>\n";
  return desk_page(reader, title_of(words, view.check), html);
}

std::string collections_page(const Reader& reader, const std::vector<CollectionLine>& list, bool may_make,
                             bool may_write) {
  const Words& words = *reader.words;
  std::string html;
  if (list.empty()) {
    html += paragraph(may_make ? words.no_collections : words.no_collection_for_you);
  } else {
    std::string rows;
    for (const CollectionLine& one : list) {
      rows += "<tr><th scope=\"row\">" +
              (reader.may_read ? link("/desk/collections/" + one.name, one.name) : escaped(one.name)) +
              "</th><td>" + escaped(filled(words.documents, {number(words, one.documents)})) + ", " +
              escaped(megabytes(words, one.text_bytes)) + "</td></tr>\n";
    }
    html += table("", {words.name, words.text_size}, rows);
  }
  if (may_write) {
    for (const CollectionLine& one : list) {
      html += "<h2>" + escaped(words.add_documents) + ": " + escaped(one.name) + "</h2>\n" +
              file_form(
                  words, "/desk/collections/" + one.name + "/documents",
                  field("file-" + one.name, words.files,
                        "<input id=\"file-" + one.name + "\" name=\"file\" type=\"file\" multiple required>",
                        words.upload_hint),
                  words.upload);
    }
  }
  if (may_make) {
    html += "<h2>" + escaped(words.make) + "</h2>\n" +
            form("/desk/collections",
                 field("name", words.name, input("name", "text", " required"), words.name_hint), words.make);
  }
  return desk_page(reader, words.collections, html);
}

std::string upload_page(const Reader& reader, const UploadCounts& counts) {
  const Words& words = *reader.words;
  std::string html = "<p>" + escaped(counts.collection) + ": " +
                     escaped(filled(words.stored, {number(words, counts.stored)})) + ", " +
                     escaped(filled(words.unchanged, {number(words, counts.unchanged)})) + ", " +
                     escaped(filled(words.refused, {number(words, counts.refused_total)})) + "</p>\n";
  if (counts.without_words > 0)
    html += paragraph(filled(words.no_words, {number(words, counts.without_words), counts.wordless}));
  for (const Json& error : counts.refused) html += error_box(words, error);
  return desk_page(reader, words.add_documents,
                   html + "<p>" + link("/desk/collections", words.back) + "</p>\n");
}

std::string error_page(const Reader& reader, const Json& error) {
  const Words& words = *reader.words;
  return desk_page(reader, words.error,
                   error_box(words, error) + written_part(words, reader.written) + "<p>" +
                       (reader.back.empty() ? link("/desk/", words.hand_in) : link(reader.back, words.back)) +
                       "</p>\n");
}

}  // namespace akin::desk
