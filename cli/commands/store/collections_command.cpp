#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "server/api/write/objects.h"
#include "server/run/collection_life.h"

namespace akin::cli {

namespace {

constexpr const char* kCollectionExamples =
    "  akin collections list\n"
    "  akin collections create theses --lang uk,en --preset paper\n"
    "  akin collections drop theses --yes\n"
    "\n"
    "Commands that store documents create a missing collection themselves. To drop one, with its\n"
    "documents, watches, gate and groups, say --yes: only a backup brings it back.";

Result<Exit> list_collections(Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  AKIN_TRY(const auto names, catalog->list());
  api::Json collections = api::Json::array();
  using Align = Table::Align;
  Table table({Align::left, Align::right, Align::right, Align::left, Align::left});
  table.add({"name", "documents", "text", "expires", "scheme"});
  for (const std::string& name : names) {
    const auto summary = catalog->describe(name);
    if (summary.has_error()) {
      if (summary.error().code == Errc::not_found) continue;  // dropped meanwhile
      collections.push_back({{"name", name}, {"error", api::error_object(summary.error())}});
      table.add({name, "", "", "", summary.error().message()});
      continue;
    }
    collections.push_back(
        api::collection_object(name, summary->identity, summary->stats, summary->expires, {}));
    table.add({name, grouped(summary->stats.documents), byte_count(summary->stats.text_bytes),
               summary->expires ? format_time(*summary->expires) : "never", summary->identity.scheme});
  }
  if (session.options.json) {
    session.out << api::Json{{"total", names.size()}, {"collections", std::move(collections)}}.dump() << "\n";
  } else if (names.empty()) {
    session.out << "no collections\n";
  } else {
    session.out << table.text();
  }
  return Exit::ok;
}

Result<Exit> create_collection(const std::string& name, const Originals& keeps, Session& session) {
  CommonOptions options = session.options;
  options.collection = name;
  AKIN_TRY(const auto made, open_or_create_collection(options, keeps));
  const StoreIdentity& identity = made->identity();
  if (options.json) {
    session.out
        << api::Json{{"name", name}, {"scheme", identity.scheme}, {"languages", identity.languages}}.dump()
        << "\n";
  } else {
    session.out << "collection '" << name << "' has the scheme " << identity.scheme << " and the languages "
                << identity.languages << "\n";
  }
  return Exit::ok;
}

Result<Exit> drop_collection(const std::string& name, bool is_sure, Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  AKIN_TRY(const auto names, catalog->list());
  if (!is_sure && std::ranges::find(names, name) != names.end()) {
    return Error{Errc::invalid_argument, "collection '" + name + "'",
                 "it would be dropped with all its documents", "say --yes if that is wanted"};
  }
  AKIN_TRY(const auto state, find_state(session.options));
  AKIN_CHECK(
      with_collections(api::remove_collection(*catalog, state, name, actor_of_command()), *catalog, "NAME"));
  if (session.options.json) {
    session.out << api::Json{{"name", name}, {"deleted", true}}.dump() << "\n";
  } else {
    session.out << "dropped collection '" << name << "'\n";
  }
  return Exit::ok;
}

}  // namespace

void add_collections_command(Program& program) {
  Command command = program.command("collections", "List, create and drop collections", kCollectionExamples);
  command.require_subcommand();
  program.on(command.add_subcommand("list", "List the collections"), list_collections);

  struct Named {
    std::string name;
    Originals keeps;
    bool no_text = false, is_sure = false;
  };
  auto named = std::make_shared<Named>();
  Command create = command.add_subcommand("create", "Create a collection, unless it is there as wanted");
  create.add_option("NAME", named->name, "Name of the collection").type_name("").required();
  create.add_flag("--no-text", named->no_text, "Keep no texts: answers have no passages of words");
  create.add_flag("--store-file", named->keeps.files, "Keep the files that texts are read from");
  program.on(create, [named](Session& session) {
    named->keeps.texts = !named->no_text;
    return create_collection(named->name, named->keeps, session);
  });

  Command drop = command.add_subcommand("drop", "Drop a collection with all its documents");
  drop.add_option("NAME", named->name, "Name of the collection").type_name("").required();
  drop.add_flag("--yes", named->is_sure, "Really");
  program.on(drop,
             [named](Session& session) { return drop_collection(named->name, named->is_sure, session); });
}

}  // namespace akin::cli
