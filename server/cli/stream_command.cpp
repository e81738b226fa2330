#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>

#include "index/threads.h"
#include "server/cli/commands.h"
#include "server/cli/format.h"
#include "server/cli/judge_files.h"
#include "server/cli/line_reader.h"
#include "server/cli/stop_signal.h"
#include "server/judge/line_stream.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin stream < news.ndjson                      by a rule: half of the sentences or more\n"
    "  akin stream --model duplicate --window 72h < news.ndjson.zst\n"
    "  collector | akin stream --model duplicate --model same-event --verbose | archiver\n"
    "\n"
    "A line in is a document {\"id\",\"title\",\"text\",\"time\",\"source\",\"links\",...}, in the order\n"
    "of arrival; a line out is its answer: \"new\", or \"duplicate\" or \"undecided\" with its original.\n"
    "A line that is no document is answered by an error, and the rest goes on. SIGTERM and Ctrl-C end\n"
    "the stream behind what was read. Exit 0 when all lines were documents, 2 if some were not.";

struct StreamRequest {
  std::string file = "-";
  std::vector<std::string> models;
  std::string nomination;  ///< empty: as suits the judge
  judge::LineStreamOptions options{{}, 0, false};
};

/// The next line that is not blank, nothing behind the last one and once nobody reads the answers.
Result<std::optional<judge::NumberedLine>> next_line(LineReader& lines, const std::atomic<bool>& ended) {
  while (!ended) {
    AKIN_TRY(std::optional<std::string> line, lines.next());
    if (!line) break;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    return std::optional(judge::NumberedLine{lines.number(), std::move(*line)});
  }
  return std::optional<judge::NumberedLine>();
}

void print_summary(const judge::StreamTally& tally, std::chrono::duration<double> time) {
  const std::string line = counted(tally.documents, "document") + ": " + grouped(tally.fresh) + " new, " +
                           counted(tally.duplicates, "duplicate") + ", " + grouped(tally.undecided) +
                           " undecided; " + counted(tally.refused, "line") + " refused; in " +
                           seconds_taken(time);
  std::fprintf(stderr, "%s\n", line.c_str());
}

/// The rule looks at sentences alone, and words have no weights without a model's statistics.
Result<judge::Nomination> nomination_of(const StreamRequest& request) {
  using judge::Nomination;
  if (request.nomination.empty()) return request.models.empty() ? Nomination::sentences : Nomination::both;
  AKIN_TRY(const Nomination nomination, judge::parse_nomination(request.nomination));
  const bool by_sentences = nomination == Nomination::sentences || nomination == Nomination::sentence_pairs;
  if (by_sentences || !request.models.empty()) return nomination;
  return Error{Errc::invalid_argument, "--nominate " + request.nomination,
               "needs a model, which knows how heavy words are",
               "name one with --model, or choose sentences"};
}

Result<Exit> run_stream(const StreamRequest& given, Session& session) {
  StreamRequest request = given;
  AKIN_TRY(request.options.stream.window.nomination, nomination_of(request));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  std::vector<judge::Model> models;
  for (const std::string& name : request.models) {
    AKIN_TRY(judge::Model model, load_model(session.options, name, *dictionary));
    models.push_back(std::move(model));
  }
  const StopOnSignal signals;
  AKIN_TRY(const auto lines, LineReader::open(request.file, &StopOnSignal::asked()));
  const auto begin = std::chrono::steady_clock::now();
  request.options.threads = thread_count(request.options.threads);
  const judge::LineStream stream(*dictionary, models, request.options);
  judge::StreamTally tally;
  std::atomic<bool> ended = false;
  const auto outcome = stream.run([&] { return next_line(*lines, ended); },
                                  [&](std::string_view answer, bool idle) {
                                    session.out << answer;
                                    ended = (idle && session.out.flush().has_error()) || session.out.lost();
                                    return !ended;
                                  },
                                  tally);
  AKIN_CHECK(session.out.flush());
  print_summary(tally, std::chrono::steady_clock::now() - begin);
  AKIN_CHECK(outcome);
  return tally.refused == 0 ? Exit::ok : Exit::error;
}

void add_window_options(CLI::App& command, judge::WindowOptions& window) {
  command
      .add_option("--window", window.seconds, "How long a document is one that later ones may be taken from")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, std::int64_t>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}))
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{36500} * 86400))
      ->type_name("TIME")
      ->default_str("72h");
  command.add_option("--most", window.documents, "Documents kept at most, about 5 kB each: the first leave")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}))
      ->capture_default_str();
  command
      .add_option("--candidates", window.candidates, "Documents compared with each at most, the likeliest")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000}))
      ->capture_default_str();
}

}  // namespace

void add_stream_command(Program& program) {
  auto& command =
      program.command("stream", "Judge documents as they come: new, or whose duplicate?", kExamples);
  auto request = std::make_shared<StreamRequest>();
  command.add_option("FILE", request->file, "Documents, a line each; - is standard input")
      ->type_name("")
      ->capture_default_str();
  command
      .add_option("--model", request->models,
                  "Model to judge by (akin train); may be given several times, the first\n"
                  "decides and weighs words")
      ->allow_extra_args(false)
      ->type_name("NAME|FILE");
  command
      .add_option(
          "--threshold", request->options.stream.threshold,
          "Without a model: a duplicate has this share of its sentences, by words,\nfrom its original")
      ->type_name("P")
      ->check(check_share)
      ->capture_default_str();
  command
      .add_option("--nominate", request->nomination,
                  "What documents are compared by: sentences, sentence-pairs, heavy-words,\n"
                  "two-heaviest, both; default both with a model, else sentences")
      ->type_name("WAY");
  add_window_options(command, request->options.stream.window);
  command
      .add_option("--threads", request->options.threads,
                  "Threads that read texts; 0 = as many as the machine runs")
      ->type_name("N")
      ->check(CLI::Range(0U, 256U))
      ->capture_default_str();
  command.add_flag("--verbose", request->options.verbose,
                   "Tell criteria, candidates and every model's verdict");
  program.on(command, [request](Session& session) { return run_stream(*request, session); });
}

}  // namespace akin::cli
