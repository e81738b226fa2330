#include "index/bulk.h"
#include "server/api/objects.h"
#include "server/cli/commands.h"
#include "server/cli/format.h"
#include "server/cli/load_memory.h"
#include "server/cli/moment.h"
#include "server/cli/progress.h"
#include "server/cli/stop_signal.h"
#include "server/ingest/input.h"
#include "server/ingest/load_files.h"
#include "server/ingest/walk.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin index books/                          ids are paths relative to books/\n"
    "  akin index essay.txt --title \"My essay\"    id is the file's name, essay.txt\n"
    "  pdftotext a.pdf - | akin index - --id a    standard input under a given id\n"
    "\n"
    "A document whose id is there already is replaced. Hidden files and folders are skipped; a\n"
    "file that is not UTF-8 is refused by name and the others are indexed (exit 2 at the end).\n"
    "Ctrl-C finishes the batches at hand and reports what is in.";

struct IndexOptions {
  std::vector<std::filesystem::path> paths;
  std::string id;
  std::string title;
  std::uint64_t memory = kDefaultLoadMemory;
  bool no_text = false;
  std::string ttl;
};

std::string summary_line(const CommonOptions& options, const ingest::LoadResult& result,
                         const ingest::InputList& inputs) {
  std::string line = "indexed " + counted(result.stored, "document") + " (" + byte_count(result.bytes) +
                     ") into collection '" + options.collection +
                     "': " + grouped(result.stored - result.replaced) + " new, " + grouped(result.replaced) +
                     " replaced, " + grouped(result.refused.size()) + " refused";
  if (inputs.hidden > 0) line += ", " + grouped(inputs.hidden) + " hidden skipped";
  if (inputs.other > 0) line += ", " + grouped(inputs.other) + " not files skipped";
  return line + "\n";
}

api::Json summary_object(const CommonOptions& options, const ingest::LoadResult& result,
                         const ingest::InputList& inputs) {
  api::Json refused = api::Json::array();
  for (const Error& error : result.refused) refused.push_back(api::error_object(error));
  return {
      {"collection", options.collection}, {"indexed", result.stored},
      {"replaced", result.replaced},      {"bytes", result.bytes},
      {"refused", std::move(refused)},    {"skipped", {{"hidden", inputs.hidden}, {"other", inputs.other}}},
      {"interrupted", result.interrupted}};
}

std::uint64_t total_bytes(const std::vector<ingest::InputFile>& files) {
  std::uint64_t bytes = 0;
  for (const ingest::InputFile& file : files) bytes += file.bytes;
  return bytes;
}

Result<Exit> run_index(const IndexOptions& request, Session& session) {
  AKIN_TRY(const ingest::InputList inputs,
           ingest::collect_inputs(request.paths, request.id, session.options.data));
  if (!request.title.empty() && inputs.files.size() != 1) {
    return Error{Errc::invalid_argument, "--title",
                 "is for a single file, but there are " + grouped(inputs.files.size()),
                 "index that file alone"};
  }
  ingest::LoadResult result;
  result.refused = inputs.refused;
  Result<void> outcome{};
  if (!inputs.files.empty()) {
    AKIN_TRY(const auto expires, read_moment("--ttl", request.ttl));
    AKIN_TRY(const auto collection, open_or_create_collection(session.options, !request.no_text));
    if (expires) AKIN_CHECK(collection.catalog->set_expiry(session.options.collection, expires));
    const StopOnSignal signals;
    ProgressLine progress("indexing");
    const double expected = static_cast<double>(total_bytes(inputs.files));
    const auto show = [&](std::uint64_t files, std::uint64_t bytes) {
      const std::string detail = grouped(files) + " of " + counted(inputs.files.size(), "file");
      progress.update(expected > 0 ? static_cast<double>(bytes) / expected : 0, bytes, detail);
    };
    outcome = ingest::load_files(
        *collection, {&inputs.files, request.memory, request.title, &StopOnSignal::asked(), show}, result);
  }
  if (session.options.json) {
    session.out << summary_object(session.options, result, inputs).dump() << "\n";
  } else {
    for (const Error& error : result.refused) report(error, false);
    session.out << summary_line(session.options, result, inputs);
  }
  AKIN_CHECK(outcome);
  if (result.interrupted) {
    return Error{Errc::unsupported, "index",
                 "stopped by a signal after " + counted(result.stored, "document"),
                 "run it again: documents already in are replaced by the same"};
  }
  return result.refused.empty() ? Exit::ok : Exit::error;
}

}  // namespace

void add_index_command(Program& program) {
  auto& command = program.command(
      "index", "Store texts: files, folders (recursively), or - for standard input", kExamples);
  auto options = std::make_shared<IndexOptions>();
  command.add_option("PATH", options->paths, "Files and folders; - is standard input")
      ->required()
      ->type_name("");
  command.add_option("--id", options->id, "Id of the single document; needed for standard input")
      ->type_name("ID");
  command.add_option("--title", options->title,
                     "Title of the single document (default the file's name without extension)");
  add_load_memory(command, options->memory);
  command.add_flag(
      "--no-text", options->no_text,
      "If the collection is made by this command: keep no original texts (smaller; evidence without\n"
      "the text itself; no reindex)");
  command
      .add_option("--ttl", options->ttl,
                  "Make the collection temporary: gone after so many days or hours (7d, 12h), or at a time")
      ->type_name("WHEN");
  program.on(command, [options](Session& session) { return run_index(*options, session); });
}

}  // namespace akin::cli
