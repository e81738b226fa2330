#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rfc3339.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/filter_option.h"
#include "cli/commands/common/job.h"
#include "cli/commands/documents/exported_files.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "server/api/write/objects.h"
#include "server/ingest/places.h"

namespace akin::cli {

namespace {

constexpr const char* kExportExamples =
    "  akin export > books.ndjson                one document per line, in the order of the ids\n"
    "  akin export books.ndjson.zst              compressed because of its name, as .gz is\n"
    "  akin export --filter 'date < 2020-01-01' old.ndjson\n"
    "  akin export --zstd | ssh other akin import -\n"
    "  akin export --files originals             the files that a collection keeps, each under its id\n"
    "\n"
    "A line is {\"id\",\"title\",\"metadata\",\"stored\",\"text\"}, which akin import accepts; of\n"
    "a document read from a file with pages or chapters, it has \"places\" too. All lines are as of\n"
    "one moment. A file gets its name once it is complete.";

struct ExportOptions {
  std::string file;  ///< empty: not given
  bool zstd = false;
  std::string files;  ///< folder; empty: not given
  std::string filter;

  [[nodiscard]] bool wants_lines() const noexcept { return !file.empty() || files.empty(); }
};

/// Where an export goes; at least one of them is there.
struct Destination {
  std::unique_ptr<LineWriter> lines;
  std::optional<ExportedFiles> files;
};

struct Exported {
  std::uint64_t documents = 0, bytes = 0;
  std::vector<Error> not_written;  ///< files
};

/// The metadata, which is stored as opaque text, as a JSON object.
api::Json metadata_of(const DocumentRecord& record) {
  if (record.metadata.empty()) return api::Json::object();
  api::Json metadata = api::Json::parse(record.metadata, nullptr, false);
  return metadata.is_discarded() ? api::Json::object() : metadata;
}

Result<std::string> line_of(const Snapshot& view, const StoredDocument& record) {
  AKIN_TRY(std::string text, view.text(record));
  api::Json line{{"id", record.id},
                 {"title", record.title},
                 {"metadata", metadata_of(record)},
                 {"stored", format_rfc3339(record.revision.value)},
                 {"text", std::move(text)}};
  if (api::Json places = ingest::places_object(record.places); !places.is_null())
    line["places"] = std::move(places);
  return json::compact(line) + "\n";
}

/// Writes the document's file, if the collection keeps one. An error ends the export.
Result<void> write_file(const Snapshot& view, const StoredDocument& record, ExportedFiles& files,
                        std::vector<Error>& not_written) {
  if (!record.file || record.file->kept_bytes == 0) return {};
  AKIN_TRY(const StoredFile file, view.file(record));
  Result<void> written = files.write(record.id, file.bytes);
  if (!written.has_error() || written.error().code != Errc::invalid_argument) return written;
  not_written.push_back(std::move(written).error());
  return {};
}

Result<Exported> write_all(const Snapshot& view, const std::optional<filter::Filter>& filter, Destination& to,
                           const JobControl& control) {
  constexpr std::size_t kPage = 256;
  AKIN_TRY(const StoreStats stats, view.stats());
  JobProgress now{"writing", 0, stats.documents, 0, stats.text_bytes};
  Exported done;
  std::string after;
  for (;;) {
    AKIN_TRY(const std::vector<StoredDocument> page, view.list(after, kPage));
    if (page.empty() || (to.lines && to.lines->lost())) break;
    for (const StoredDocument& record : page) {
      if (control.stop.stop_requested())
        return Error{Errc::unsupported, "export", "stopped by a signal", "start it again"};
      if (filter && !filter->accepts(record)) continue;
      if (to.lines) {
        AKIN_TRY(const std::string line, line_of(view, record));
        AKIN_CHECK(to.lines->write(line));
      }
      if (to.files) AKIN_CHECK(write_file(view, record, *to.files, done.not_written));
      ++now.documents_done;
      now.bytes_done += record.text_bytes;
      control.progress(now);
    }
    after = page.back().id;
  }
  if (to.lines) AKIN_CHECK(to.lines->finish());
  done.documents = now.documents_done;
  done.bytes = now.bytes_done;
  return done;
}

Result<void> check_kept(const StoreIdentity& identity, const std::string& collection,
                        const ExportOptions& wanted) {
  if (wanted.wants_lines() && !identity.store_text) {
    return Error{Errc::unsupported, "collection '" + collection + "'",
                 "it keeps no texts, so there is nothing to export", "copy it with akin backup"};
  }
  if (!wanted.files.empty() && !identity.store_file) {
    return Error{Errc::unsupported, "collection '" + collection + "'", "it keeps no files",
                 "make a collection that does: akin index --store-file"};
  }
  return {};
}

void print_summary(const ExportOptions& wanted, const Exported& done, const Destination& to,
                   Session& session) {
  const std::string& collection = session.options.collection;
  if (session.options.json) {
    api::Json object{{"collection", collection}};
    if (to.lines) object.update({{"documents", done.documents}, {"bytes", done.bytes}});
    if (to.files) {
      api::Json errors = api::Json::array();
      for (const Error& error : done.not_written) errors.push_back(api::full_error_object(error));
      object.update({{"files", to.files->files()},
                     {"file_bytes", to.files->bytes()},
                     {"not_written", std::move(errors)}});
    }
    session.out << object.dump() << "\n";
    return;
  }
  for (const Error& error : done.not_written) report(error, false);
  if (to.lines) {
    session.out << "exported " << counted(done.documents, "document") << " (" << byte_count(done.bytes)
                << ") of collection '" << collection << "'\n";
  }
  if (to.files) {
    session.out << "wrote " << counted(to.files->files(), "file") << " (" << byte_count(to.files->bytes())
                << ") of collection '" << collection << "' into " << wanted.files << "\n";
  }
}

Result<Exit> run_export(const ExportOptions& wanted, Session& session) {
  const CommonOptions& options = session.options;
  AKIN_TRY(const auto filter, filter_of(wanted.filter));
  AKIN_TRY(const auto collection, open_collection(options));
  AKIN_TRY(const StoreIdentity identity, collection.catalog->identity(options.collection));
  AKIN_CHECK(check_kept(identity, options.collection, wanted));
  AKIN_TRY(const auto view, collection->snapshot());
  const std::string file = wanted.file.empty() ? "-" : wanted.file;
  Destination to;
  if (!wanted.files.empty()) {
    AKIN_TRY(to.files, ExportedFiles::open(wanted.files));
  }
  if (wanted.wants_lines()) {
    AKIN_TRY(to.lines, LineWriter::open(file, wanted.zstd ? Compression::zstd : compression_of(file)));
  }
  Exported done;
  AKIN_CHECK(run_job("exporting", [&](const JobControl& control) -> Result<void> {
    AKIN_TRY(done, write_all(*view, filter, to, control));
    return {};
  }));
  if (identity.store_file && !to.files) {
    std::fputs(
        "akin: the files of the documents are not exported; --files DIR writes them, and akin backup and "
        "akin store copy keep them\n",
        stderr);
  }
  if (to.lines && file == "-") {
    // Standard output is for the documents.
    for (const Error& error : done.not_written) report(error, false);
  } else {
    print_summary(wanted, done, to, session);
  }
  return done.not_written.empty() ? Exit::ok : Exit::error;
}

}  // namespace

void add_export_command(Program& program) {
  Command command =
      program.command("export", "Write all documents of a collection as lines of JSON", kExportExamples);
  auto options = std::make_shared<ExportOptions>();
  command
      .add_option("FILE", options->file, "File to write; default: - (standard output), or none with --files")
      .type_name("");
  add_filter_option(command, options->filter, "Write only documents that this filter selects");
  command.add_flag("--zstd", options->zstd, "Compress with zstd, as a name that ends with .zst does");
  command
      .add_option("--files", options->files,
                  "Write the files that the collection keeps into this folder, which must be new or empty")
      .type_name("DIR");
  program.on(command, [options](Session& session) { return run_export(*options, session); });
}

}  // namespace akin::cli
