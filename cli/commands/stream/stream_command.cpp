#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "base/ascii.h"
#include "base/parallel.h"
#include "base/time.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/document_flags.h"
#include "cli/commands/stream/folder_feed.h"
#include "cli/commands/stream/judge_files.h"
#include "cli/frame/file_line_reader.h"
#include "cli/frame/format.h"
#include "cli/frame/stop_signal.h"
#include "cli/frame/workspace.h"
#include "server/judge/collection_feed.h"
#include "server/judge/line_stream.h"
#include "server/judge/stream_state.h"

namespace akin::cli {

namespace {

constexpr const char* kStreamExamples =
    "  akin stream < news.ndjson                      by the rule: the same event, or copied\n"
    "  akin stream --model duplicate --window 72h < news.ndjson.zst\n"
    "  collector | akin stream --model duplicate --model same-event --verbose | archiver\n"
    "  akin stream --follow incoming --state window   files that are put into a folder from now on\n"
    "  akin stream --collection news --from 2024-05-17    a collection's documents, as they were stored\n"
    "  akin stream --collection news --follow             documents that are stored from now on\n"
    "\n"
    "An input line is a document {\"id\",\"title\",\"text\",\"time\",\"source\",\"links\",...}, in the\n"
    "order of arrival; an output line is its answer: \"new\", or \"duplicate\" or \"undecided\" with its\n"
    "original. A line that is not a document gets an error as its answer, and the stream continues.\n"
    "SIGTERM and Ctrl-C end the stream after what was read. Exit 2 if a line was not a document.";

struct StreamRequest {
  std::string file = "-";
  std::string from;             ///< a time, RFC 3339
  bool follow = false;          ///< with this or `from`, and without a folder, the collection is read
  std::filesystem::path state;  ///< empty: none is kept
  std::string filter;           ///< of the collection's documents
  std::vector<std::string> models;
  std::string model_field = "source";
  std::vector<std::string> models_for;  ///< "VALUE=NAME"
  std::string candidate_rule;           ///< empty: the default for models, or for the rule
  std::string rule = "event";
  std::vector<std::string> background;  ///< files of documents by which the rule weighs words
  judge::LineStreamOptions options{{}, 0, false};
};

/// Bytes of documents that --state has not got yet.
constexpr std::size_t kMostPending = std::size_t{1} << 20;

using ReadLine = judge::LineStream::Read;

/// The next line that is not blank; nothing after the last one, or once nobody reads the answers.
Result<std::optional<judge::NumberedLine>> next_line(FileLineReader& lines, const std::atomic<bool>& ended) {
  while (!ended) {
    AKIN_TRY(std::optional<std::string> line, lines.next());
    if (!line) break;
    if (is_blank(*line)) continue;
    return std::optional(judge::NumberedLine{lines.number(), std::move(*line)});
  }
  return std::optional<judge::NumberedLine>();
}

void print_summary(const judge::StreamTally& tally, std::size_t bound, std::chrono::duration<double> time) {
  const std::string line = counted(tally.documents, "document") + ": " + grouped(tally.fresh) + " new, " +
                           counted(tally.duplicates, "duplicate") + ", " + grouped(tally.undecided) +
                           " undecided; " + counted(tally.refused, "line") + " refused; in " +
                           seconds_taken(time);
  std::fprintf(stderr, "%s\n", line.c_str());
  if (tally.narrowed > 0) {
    const std::string more = counted(tally.narrowed, "document") +
                             " had more candidates than were compared: --candidates sets the bound";
    std::fprintf(stderr, "%s\n", more.c_str());
  }
  if (tally.cut > 0) {
    const std::string more = counted(tally.cut, "document") + " had something in common with more than " +
                             grouped(bound) + " others, of which only the last were examined";
    std::fprintf(stderr, "%s\n", more.c_str());
  }
}

/// The weights of words for the rule; nothing without files.
Result<std::optional<judge::CollectionStatistics>> statistics_of(const StreamRequest& request,
                                                                 const Dictionary& dictionary) {
  if (request.background.empty()) return std::optional<judge::CollectionStatistics>();
  if (!request.models.empty()) {
    return Error{Errc::invalid_argument, "--background", "cannot be combined with --model",
                 "a model has its own: give the files to akin-lab train"};
  }
  std::vector<judge::Document> documents;
  for (const std::string& file : request.background) {
    AKIN_TRY(auto more, read_documents(file));
    std::move(more.begin(), more.end(), std::back_inserter(documents));
  }
  AKIN_TRY(judge::CollectionStatistics statistics, judge::count_collection(documents, dictionary));
  return std::optional(std::move(statistics));
}

/// The model of each value in --model-for, without that of all others.
Result<judge::ModelChoice> choice_of(const StreamRequest& request,
                                     const std::function<Result<std::string>(const std::string&)>& load) {
  if (request.models.empty()) {
    return Error{Errc::invalid_argument, "--model-for", "needs a model for all other documents",
                 "name it with --model"};
  }
  judge::ModelChoice choice{.field = request.model_field, .models = {}, .otherwise = {}};
  for (const std::string& pair : request.models_for) {
    const std::size_t sign = pair.rfind('=');
    if (sign == std::string::npos || sign == 0) {
      return Error{Errc::invalid_argument, "--model-for " + pair, "is not VALUE=NAME",
                   "give for instance example.org=news"};
    }
    AKIN_TRY(const std::string name, load(pair.substr(sign + 1)));
    choice.models.insert_or_assign(pair.substr(0, sign), name);
  }
  return choice;
}

bool is_folder(const std::string& file) {
  std::error_code failure;
  return file != "-" && std::filesystem::is_directory(file, failure);
}

bool reads_collection(const StreamRequest& request) {
  return !request.from.empty() || (request.follow && !is_folder(request.file));
}

/// The revision after which the stream starts; without a time, everything stored so far is before it.
Result<Revision> begin_of(const StreamRequest& request) {
  if (request.from.empty()) {
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(time_now().time_since_epoch());
    return Revision(static_cast<std::uint64_t>(now.count()));
  }
  return judge::revision_at(request.from, "--from " + request.from);
}

/// Where documents come from: the collection, the files of a folder, or the lines of a file.
Result<ReadLine> open_input(const StreamRequest& request, const Session& session,
                            const std::atomic<bool>& ended, const judge::StreamState* state) {
  if (!reads_collection(request)) {
    if (!request.filter.empty()) {
      return Error{Errc::invalid_argument, "--filter", "selects documents of a collection",
                   "read one by --from or --follow"};
    }
    if (is_folder(request.file)) {
      return ReadLine([feed = std::make_shared<FolderFeed>(request.file, request.follow, state), &ended] {
        return feed->next([&ended] { return ended || StopOnSignal::asked(); });
      });
    }
    AKIN_TRY(auto opened, FileLineReader::open(request.file, &StopOnSignal::asked()));
    return ReadLine(
        [lines = std::shared_ptr(std::move(opened)), &ended] { return next_line(*lines, ended); });
  }
  if (request.file != "-") {
    return Error{Errc::invalid_argument, "'" + request.file + "'",
                 "is not a folder and cannot be combined with --from or --follow",
                 "these read the collection: leave one out"};
  }
  if (state != nullptr) {
    return Error{Errc::invalid_argument, "--state", "is not for documents of a collection, which has them",
                 "give the \"stored\" of the last answer to --from"};
  }
  AKIN_TRY(const Revision after, begin_of(request));
  AKIN_TRY(const OpenCollection stored, open_collection(session.options));
  judge::FeedOptions reading{after, request.options.stream.window.seconds, request.follow};
  AKIN_TRY(const auto filter, filter_of(request.filter));
  if (filter) reading.selects = [filter](const DocumentRecord& record) { return filter->accepts(record); };
  AKIN_TRY(auto opened, judge::CollectionFeed::open(stored.catalog, stored.collection, reading));
  return ReadLine([feed = std::make_shared<judge::CollectionFeed>(std::move(opened)), &ended] {
    return feed->next([&ended] { return ended || StopOnSignal::asked(); });
  });
}

Result<Exit> run_stream(const StreamRequest& given, Session& session) {
  StreamRequest request = given;
  AKIN_TRY(request.options.stream.rule, judge::parse_rule(request.rule));
  AKIN_TRY(
      request.options.stream.window.candidate_rule,
      judge::candidate_rule_of(request.candidate_rule, request.models.empty(), request.options.stream.rule));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  std::vector<judge::Model> models;
  std::map<std::string, std::string> loaded;  // names of models by what the flags call them
  const auto load = [&](const std::string& name) -> Result<std::string> {
    if (const auto known = loaded.find(name); known != loaded.end()) return known->second;
    AKIN_TRY(judge::Model model, load_model(session.options, name, *dictionary));
    const auto has_name = [&](const judge::Model& other) { return other.name == model.name; };
    if (std::ranges::any_of(models, has_name)) {
      return Error{Errc::already_exists, "model '" + name + "'",
                   "has the name of another, '" + model.name + "'", "train one of them under another name"};
    }
    models.push_back(std::move(model));
    return loaded[name] = models.back().name;
  };
  for (const std::string& name : request.models) AKIN_CHECK(load(name));
  if (!request.models_for.empty()) {
    AKIN_TRY(request.options.choice, choice_of(request, load));
    request.options.choice->otherwise = models.front().name;
  }
  AKIN_TRY(const auto statistics, statistics_of(request, *dictionary));
  request.options.statistics = statistics ? &*statistics : nullptr;
  const StopOnSignal signals;
  std::atomic<bool> ended = false;
  std::unique_ptr<judge::StreamState> state;
  if (!request.state.empty()) {
    AKIN_TRY(state, judge::StreamState::open(request.state, request.options.stream.window));
    request.options.taken = [&state](const judge::NumberedLine& line, std::int64_t time,
                                     const judge::Story* story) { state->add(line, time, story); };
  }
  AKIN_TRY(const ReadLine input, open_input(request, session, ended, state.get()));
  const ReadLine read = [&]() -> Result<std::optional<judge::NumberedLine>> {
    if (state != nullptr) {
      AKIN_TRY(auto known, state->next_known());
      if (known) return known;
    }
    return input();
  };
  const auto begin = std::chrono::steady_clock::now();
  request.options.threads = thread_count(request.options.threads);
  const judge::LineStream stream(*dictionary, models, request.options);
  judge::StreamTally tally;
  Result<void> kept;
  const auto flush = [&] {
    if (session.out.flush().has_error()) return false;
    if (state != nullptr && !session.out.lost()) kept = state->flush();
    return kept.has_value();
  };
  const auto outcome = stream.run(
      read,
      [&](std::string_view answer, bool idle) {
        session.out << answer;
        const bool is_due = idle || (state != nullptr && state->pending() > kMostPending);
        ended = (is_due && !flush()) || session.out.lost();
        return !ended;
      },
      tally);
  AKIN_CHECK(session.out.flush());
  AKIN_CHECK(kept);
  print_summary(tally, request.options.stream.window.candidates_by_feature,
                std::chrono::steady_clock::now() - begin);
  AKIN_CHECK(outcome);
  return tally.refused == 0 ? Exit::ok : Exit::error;
}

void add_window_options(Command command, judge::WindowOptions& window) {
  command.add_option("--window", window.seconds, "How long a document can be the original of later ones")
      .with_unit({{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}})
      .range(std::int64_t{1}, std::int64_t{36500} * 86400)
      .type_name("TIME")
      .default_str("72h");
  command
      .add_option("--most", window.documents,
                  "Most documents kept, about 9 kB each; beyond that, the first ones leave")
      .type_name("N")
      .range(std::size_t{1}, std::size_t{100'000'000})
      .capture_default_str();
  command
      .add_option("--candidates", window.candidates,
                  "Largest number of candidates compared with each document")
      .type_name("N")
      .range(std::size_t{1}, std::size_t{10'000})
      .capture_default_str();
}

}  // namespace

void add_stream_command(Program& program) {
  Command command = program.command(
      "stream", "Judge documents as they arrive: new, or a duplicate of which one?", kStreamExamples);
  auto request = std::make_shared<StreamRequest>();
  command
      .add_option("FILE", request->file,
                  "Documents, one per line; a folder of files; or - for standard input")
      .type_name("")
      .capture_default_str();
  command
      .add_option("--from", request->from,
                  "Instead of a file, read the documents of --collection that were stored after this\n"
                  "time; the \"stored\" of an earlier stream's last answer continues that stream")
      .type_name("TIME");
  command.add_flag("--follow", request->follow,
                   "Continue with the files that are put into the folder; or with the documents that are\n"
                   "stored in --collection from now on, or since --from; until SIGTERM or Ctrl-C");
  command
      .add_option("--state", request->state,
                  "Folder that keeps the window, and what was read of a folder: a stream that ended or was\n"
                  "killed continues with it")
      .type_name("FOLDER");
  add_filter_option(command, request->filter,
                    "Judge only documents of the collection that this filter selects");
  command
      .add_option("--model", request->models,
                  "Model that judges (akin-lab train); may be given several times: the first one\n"
                  "decides and weights the words")
      .one_value_each_time()
      .type_name("NAME|FILE");
  command
      .add_option("--model-for", request->models_for,
                  "Model that decides about the documents with this value of --model-field, instead of the\n"
                  "first --model; may be given several times")
      .one_value_each_time()
      .type_name("VALUE=NAME");
  command
      .add_option("--model-field", request->model_field,
                  "What --model-for compares: the source (the site or host of a page), or a string of the\n"
                  "metadata, such as subject")
      .type_name("FIELD")
      .capture_default_str();
  command
      .add_option("--rule", request->rule,
                  "Without a model: \"event\", the same event in other words, or copied sentences;\n"
                  "\"sentences\", copied sentences alone")
      .type_name("NAME")
      .capture_default_str();
  command
      .add_option("--threshold", request->options.stream.threshold,
                  "Without a model: the score from which on a document is a duplicate")
      .type_name("P")
      .check(check_share)
      .capture_default_str();
  command
      .add_option("--background", request->background,
                  "Without a model: documents of the same kind, by which the rule weighs words; may be\n"
                  "given several times")
      .one_value_each_time()
      .type_name("FILE");
  command
      .add_option("--nominate", request->candidate_rule,
                  "What candidates share with a document: sentences, sentence-pairs, heavy-words,\n"
                  "two-heaviest, both; default: both, or sentences for the rule sentences")
      .type_name("WAY");
  add_window_options(command, request->options.stream.window);
  command
      .add_option("--threads", request->options.threads,
                  "Threads that analyse texts; 0 = as many as the machine runs at once")
      .type_name("N")
      .range(0U, 256U)
      .capture_default_str();
  command.add_flag("--verbose", request->options.verbose,
                   "Print criteria, candidates and every model's verdict");
  program.on(command, [request](Session& session) { return run_stream(*request, session); });
}

}  // namespace akin::cli
