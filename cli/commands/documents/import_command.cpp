#include <atomic>

#include "base/ascii.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/document_flags.h"
#include "cli/frame/file_line_reader.h"
#include "cli/frame/format.h"
#include "cli/frame/moment.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "index/collection/bulk.h"
#include "server/api/read/document_line.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr const char* kImportExamples =
    "  akin import books.ndjson.zst              plain, gzip or zstd, recognised by the first bytes\n"
    "  akin export --zstd | akin import - --collection copy\n"
    "\n"
    "A line is {\"id\",\"title\",\"metadata\",\"text\"}; \"stored\", which akin export writes, is accepted\n"
    "and ignored: the time of storing is the time of the import. Refused lines are reported with their\n"
    "numbers and the others are stored; the exit code is then 2. A document whose id already exists is\n"
    "replaced.";

/// The most refused lines that are listed; beyond that they are only counted.
constexpr std::size_t kMostTold = 1000;

struct ImportOptions {
  std::string file;
  std::uint64_t memory = kDefaultLoadMemory;
  bool no_text = false;
  std::string ttl;
};

Result<OwnedDocument> parse_line(std::string_view line) {
  AKIN_TRY(OwnedDocument document, api::read_document_line(line));
  if (!document.remove) return document;
  return Error{Errc::unsupported, "field 'delete'", "an import only stores documents",
               "use akin delete, or POST …/bulk"};
}

/// The documents on the lines, and the errors of lines that are not documents.
class Import {
 public:
  Import(FileLineReader& lines, std::string name) : lines_(lines), name_(std::move(name)) {}

  Result<std::vector<OwnedDocument>> read_some(std::uint64_t wanted) {
    std::vector<OwnedDocument> batch;
    for (std::uint64_t bytes = 0; batch.empty() || bytes < wanted;) {
      if (StopOnSignal::asked()) break;
      AKIN_TRY(const std::optional<std::string> line, lines_.next());
      bytes_read_ = lines_.bytes_read();
      if (!line) break;
      AKIN_CHECK(check_lines_of_json(*line, lines_.number(), name_));
      if (is_blank(*line)) continue;
      bytes += line->size();
      Result<OwnedDocument> document = parse_line(*line);
      if (document.has_error()) {
        refuse(lines_.number(), document.error());
        continue;
      }
      document->place = lines_.number();
      batch.push_back(std::move(*document));
    }
    return batch;
  }

  void refuse(std::uint64_t line, Error error) {
    const std::lock_guard lock(mutex_);
    ++refused_;
    if (told_.size() >= kMostTold) return;
    error.what = name_ + " line " + std::to_string(line) + ": " + error.what;
    told_.push_back(std::move(error));
  }

  /// Any thread.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
  [[nodiscard]] const std::vector<Error>& told() const noexcept { return told_; }

 private:
  FileLineReader& lines_;
  const std::string name_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  std::mutex mutex_;  ///< guards the rest
  std::uint64_t refused_ = 0;
  std::vector<Error> told_;
};

void print_summary(const CommonOptions& options, const BulkResult& stored, const Import& import,
                   Output& out) {
  if (options.json) {
    api::Json refused = api::Json::array();
    for (const Error& error : import.told()) refused.push_back(api::full_error_object(error));
    out << api::Json{{"collection", options.collection}, {"imported", stored.stored},
                     {"replaced", stored.replaced},      {"bytes", stored.bytes},
                     {"refused", import.refused()},      {"errors", std::move(refused)},
                     {"interrupted", stored.interrupted}}
               .dump()
        << "\n";
    return;
  }
  for (const Error& error : import.told()) report(error, false);
  out << "imported " << counted(stored.stored, "document") << " (" << byte_count(stored.bytes)
      << ") into collection '" << options.collection << "': " << grouped(stored.stored - stored.replaced)
      << " new, " << grouped(stored.replaced) << " replaced, " << grouped(import.refused()) << " refused\n";
}

Result<Exit> run_import(const ImportOptions& request, Session& session) {
  AKIN_TRY(const auto lines, FileLineReader::open(request.file));
  AKIN_TRY(const auto expires, read_moment("--ttl", request.ttl));
  AKIN_TRY(const auto collection, open_or_create_collection(session.options, {.texts = !request.no_text}));
  if (expires) AKIN_CHECK(collection.catalog->set_expiry(session.options.collection, expires));
  Import import(*lines, ingest::display_name(request.file));
  BulkResult stored;
  Result<void> outcome{};
  {
    const StopOnSignal signals;
    ProgressLine progress("importing");
    BulkOptions options;
    options.memory = request.memory;
    options.stop = &StopOnSignal::asked();
    options.refused = [&](const OwnedDocument& document, const Error& error) {
      import.refuse(document.place, error);
    };
    options.progress = [&](std::uint64_t documents, std::uint64_t bytes) {
      const std::uint64_t total = lines->bytes_total();
      const double share =
          total == 0 ? 0.0 : static_cast<double>(import.bytes_read()) / static_cast<double>(total);
      progress.update(share, bytes, counted(documents, "document"));
    };
    outcome = bulk_load(
        *collection, [&](std::uint64_t bytes) { return import.read_some(bytes); }, options, stored);
  }
  print_summary(session.options, stored, import, session.out);
  AKIN_CHECK(outcome);
  if (stored.interrupted) {
    return Error{Errc::unsupported, "import",
                 "stopped by a signal after " + counted(stored.stored, "document"),
                 "run it again: it replaces the documents already stored by the same ones"};
  }
  return import.refused() == 0 ? Exit::ok : Exit::error;
}

}  // namespace

void add_import_command(Program& program) {
  Command command = program.command("import", "Store documents from lines of JSON", kImportExamples);
  auto options = std::make_shared<ImportOptions>();
  command.add_option("FILE", options->file, "File to read; - is standard input").required().type_name("");
  add_load_memory(command, options->memory);
  command.add_flag("--no-text", options->no_text,
                   "If this command creates the collection: keep no original texts");
  command
      .add_option(
          "--ttl", options->ttl,
          "Make the collection temporary: it expires after a time (7d, 12h, 30m, 45s), or at a given one")
      .type_name("WHEN");
  program.on(command, [options](Session& session) { return run_import(*options, session); });
}

}  // namespace akin::cli
