#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/rfc3339.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/document_flags.h"
#include "cli/commands/common/job.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "server/api/write/objects.h"
#include "server/ingest/places.h"

namespace akin::cli {

namespace {

class ExportedFiles {
 public:
  /// Makes the folder, whose parent exists; one that exists must be empty. Errors: already_exists, io,
  /// disk_full, not_found.
  [[nodiscard]] static Result<ExportedFiles> open(const std::filesystem::path& folder);

  /// Writes folder/ID; what comes before a slash in the id are folders. Errors: invalid_argument (the id is
  /// not the path of a file within the folder, or another file is in its way): the others can still be
  /// written; io, disk_full.
  [[nodiscard]] Result<void> write(std::string_view id, std::string_view bytes);

  [[nodiscard]] std::uint64_t files() const noexcept { return files_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  explicit ExportedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::uint64_t files_ = 0, bytes_ = 0;  ///< written
};

/// Of a name in the file systems of Linux.
constexpr std::size_t kMostNameBytes = 255;

bool is_path_within(std::string_view id) {
  for (;;) {
    const std::size_t slash = id.find('/');
    const std::string_view name = id.substr(0, slash);
    if (name.empty() || name == "." || name == ".." || name.size() > kMostNameBytes) return false;
    if (slash == std::string_view::npos) return true;
    id.remove_prefix(slash + 1);
  }
}

Error not_written(std::string_view id, std::string reason) {
  return {Errc::invalid_argument, "file of document '" + std::string(id) + "'", std::move(reason),
          "akin show ID --file OUT writes it"};
}

Result<ExportedFiles> ExportedFiles::open(const std::filesystem::path& folder) {
  AKIN_CHECK(make_folder(folder));
  std::error_code code;
  const bool empty = std::filesystem::is_empty(folder, code);
  if (code) return system_error(code.value(), folder.string(), "read");
  if (!empty) {
    return Error{Errc::already_exists, folder.string(), "it is not empty, and no file in it is replaced",
                 "name another folder"};
  }
  return ExportedFiles(folder);
}

Result<void> ExportedFiles::write(std::string_view id, std::string_view bytes) {
  if (!is_path_within(id)) return not_written(id, "its id is not the path of a file within a folder");
  const std::filesystem::path path = folder_ / id;
  std::error_code code;
  std::filesystem::create_directories(path.parent_path(), code);
  if (code == std::errc::not_a_directory || code == std::errc::file_exists)
    return not_written(id, "its folder would have the path of another document's file");
  if (code) return system_error(code.value(), path.parent_path().string(), "create");
  if (std::filesystem::exists(path, code)) return not_written(id, "another document's file has its path");
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out.good()) return system_error(errno, path.string(), "write");
  ++files_;
  bytes_ += bytes.size();
  return {};
}

constexpr const char* kExportExamples =
    "  akin export > books.ndjson                one document per line, in the order of the ids\n"
    "  akin export books.ndjson.zst              compressed because of its name, as .gz is\n"
    "  akin export --filter 'date < 2020-01-01' old.ndjson\n"
    "  akin export --zstd | ssh other akin import -\n"
    "  akin export --files originals             the files that a collection keeps, each under its id\n"
    "\n"
    "A line is {\"id\",\"title\",\"metadata\",\"stored\",\"text\"}, which akin import accepts; of\n"
    "a document read from a file with pages or chapters, it has \"places\" too. All lines are as of\n"
    "one moment. A file gets its name once it is complete, and then replaces an earlier one.";

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
  const audit::Event event{
      .by = actor_of_command(), .action = "collection.exported", .about = options.collection};
  AKIN_CHECK(record_and_do(options, *collection.catalog, event, [&](bool) {
    return run_job("exporting", [&](const JobControl& control) -> Result<void> {
      AKIN_TRY(done, write_all(*view, filter, to, control));
      return {};
    });
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
