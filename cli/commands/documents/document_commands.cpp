#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/document_flags.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/table.h"
#include "index/pairs/text_copies.h"
#include "server/api/write/objects.h"
#include "server/audit/audit_log.h"

namespace akin::cli {

namespace {

constexpr const char* kShowExamples =
    "  akin show chekhov/vanka.txt               the document's record\n"
    "  akin show chekhov/vanka.txt --text        its text as it was stored\n"
    "  akin show thesis.pdf --file copy.pdf      the file that it was read from, if the collection keeps "
    "files\n"
    "  akin show --json chekhov/vanka.txt";

constexpr const char* kDeleteExamples =
    "  akin delete chekhov/vanka.txt old.txt\n"
    "  akin delete -- -odd-name.txt              an id that begins with a dash\n"
    "  akin delete --filter 'date < 2020-01-01'  all documents that a filter selects\n"
    "\n"
    "Ids that do not exist are reported and the others are deleted; the exit code is then 2.";

struct ShowOptions {
  bool text = false;
  std::filesystem::path file;  ///< to write it to; empty: do not
};

Error no_document(const std::string& id, const CommonOptions& options) {
  return {Errc::not_found, "document '" + one_line(id, kMaxIdBytes) + "'",
          "not in the collection '" + options.collection + "'", "check the id and --collection"};
}

void print_record(const DocumentRecord& record, Output& out) {
  Table table({Table::Align::left, Table::Align::left});
  table.add({"id", one_line(record.id, kMaxIdBytes)});
  table.add({"title", one_line(record.title, 200)});
  if (!record.metadata.empty()) table.add({"metadata", one_line(record.metadata, 2000)});
  table.add({"text", byte_count(record.text_bytes) + ", " + counted(record.code_points, "character")});
  table.add({"sentences", grouped(record.sentences)});
  table.add({"features", grouped(record.features)});
  if (record.text_sha256) table.add({"text SHA-256", hex_of(*record.text_sha256)});
  if (record.file) table.add({"file SHA-256", hex_of(record.file->sha256)});
  if (record.file && record.file->kept_bytes > 0) table.add({"file", byte_count(record.file->kept_bytes)});
  out << table.text();
}

/// Writes a file; `to` may be - for standard output.
Result<void> write_file(const std::filesystem::path& to, const std::string& bytes, Session& session) {
  if (to == "-") {
    session.out << bytes;
    return {};
  }
  AKIN_TRY(const auto out, LineWriter::open(to));
  AKIN_CHECK(out->write(bytes));
  return out->finish();
}

Result<Exit> show_file(const StoredDocument& document, const std::filesystem::path& to,
                       const Snapshot& snapshot, Session& session) {
  AKIN_TRY(const StoredFile file, snapshot.file(document));
  AKIN_CHECK(write_file(to, file.bytes, session));
  if (to == "-") return Exit::ok;
  if (session.options.json) {
    session.out << api::Json{{"id", document.id},
                             {"file", to.string()},
                             {"name", file.name},
                             {"media_type", file.media_type},
                             {"bytes", file.bytes.size()}}
                       .dump()
                << "\n";
  } else {
    session.out << "wrote " << byte_count(file.bytes.size()) << " to " << to.string() << "\n";
  }
  return Exit::ok;
}

Result<Exit> run_show(const std::string& id, const ShowOptions& wanted, Session& session) {
  AKIN_CHECK(validate_utf8(id, "id"));
  AKIN_TRY(const auto collection, open_collection(session.options));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(id, session.options);
  if (wanted.text || !wanted.file.empty()) {
    AKIN_TRY(auto state, find_state(session.options));
    AKIN_CHECK(TextReadings(std::move(state), collection.catalog).note(session.options.collection, *record));
  }
  if (!wanted.file.empty()) return show_file(*record, wanted.file, *snapshot, session);
  if (session.options.json) {
    api::Json object = api::document_object(*record);
    if (wanted.text) {
      AKIN_TRY(object["text"], snapshot->text(*record));
    }
    session.out << object.dump() << "\n";
  } else if (wanted.text) {
    AKIN_TRY(const std::string text, snapshot->text(*record));
    session.out << text;
  } else {
    print_record(*record, session.out);
  }
  return Exit::ok;
}

/// The ids of all documents that the filter selects.
Result<std::vector<std::string>> selected_ids(const Collection& collection, const filter::Filter& filter) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  std::vector<std::string> ids;
  AKIN_CHECK(for_each_document(*snapshot, [&](const StoredDocument& record) -> Result<void> {
    if (filter.accepts(record)) ids.push_back(record.id);
    return {};
  }));
  return ids;
}

Result<Exit> run_delete(std::vector<std::string> ids, const std::string& selection, Session& session) {
  AKIN_TRY(const auto filter, filter_of(selection));
  if (ids.empty() != filter.has_value()) {
    return Error{Errc::invalid_argument, "akin delete", "takes either ids or --filter",
                 filter ? "leave one of them out" : "name the documents"};
  }
  for (const std::string& id : ids) AKIN_CHECK(validate_utf8(id, "id"));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  AKIN_TRY(const auto collection, open_collection(session.options));
  if (filter) {
    AKIN_TRY(ids, selected_ids(*collection, *filter));
  }
  std::vector<std::string> missing;
  {
    AKIN_TRY(const auto snapshot, collection->snapshot());
    for (const std::string& id : ids) {
      AKIN_TRY(const auto record, snapshot->find(id));
      if (!record) missing.push_back(id);
    }
  }
  std::uint64_t deleted = 0;
  if (ids.size() > missing.size()) {
    AKIN_TRY(const auto state, find_state(session.options));
    const audit::Event event{.by = actor_of_command(),
                             .action = "documents.deleted",
                             .about = session.options.collection,
                             .details = {{"documents", ids.size() - missing.size()}}};
    AKIN_CHECK(state::remove_for_room(state.get(), [&] {
      return audit::record_and_do(state.get(), event, [&]() -> Result<void> {
        AKIN_TRY(deleted, collection->remove(ids));
        return {};
      });
    }));
  }
  if (session.options.json) {
    session.out << api::Json{{"deleted", deleted}, {"not_found", missing}}.dump() << "\n";
  } else {
    for (const std::string& id : missing) report(no_document(id, session.options), false);
    session.out << "deleted " << counted(deleted, "document") << " from collection '"
                << session.options.collection << "'\n";
  }
  return missing.empty() ? Exit::ok : Exit::error;
}

}  // namespace

void add_document_commands(Program& program) {
  Command show = program.command("show", "Show a stored document", kShowExamples);
  auto id = std::make_shared<std::string>();
  auto wanted = std::make_shared<ShowOptions>();
  show.add_option("ID", *id, "Id of the document").required().type_name("");
  show.add_flag("--text", wanted->text, "Print the stored text itself");
  show.add_option("--file", wanted->file,
                  "Write the file that the document was read from; - is standard output")
      .type_name("OUT");
  program.on(show, [id, wanted](Session& session) { return run_show(*id, *wanted, session); });

  Command remove = program.command("delete", "Delete stored documents", kDeleteExamples);
  auto ids = std::make_shared<std::vector<std::string>>();
  auto filter = std::make_shared<std::string>();
  remove.add_option("ID", *ids, "Ids of the documents").type_name("");
  add_filter_option(remove, *filter, "Delete all documents that this filter selects");
  program.on(remove, [ids, filter](Session& session) { return run_delete(*ids, *filter, session); });
}

}  // namespace akin::cli
