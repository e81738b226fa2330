#include <charconv>
#include <cstdio>

#include "base/ascii.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/document_flags.h"
#include "cli/commands/documents/index_summary.h"
#include "cli/commands/documents/metadata_file.h"
#include "cli/commands/documents/validity_options.h"
#include "cli/frame/file_line_reader.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/moment.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "index/collection/bulk.h"
#include "server/ingest/load_files.h"

namespace akin::cli {

namespace {

constexpr const char* kIndexExamples =
    "  akin index books/                          ids are paths relative to books/\n"
    "  akin index essay.txt --title \"My essay\"    id is the file's name, essay.txt\n"
    "  pdftotext a.pdf - | akin index - --id a    standard input under a given id\n"
    "  akin index site/ --min-length 2000 --only-lang ru --verbose\n"
    "  akin index site/ --admit --verbose         through the collection's gate; see akin help gate\n"
    "  akin index ruwiki-pages-articles.xml.bz2 --id ruwiki\n"
    "  akin index old/ --encoding auto            each file's encoding is found by its bytes\n"
    "  akin index books/ --meta catalogue.csv --set source=library\n"
    "  akin index books/ --failures failed.ndjson a line of JSON for each file that could not be read\n"
    "\n"
    "The files in an archive (ZIP, 7z, tar, also compressed) get the ids ARCHIVE!/PATH.\n"
    "The visible text of HTML and of MediaWiki's markup and dumps is stored; each page of a dump is a\n"
    "document with the id ID/TITLE. A document whose id already exists is replaced, unless the\n"
    "file is the one that it was read from: unchanged files are counted and not read again. Hidden files\n"
    "and folders are skipped. A file that cannot be read is reported by name and the others are indexed;\n"
    "the exit code is then 2. A file without a word is left out and named; if no file has one, the exit\n"
    "code is 2. Texts that flags leave out are counted (exit 0). Ctrl-C finishes the\n"
    "current batches and reports what was stored.";

struct IndexOptions {
  std::vector<std::filesystem::path> paths;
  std::string id;
  std::string title;
  std::string format = "auto", namespaces = "0";
  std::string encoding = std::string(extract::kUtf8Name);
  std::filesystem::path metadata_file;
  std::vector<std::string> metadata;
  ValidityOptions validity;
  bool admit = false, exit_code = false;
  bool verbose = false;
  std::uint64_t memory = kDefaultLoadMemory;
  bool no_text = false, store_file = false;
  std::string ttl;
  bool again = false;
  std::filesystem::path failures;
};

Result<std::set<std::int64_t>> read_namespaces(std::string_view list) {
  std::set<std::int64_t> numbers;
  for (const std::string_view one : split(list, ',')) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(one.data(), one.data() + one.size(), number);
    if (failure != std::errc() || end != one.data() + one.size()) {
      return Error{Errc::invalid_argument, "--namespaces", "'" + std::string(one) + "' is not a number",
                   "give numbers separated by commas, 0 for articles"};
    }
    numbers.insert(number);
  }
  return numbers;
}

Result<ingest::Reading> read_reading(const IndexOptions& request) {
  ingest::Reading reading;
  AKIN_TRY(reading.format, ingest::find_format(request.format));
  AKIN_TRY(reading.namespaces, read_namespaces(request.namespaces));
  AKIN_CHECK(extract::check_encoding(request.encoding));
  reading.encoding = request.encoding;
  reading.title = request.title;
  return reading;
}

Result<MetadataFile> read_metadata_of(const IndexOptions& request) {
  AKIN_TRY(json::Json common, read_common_metadata(request.metadata));
  return MetadataFile::read(request.metadata_file, request.encoding, std::move(common));
}

/// Reports what did not match, on standard error.
void report_metadata(const MetadataFile& metadata) {
  if (!metadata.has_file()) return;
  if (const std::vector<std::string> unused = metadata.unused(); !unused.empty()) {
    std::fprintf(stderr, "akin: %s: %s is not among the documents: '%s'%s\n", metadata.name().c_str(),
                 counted(unused.size(), "id").c_str(), unused.front().c_str(),
                 unused.size() > 1 ? ", …" : "");
  }
  if (metadata.without() > 0) {
    std::fprintf(stderr, "akin: %s: it has nothing for %s\n", metadata.name().c_str(),
                 counted(metadata.without(), "document").c_str());
  }
}

/// The collection to load into, and the gates that decide about its documents, if any.
struct Target {
  OpenCollection collection;
  std::unique_ptr<gate::Gates> gates;
};

Result<Target> open_target(const IndexOptions& request, const Session& session) {
  AKIN_TRY(const auto expires, read_moment("--ttl", request.ttl));
  Target target;
  AKIN_TRY(target.collection, open_or_create_collection(
                                  session.options, {.texts = !request.no_text, .files = request.store_file}));
  const std::string& name = session.options.collection;
  if (expires) AKIN_CHECK(target.collection.catalog->set_expiry(name, expires));
  if (!request.admit) return target;
  AKIN_TRY(auto state, open_state(session.options));
  target.gates = std::make_unique<gate::Gates>(std::move(state));
  return target;
}

/// Stores the documents of the inputs of `outcome` and records the result there, even after an error.
Result<void> load(const IndexOptions& request, const Target& target, ingest::DocumentBatches& batches,
                  IndexOutcome& outcome) {
  const std::vector<ingest::InputFile>& files = outcome.inputs.files;
  const StopOnSignal signals;
  ProgressLine progress("indexing");
  const auto expected = static_cast<double>(outcome.inputs.bytes());
  const auto show = [&](std::uint64_t documents) {
    const std::uint64_t bytes = batches.bytes_read();
    progress.update(expected > 0 ? static_cast<double>(bytes) / expected : 0, bytes,
                    counted(documents, "document") + " of " + counted(files.size(), "file"));
  };
  Result<void> loaded;
  if (target.gates != nullptr) {
    loaded = admit_files(*target.collection,
                         {.gates = target.gates.get(),
                          .files = &files,
                          .batches = &batches,
                          .stop = &StopOnSignal::asked(),
                          .list = request.verbose,
                          .progress = show},
                         outcome.admission.emplace(), outcome.load);
  } else {
    loaded = ingest::load_files(*target.collection,
                                {.files = &files,
                                 .batches = &batches,
                                 .memory = request.memory,
                                 .stop = &StopOnSignal::asked(),
                                 .progress = show},
                                outcome.load);
  }
  outcome.feed = batches.report();
  return loaded;
}

/// Records the documents that are left out, if listing them was requested.
ingest::DocumentBatches::LeftOut list_left_out(const IndexOptions& request, IndexOutcome& outcome) {
  if (!request.verbose) return nullptr;
  return [&outcome](const OwnedDocument& document, const ingest::NotValid& why) {
    outcome.left_out.push_back({ingest::document_name(outcome.inputs.files, document),
                                std::string(ingest::invalid_name(why.reason)), why.detail});
  };
}

/// Names documents without words on standard error, unless the error of the command names the only one.
void name_wordless(const ingest::FeedReport& feed) {
  const std::uint64_t all = feed.invalid[static_cast<std::size_t>(ingest::Invalid::no_words)];
  if (all == 1 && feed.only_wordless()) return;
  for (const std::string& name : feed.wordless)
    std::fprintf(stderr, "akin: %s: left out, it has no words\n", name.c_str());
  if (all > feed.wordless.size()) {
    std::fprintf(stderr, "akin: and %s more without words (--verbose lists them)\n",
                 grouped(all - feed.wordless.size()).c_str());
  }
}

/// What reads all texts in other encodings at once, if more than one was refused with that remedy.
void suggest_encoding(const std::vector<Error>& refused) {
  const auto others = std::ranges::count_if(
      refused, [](const Error& error) { return error.remedy.find("--encoding ") != std::string::npos; });
  if (others < 2) return;
  std::fprintf(
      stderr,
      "akin: %s files are probably texts in other encodings than UTF-8: --encoding auto finds that of "
      "each file\n",
      grouped(static_cast<std::uint64_t>(others)).c_str());
}

/// A load of documents without words only has stored nothing that a search could find.
Result<void> require_words(const ingest::FeedReport& feed) {
  if (!feed.only_wordless()) return {};
  const std::string remedy = "index texts; a page that was scanned needs text recognition first";
  if (feed.read == 1) {
    return Error{Errc::invalid_argument, feed.wordless.front(),
                 "it has no words, so no search could find it; nothing was stored", remedy};
  }
  return Error{Errc::invalid_argument, "index",
               "none of the " + grouped(feed.read) + " documents has a word; nothing was stored", remedy};
}

/// Writes a line for each file or document that could not be stored, if that was requested.
Result<void> write_failures(const std::filesystem::path& path, const IndexOutcome& outcome) {
  if (path.empty()) return {};
  AKIN_TRY(const auto out, LineWriter::open(path));
  for (const Error& error : outcome.all_refused()) AKIN_CHECK(out->write(failure_line(error)));
  return out->finish();
}

void tell(const IndexOptions& request, Session& session, const IndexOutcome& outcome) {
  if (session.options.json) {
    session.out << summary_object(session.options, outcome, request.verbose).dump() << "\n";
    return;
  }
  session.out << listing(outcome);
  const std::vector<Error> refused = outcome.all_refused();
  for (const Error& error : refused) report(error, false);
  suggest_encoding(refused);
  name_wordless(outcome.feed);
  session.out << summary_line(session.options, outcome);
}

Error error_of_lines(const std::filesystem::path& path) {
  return {Errc::invalid_argument, ingest::display_name(path), "has a document on each line",
          "akin import FILE stores them; --format text makes one document of the file"};
}

/// Lines of JSON are named by mistake: each line is a document.
Result<void> check_no_lines(const IndexOptions& request) {
  if (request.format != "auto") return {};
  for (const std::filesystem::path& path : request.paths) {
    std::error_code failure;
    if (is_surely_lines(path) && std::filesystem::is_regular_file(path, failure)) return error_of_lines(path);
  }
  return {};
}

/// The same below a folder, where the file of --meta is not a document either.
void leave_out_lines(const IndexOptions& request, ingest::InputList& inputs) {
  const bool has_metadata = !request.metadata_file.empty();
  std::erase_if(inputs.files, [&](const ingest::InputFile& file) {
    std::error_code failure;
    if (has_metadata && std::filesystem::equivalent(file.path, request.metadata_file, failure)) return true;
    if (request.format != "auto" || !is_surely_lines(file.path)) return false;
    inputs.refused.push_back(error_of_lines(file.path));
    return true;
  });
}

Result<Exit> run_index(const IndexOptions& request, Session& session) {
  IndexOutcome outcome;
  AKIN_CHECK(check_no_lines(request));
  AKIN_TRY(ingest::Reading reading, read_reading(request));
  AKIN_TRY(MetadataFile metadata, read_metadata_of(request));
  if (metadata.has_file() || !request.metadata.empty()) {
    reading.describe = [&metadata](OwnedDocument& document) { return metadata.describe(document); };
    reading.description = [&metadata](const std::string& id) { return metadata.description(id); };
  }
  AKIN_TRY(outcome.inputs, ingest::collect_inputs(request.paths, request.id, session.options.data));
  leave_out_lines(request, outcome.inputs);
  if (!request.title.empty() && outcome.inputs.files.size() != 1) {
    return Error{Errc::invalid_argument, "--title",
                 "is for a single file, but there are " + grouped(outcome.inputs.files.size()),
                 "index that file alone"};
  }
  Result<void> loaded;
  if (!outcome.inputs.files.empty()) {
    AKIN_TRY(const ingest::Validity wanted, read_validity(request.validity, session.options));
    AKIN_TRY(const Target target, open_target(request, session));
    ingest::StoredFiles stored(*target.collection);
    if (!request.again) reading.stored = &stored;
    reading.keep_files = target.collection->keeps_files();
    ingest::DocumentBatches batches(outcome.inputs.files, std::move(reading), wanted,
                                    list_left_out(request, outcome));
    loaded = load(request, target, batches, outcome);
  }
  tell(request, session, outcome);
  report_metadata(metadata);
  AKIN_CHECK(write_failures(request.failures, outcome));
  AKIN_CHECK(loaded);
  if (outcome.load.interrupted) {
    return Error{Errc::unsupported, "index",
                 "stopped by a signal after " + counted(outcome.load.stored, "document"),
                 "run it again: it leaves out files that are stored and unchanged"};
  }
  AKIN_CHECK(require_words(outcome.feed));
  if (!outcome.all_refused().empty()) return Exit::error;
  return exit_of(outcome.admission && outcome.admission->all_refused() > 0, request.exit_code);
}

void add_gate_options(Command command, IndexOptions& options) {
  command
      .add_flag("--admit", options.admit,
                "Store only what the collection's gate admits (akin gate set); --verbose lists what it\n"
                "refuses, groups or lets replace others, and why")
      .group("Duplicates");
  add_exit_code(command, options.exit_code, "the gate refused a text");
}

}  // namespace

