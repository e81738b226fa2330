#include <cstdio>

#include "base/rfc3339.h"
#include "server/api/objects.h"
#include "server/cli/commands/commands.h"
#include "server/cli/commands/job.h"
#include "server/cli/frame/format.h"
#include "server/cli/frame/line_writer.h"
#include "server/ingest/places.h"

namespace akin::cli {

namespace {

constexpr const char* kExportExamples =
    "  akin export > books.ndjson                one document per line, in the order of the ids\n"
    "  akin export books.ndjson.zst              compressed with zstd, because of its name\n"
    "  akin export --zstd | ssh other akin import -\n"
    "\n"
    "A line is {\"id\",\"title\",\"metadata\",\"stored\",\"text\"}, which akin import accepts; of\n"
    "a document read from a file with pages or chapters, it has \"places\" too. All lines are as of\n"
    "one moment. A file gets its name once it is complete.";

struct Exported {
  std::uint64_t documents = 0, bytes = 0;
};

/// The metadata, which is stored as opaque text, as a JSON object.
api::Json metadata_of(const DocumentRecord& record) {
  if (record.metadata.empty()) return api::Json::object();
  api::Json metadata = api::Json::parse(record.metadata, nullptr, false);
  return metadata.is_discarded() ? api::Json::object() : metadata;
}

Result<std::string> line_of(const Snapshot& view, const DocumentRecord& record) {
  AKIN_TRY(std::string text, view.text(record.id));
  api::Json line{{"id", record.id},
                 {"title", record.title},
                 {"metadata", metadata_of(record)},
                 {"stored", format_rfc3339(record.revision.value)},
                 {"text", std::move(text)}};
  if (api::Json places = ingest::places_object(record.places); !places.is_null())
    line["places"] = std::move(places);
  return json::compact(line) + "\n";
}

Result<Exported> write_all(const Snapshot& view, LineWriter& out, const JobControl& control) {
  constexpr std::size_t kPage = 256;
  AKIN_TRY(const StoreStats stats, view.stats());
  JobProgress now{"writing", 0, stats.documents, 0, stats.text_bytes};
  std::string after;
  for (;;) {
    AKIN_TRY(const std::vector<DocumentRecord> page, view.list(after, kPage));
    if (page.empty() || out.lost()) break;
    for (const DocumentRecord& record : page) {
      if (control.stop.stop_requested())
        return Error{Errc::unsupported, "export", "stopped by a signal", "start it again"};
      AKIN_TRY(const std::string line, line_of(view, record));
      AKIN_CHECK(out.write(line));
      ++now.documents_done;
      now.bytes_done += record.text_bytes;
      control.progress(now);
    }
    after = page.back().id;
  }
  AKIN_CHECK(out.finish());
  return Exported{now.documents_done, now.bytes_done};
}

Result<Exit> run_export(const std::string& file, bool zstd, Session& session) {
  const CommonOptions& options = session.options;
  AKIN_TRY(const auto collection, open_collection(options));
  AKIN_TRY(const StoreIdentity identity, collection.catalog->identity(options.collection));
  if (!identity.store_text) {
    return Error{Errc::unsupported, "collection '" + options.collection + "'",
                 "it keeps no texts, so there is nothing to export", "copy it with akin backup"};
  }
  AKIN_TRY(const auto view, collection->snapshot());
  AKIN_TRY(const auto out, LineWriter::open(file, zstd || file.ends_with(".zst")));
  Exported done;
  AKIN_CHECK(run_job("exporting", [&](const JobControl& control) -> Result<void> {
    AKIN_TRY(done, write_all(*view, *out, control));
    return {};
  }));
  if (identity.store_file)
    std::fputs(
        "akin: the files of the documents are not exported; akin backup and akin store copy keep them\n",
        stderr);
  // Standard output is for the documents.
  if (file == "-") return Exit::ok;
  if (options.json) {
    session.out << api::Json{{"collection", options.collection},
                             {"documents", done.documents},
                             {"bytes", done.bytes}}
                       .dump()
                << "\n";
  } else {
    session.out << "exported " << counted(done.documents, "document") << " (" << byte_count(done.bytes)
                << ") of collection '" << options.collection << "'\n";
  }
  return Exit::ok;
}

}  // namespace

void add_export_command(Program& program) {
  Command command =
      program.command("export", "Write all documents of a collection as lines of JSON", kExportExamples);
  auto file = std::make_shared<std::string>("-");
  auto zstd = std::make_shared<bool>(false);
  command.add_option("FILE", *file, "File to write; default: - (standard output)").type_name("");
  command.add_flag("--zstd", *zstd, "Compress with zstd, as a name that ends with .zst does");
  program.on(command, [file, zstd](Session& session) { return run_export(*file, *zstd, session); });
}

}  // namespace akin::cli
