#include "server/gate/gates.h"

#include <cstdio>
#include <optional>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/documents/index_summary.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "server/api/write/gate_objects.h"

namespace akin::cli {

namespace {

constexpr const char* kGateExamples =
    "  akin gate set --threshold 0.7                    refuse texts that are 70 % like a stored one\n"
    "  akin gate set --action group --quota 3           store duplicates in groups of up to three\n"
    "  akin gate set --survivor longer                  a longer duplicate replaces the stored one\n"
    "  akin gate set --min-characters 2000 --max-characters 6000\n"
    "  akin gate set --collection pages --preset web    a collection of web pages, and its gate\n"
    "  akin gate show\n"
    "  akin gate groups                                 the groups of duplicates\n"
    "  akin gate refusals                               what was refused, and for which documents\n"
    "  akin gate split group-9542e4523dccb02a c.txt     c.txt becomes a group of its own\n"
    "\n"
    "A gate decides about documents that arrive through akin index --admit or POST …/admissions; all\n"
    "other writes bypass it.";

struct GateOptions {
  std::string measure;  ///< empty: that of choose_measure
  std::string action = "refuse", survivor = "first";
  std::optional<double> threshold;
  std::uint64_t quota = gate::Gate{}.quota, min_characters = 0, max_characters = 0;
};

/// A collection and the gates that decide about its documents.
struct Gated {
  OpenCollection collection;
  std::unique_ptr<gate::Gates> gates;
};

Result<Gated> gated(const CommonOptions& options, OpenCollection collection) {
  AKIN_TRY(auto state, open_state(options));
  return Gated{std::move(collection), std::make_unique<gate::Gates>(std::move(state))};
}

Result<Gated> open_gated(const CommonOptions& options) {
  AKIN_TRY(auto collection, open_collection(options));
  return gated(options, std::move(collection));
}

void print_gate(const CommonOptions& options, const gate::Gate& gate, Output& out) {
  const api::Json object = gate::gate_object(gate);
  if (options.json) {
    out << object.dump() << "\n";
    return;
  }
  Table table({Table::Align::left, Table::Align::left});
  for (const auto& [name, value] : object.items())
    table.add({name, value.is_string() ? value.get<std::string>() : value.dump()});
  out << table.text();
}

Result<Exit> run_set(const GateOptions& given, Session& session) {
  // Read as the server reads it, so that both refuse the same values.
  api::Json object = {{"action", given.action},
                      {"quota", given.quota},
                      {"survivor", given.survivor},
                      {"min_characters", given.min_characters},
                      {"max_characters", given.max_characters}};
  if (!given.measure.empty()) object["measure"] = given.measure;
  if (given.threshold) object["threshold"] = *given.threshold;
  AKIN_TRY(gate::Gate gate, gate::parse_gate(object));
  AKIN_TRY(auto collection, open_or_create_collection(session.options, {}));
  if (given.measure.empty()) {
    gate::choose_measure(gate, given.threshold.has_value(), *collection);
    if (gate.measure == gate::Measure::sorensen) {
      std::fputs("akin: the measure is sorensen, as texts of this collection cannot be aligned\n", stderr);
    }
  }
  AKIN_CHECK(gate::check_gate(gate, *collection));
  AKIN_TRY(const Gated target, gated(session.options, std::move(collection)));
  AKIN_CHECK(target.gates->put(session.options.collection, gate));
  print_gate(session.options, gate, session.out);
  return Exit::ok;
}

Error no_gate(const CommonOptions& options) {
  return {Errc::not_found, "gate of collection '" + options.collection + "'", "there is none",
          "set one with akin gate set"};
}

Result<Exit> show_gate(Session& session) {
  AKIN_TRY(const Gated gated, open_gated(session.options));
  AKIN_TRY(const auto gate, gated.gates->get(session.options.collection));
  if (!gate) return no_gate(session.options);
  print_gate(session.options, *gate, session.out);
  return Exit::ok;
}

Result<Exit> run_remove(Session& session) {
  AKIN_TRY(const Gated gated, open_gated(session.options));
  AKIN_TRY(const bool erased, gated.gates->erase(session.options.collection));
  if (!erased) return no_gate(session.options);
  if (session.options.json) {
    session.out << api::Json{{"name", session.options.collection}, {"deleted", true}}.dump() << "\n";
  } else {
    session.out << "removed the gate of collection '" << session.options.collection << "'\n";
  }
  return Exit::ok;
}

Result<void> print_group(const Gated& gated, const gate::Group& group, Session& session) {
  AKIN_TRY(const auto snapshot, gated.collection->snapshot());
  AKIN_TRY(const api::Json object, api::group_object(group, *snapshot));
  if (session.options.json) {
    session.out << object.dump() << "\n";
    return {};
  }
  session.out << group.id << "  " << counted(object["documents"].size(), "document") << "\n";
  for (const api::Json& id : object["documents"])
    session.out << "  " << one_line(id.get<std::string>(), kMaxIdBytes) << "\n";
  return {};
}

Result<Exit> list_groups(Session& session) {
  AKIN_TRY(const Gated gated, open_gated(session.options));
  constexpr std::size_t kPage = 1000;
  std::string after;
  for (;;) {
    AKIN_TRY(const auto groups, gated.gates->groups().list(session.options.collection, after, kPage));
    for (const gate::Group& group : groups) AKIN_CHECK(print_group(gated, group, session));
    if (groups.size() < kPage) return Exit::ok;
    after = groups.back().id;
  }
}

Result<Exit> list_refusals(Session& session) {
  AKIN_TRY(const Gated gated, open_gated(session.options));
  AKIN_TRY(const auto refusals,
           gated.gates->refusals().list(session.options.collection, 0, gate::kMostRefusals));
  for (const gate::Refusal& refusal : refusals) {
    if (session.options.json) {
      session.out << api::Json{{"time", refusal.time}, {"outcome", refusal.outcome}}.dump() << "\n";
    } else {
      session.out << refusal.time << "  "
                  << decided_line(one_line(refusal.outcome.at("id").get<std::string>(), kMaxIdBytes),
                                  refusal.outcome);
    }
  }
  return Exit::ok;
}

Result<Exit> run_split(const std::string& group, const std::vector<std::string>& documents,
                       Session& session) {
  AKIN_TRY(const Gated gated, open_gated(session.options));
  AKIN_TRY(const auto parts, gated.gates->groups().split(session.options.collection, group, documents));
  AKIN_CHECK(print_group(gated, parts.first, session));
  AKIN_CHECK(print_group(gated, parts.second, session));
  return Exit::ok;
}

void add_gate_set(Program& program, Command parent) {
  Command set = program.command(
      parent, "set", "Set or replace the collection's gate; create the collection if it is missing",
      "  akin gate set --threshold 0.8");
  auto options = std::make_shared<GateOptions>();
  set.add_option(
      "--measure", options->measure,
      "Similarity: words (the larger share of words in aligned passages, or sorensen if it is larger),\n"
      "sorensen, resemblance, containment, contained, or either (the larger containment); default: words,\n"
      "or sorensen where texts cannot be aligned; of the preset web, resemblance");
  set.add_option("--threshold", options->threshold,
                 "Similarity from which a document is a duplicate: above 0, up to 1;\n"
                 "default: 0.7, of the preset web 0.5")
      .check(check_share);
  set.add_option("--action", options->action, "What happens to a duplicate: refuse, or group")
      .capture_default_str();
  set.add_option("--quota", options->quota, "Largest number of documents in a group, including the first")
      .check(check_count)
      .capture_default_str();
  set.add_option("--survivor", options->survivor,
                 "Which of a new document and its stored duplicates is kept, with --action refuse: first\n"
                 "(the stored ones), longer, or containing (the one that contains the other)")
      .capture_default_str();
  set.add_option("--min-characters", options->min_characters, "Shortest text; 0 = no limit")
      .check(check_count)
      .capture_default_str();
  set.add_option("--max-characters", options->max_characters, "Longest text; 0 = no limit")
      .check(check_count)
      .capture_default_str();
  program.on(set, [options](Session& session) { return run_set(*options, session); });
}

}  // namespace

void add_gate_commands(Program& program) {
  Command gate = program.command("gate", "Set which new documents are duplicates, and what happens to them",
                                 kGateExamples);
  gate.require_subcommand();
  add_gate_set(program, gate);
  program.on(program.command(gate, "show", "Show the collection's gate", "  akin gate show"), show_gate);
  program.on(
      program.command(gate, "remove", "Remove the collection's gate; groups are kept", "  akin gate remove"),
      run_remove);
  program.on(program.command(gate, "groups", "List the groups of duplicates", "  akin gate groups --json"),
             list_groups);
  program.on(program.command(gate, "refusals", "List what the gate refused, the newest first",
                             "  akin gate refusals --json"),
             list_refusals);
  Command split = program.command(gate, "split", "Move documents of a group into a group of their own",
                                  "  akin gate split group-9542e4523dccb02a c.txt");
  auto group = std::make_shared<std::string>();
  auto documents = std::make_shared<std::vector<std::string>>();
  split.add_option("GROUP", *group, "Id of the group").required().type_name("");
  split.add_option("ID", *documents, "Documents to move into the new group").required().type_name("");
  program.on(split, [group, documents](Session& session) { return run_split(*group, *documents, session); });
}

}  // namespace akin::cli