void add_index_command(Program& program) {
  Command command = program.command(
      "index", "Store texts: files, folders (recursively), or - for standard input", kIndexExamples);
  auto options = std::make_shared<IndexOptions>();
  command.add_option("PATH", options->paths, "Files and folders; - is standard input")
      .required()
      .type_name("");
  command.add_option("--id", options->id, "Id of the single document; required for standard input")
      .type_name("ID");
  command.add_option(
      "--title", options->title,
      "Title of the single document; default: the page's own, or the file's name without extension");
  command
      .add_option("--format", options->format,
                  "Format of the files: auto (by their names), text, html, mediawiki (a dump, also .bz2, or "
                  "wikitext)")
      .capture_default_str()
      .type_name("NAME");
  add_encoding_option(command, options->encoding);
  command
      .add_option("--meta", options->metadata_file,
                  "Titles and metadata by id: CSV with a heading (id, title, author, …), or lines of JSON\n"
                  "(*.jsonl)")
      .type_name("FILE");
  command
      .add_option("--set", options->metadata,
                  "Metadata of every document, such as author='N. N.'; may be given several times")
      .one_value_each_time()
      .type_name("NAME=VALUE");
  command
      .add_option("--namespaces", options->namespaces,
                  "Namespaces of a dump whose pages are stored, separated by commas")
      .capture_default_str()
      .type_name("LIST");
  add_validity_options(command, options->validity);
  add_gate_options(command, *options);
  command.add_flag("--verbose", options->verbose,
                   "List each document that is left out, kept out or replaces another one, and why");
  command.add_flag("--again", options->again,
                   "Also read files that have not changed since they were indexed");
  command
      .add_option("--failures", options->failures,
                  "Write a line of JSON for each file that could not be stored: path, code, reason, remedy")
      .type_name("FILE");
  add_load_memory(command, options->memory);
  command.add_flag(
      "--no-text", options->no_text,
      "If this command creates the collection: keep no original texts (smaller; evidence without\n"
      "the text itself; no reindex)");
  command.add_flag(
      "--store-file", options->store_file,
      "If this command creates the collection: keep the files themselves, which akin show --file\n"
      "gives back");
  command
      .add_option(
          "--ttl", options->ttl,
          "Make the collection temporary: it expires after a time (7d, 12h, 30m, 45s), or at a given one")
      .type_name("WHEN");
  program.on(command, [options](Session& session) { return run_index(*options, session); });
}

}  // namespace akin::cli
