#include "server/desk/operate.h"

#include <algorithm>

#include "server/desk/charts.h"
#include "server/desk/forms.h"
#include "server/desk/report.h"

namespace akin::desk {

namespace {

using json::Json;

std::string collection_row(const Words& words, const Json& one) {
  const std::string name = one.at("name").get<std::string>();
  std::string html = "<tr><th scope=\"row\">" + escaped(name) + "</th>";
  std::string state;
  if (one.contains("error")) {
    html += cell("") + cell("");
    state = problem(words, one.at("error"));
  } else {
    html += cell(number(words, one.at("documents").get<std::uint64_t>())) +
            cell(megabytes(words, one.at("text_bytes").get<std::uint64_t>()));
    const bool outdated = one.at("dictionaries").value("outdated", false);
    state = escaped(outdated ? words.outdated : words.in_order);
  }
  return html + "<td>" + state + "</td><td>" +
         button("/desk/server/reindex", "collection", name, words.rebuild) + "</td></tr>\n";
}

std::string task_row(const Words& words, const Json& task) {
  const std::string status = task.at("status").get<std::string>();
  const bool runs = status == "queued" || status == "running";
  const Json& collection = task.at("collection");
  std::string state = escaped(Words::of(words.task_states, status));
  if (runs) state += " " + escaped(percent(words, task.at("progress").get<double>()));
  if (!task.at("error").is_null()) state += problem(words, task.at("error"));
  return "<tr><th scope=\"row\">" +
         escaped(Words::of(words.task_kinds, task.at("type").get_ref<const std::string&>())) + "</th>" +
         cell(collection.is_string() ? collection.get<std::string>() : std::string(words.all_collections)) +
         time_cell(string_in(task, "created")) + "<td>" + state + "</td><td>" +
         (runs ? button("/desk/server/cancel", "task", task.at("id").get<std::string>(), words.cancel)
               : std::string()) +
         "</td></tr>\n";
}

/// The fields by which a person is made or changed. Fields of several forms on a page need ids of their own.
std::string person_fields(const Words& words, const Json& person,
                          const std::vector<std::string>& collections) {
  const std::string id = person.at("id").get<std::string>();
  const auto text = [&](std::string_view name, std::string_view label, const std::string& value,
                        std::string_view hint, bool fixed) {
    const std::string own = std::string(name) + "-" + id;
    return field(own, label,
                 "<input id=\"" + escaped(own) + "\" name=\"" + std::string(name) +
                     "\" type=\"text\" required value=\"" + escaped(value) + "\"" +
                     (fixed ? " readonly" : "") + ">",
                 hint);
  };
  std::string html = text("id", words.person_id, id, words.person_id_hint, !id.empty()) +
                     text("name", words.person_name, person.at("name").get<std::string>(), "", false) +
                     check_boxes(words.roles, "roles", options_of(words.role_names), person.at("roles"));
  return html + collection_boxes(words, collections, person.at("collections"));
}

std::string person_part(const Words& words, const Json& person, const PersonsView& view) {
  const std::string id = person.at("id").get<std::string>();
  const bool is_disabled = person.at("disabled").get<bool>();
  const std::string path = "/desk/persons/" + id;
  std::string roles;
  for (const Json& role : person.at("roles"))
    roles += (roles.empty() ? "" : ", ") +
             std::string(Words::of(words.role_names, role.get_ref<const std::string&>()));
  const std::string places = joined(person.at("collections"));
  std::string html = "<section><h2>" + escaped(person.at("name").get<std::string>()) + "</h2>\n<p>" +
                     escaped(id) + " – " + escaped(roles) + " – " +
                     escaped(places.empty() ? std::string(words.all_collections) : places);
  if (is_disabled) html += " – <strong>" + escaped(words.disabled) + "</strong>";
  const bool is_refused = !view.written.is_null() && view.written.at("id") == id;
  html += std::string("</p>\n<details") + (is_refused ? " open" : "") + "><summary>" + escaped(words.change) +
          "</summary>\n";
  if (is_refused)
    html += "<div class=\"error\" role=\"alert\">" + paragraph(words.person_changed) + "</div>\n";
  html += form("/desk/persons",
               hidden("base", person_base(person).dump()) +
                   person_fields(words, is_refused ? view.written : person, view.collections) +
                   (is_disabled ? hidden("disabled", "true") : std::string()),
               words.save);
  html += form(path + "/secret", "<p>" + escaped(words.secret_hint) + "</p>", words.new_secret);
  html += is_disabled ? form(path + "/enable", "", words.enable) : form(path + "/disable", "", words.disable);
  return html + form(path + "/remove", "<p>" + escaped(words.remove_hint) + "</p>", words.remove) +
         "</details></section>\n";
}

std::string actor_text(const Words& words, const Json& by) {
  if (by.is_null()) return std::string(words.unknown_person);
  const std::string name = by.value("name", "");
  return name.empty() ? by.value("id", "") : name;
}

std::string entry_row(const Words& words, const Json& entry) {
  const Json& details = entry.at("details");
  return "<tr><th scope=\"row\">" + std::to_string(entry.at("number").get<std::uint64_t>()) + "</th>" +
         time_cell(string_in(entry, "time")) + cell(actor_text(words, entry.at("by"))) +
         cell(entry.at("address").is_string() ? entry.at("address").get<std::string>() : "") +
         "<td lang=\"en\">" + escaped(entry.at("action").get<std::string>()) + "</td>" +
         cell(entry.at("about").get<std::string>()) + "<td lang=\"en\">" +
         (details.empty() ? std::string() : "<code>" + escaped(details.dump()) + "</code>") + "</td></tr>\n";
}

}  // namespace

std::string secret_box(std::string_view sentence, const NewSecret& made) {
  return "<div class=\"verdict\" role=\"status\"><p>" + escaped(filled(sentence, {made.of})) +
         "</p>\n<p><code>" + escaped(made.secret) + "</code></p></div>\n";
}

std::string collection_boxes(const Words& words, const std::vector<std::string>& collections,
                             const Json& chosen) {
  std::vector<Option> places;
  places.reserve(collections.size());
  for (const std::string& name : collections) places.push_back({name, name});
  return places.empty() ? "" : check_boxes(words.person_collections, "collections", places, chosen);
}

std::string server_page(const Reader& reader, const ServerView& view) {
  const Words& words = *reader.words;
  std::string rows, tasks;
  for (const Json& one : view.collections) rows += collection_row(words, one);
  for (const Json& task : view.tasks) tasks += task_row(words, task);
  std::string html = "<p>akin " + escaped(view.version) + "</p>\n";
  html += "<h2>" + escaped(words.tasks) + "</h2>\n";
  if (tasks.empty()) {
    html += "<p>" + escaped(words.no_tasks) + "</p>\n";
  } else {
    html += wide_table(words.tasks, {words.task, words.collection, words.received, words.state, words.cancel},
                       tasks) +
            "<p>" + link("/desk/server", words.refresh) + "</p>\n";
  }
  html += "<h2>" + escaped(words.collections) + "</h2>\n";
  if (rows.empty()) {
    html +=
        "<p>" + escaped(words.no_collections) + " " + link("/desk/collections", words.collections) + "</p>\n";
  } else {
    html += "<p>" + escaped(words.rebuild_hint) + "</p>\n" +
            wide_table(
                filled(words.shown_of, {number(words, view.collections.size()), number(words, view.total)}),
                {words.name, words.document_count, words.text_size, words.state, words.rebuild}, rows);
  }
  html += space_part(words, view) + speed_part(words, view);
  html +=
      "<h2>" + escaped(words.backup) + "</h2>\n" +
      form("/desk/server/backup",
           field("name", words.name, input("name", "text", " required"), words.backup_hint), words.backup);
  if (!rows.empty()) {
    std::vector<std::string> names;
    for (const Json& one : view.collections) names.push_back(one.at("name").get<std::string>());
    html += "<h2>" + escaped(words.drop) + "</h2>\n" +
            form("/desk/server/drop",
                 field("collection", words.collection, select("collection", names)) +
                     field("again", words.name, input("again", "text", " required"), words.drop_hint),
                 words.drop);
  }
  return desk_page(reader, words.server, html);
}

Json person_base(const Json& person) {
  Json base = Json::object();
  for (const char* field : {"name", "roles", "collections", "disabled"}) base[field] = person.at(field);
  return base;
}

std::string persons_page(const Reader& reader, const PersonsView& view) {
  const Words& words = *reader.words;
  std::string html = view.made.secret.empty() ? "" : secret_box(words.secret_shown, view.made);
  if (!view.made.secret.empty() && !reader.signed_in)
    html += "<p>" + escaped(words.first_secret) + " " + link("/desk/sign-in", words.sign_in) + "</p>\n";
  if (view.persons.empty()) html += "<p>" + escaped(words.no_persons) + "</p>\n";
  for (const Json& person : view.persons) html += person_part(words, person, view);
  const Json nobody = {{"id", ""}, {"name", ""}, {"roles", Json::array()}, {"collections", Json::array()}};
  return desk_page(
      reader, words.persons,
      html + "<h2>" + escaped(words.add_person) + "</h2>\n" +
          form("/desk/persons", person_fields(words, nobody, view.collections), words.add_person));
}

std::string log_page(const Reader& reader, const LogView& view) {
  const Words& words = *reader.words;
  std::string html;
  if (!view.verified.empty()) {
    html += "<div class=\"" + std::string(view.problems.empty() ? "verdict pass" : "error") +
            "\" role=\"status\"><p>" + escaped(view.verified) + "</p>\n";
    for (const std::string& problem : view.problems) html += "<p lang=\"en\">" + escaped(problem) + "</p>\n";
    html += "</div>\n";
  }
  html += "<p>" + escaped(words.log_intro) + " " + link("/desk/log?verify=true", words.verify) + "</p>\n";
  std::string rows;
  for (const Json& entry : view.entries) rows += entry_row(words, entry);
  if (rows.empty()) {
    html += "<p>" + escaped(words.no_entries) + "</p>\n";
  } else {
    html += wide_table(
        words.log,
        {words.number_of, words.time, words.who, words.address, words.action, words.about, words.details},
        rows);
  }
  if (!view.older.empty())
    html += "<p>" + link("/desk/log?cursor=" + view.older, words.older_entries) + "</p>\n";
  return desk_page(reader, words.log, html);
}

}  // namespace akin::desk
