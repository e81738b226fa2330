// `akin stream` over made-up news, of which three in ten are edited copies, beside a plain scan of the same
// texts.
#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <unordered_map>

#include "base/parallel.h"
#include "morph/schemes/scheme.h"
#include "server/judge/line_stream.h"
#include "server/judge/training_set.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_documents.h"
#include "tests/bench/process.h"

namespace akin::bench {

namespace {

constexpr std::size_t kDocuments = 30'000;
constexpr std::size_t kTrainingPairs = 400;
constexpr std::size_t kTrainingArticles = 3'000;
constexpr std::size_t kUnbounded = 1'000'000;

struct Article {
  std::string title;
  std::vector<std::size_t> sentences;  ///< of the pool
  std::size_t source = 0;              ///< itself, or the article that it is a copy of
};

/// Articles of 8 to 20 sentences. Three in ten are copies of one of the last 5,000: each sentence replaced
/// with a chance of one in ten, the title kept with one of two.
class Articles {
 public:
  Articles(const SentencePool& pool, std::uint64_t seed) : pool_(pool), random_(seed) {}

  const Article& make() {
    Article article;
    article.source = made_.size();
    if (!made_.empty() && below(10) < 3) {
      const std::size_t last = std::min<std::size_t>(made_.size(), 5000);
      article.source = made_.size() - 1 - below(last);
      article.sentences = made_[article.source].sentences;
      for (std::size_t& sentence : article.sentences) {
        if (below(10) == 0) sentence = below(pool_.size());
      }
      if (below(2) == 0) article.title = made_[article.source].title;
    } else {
      article.sentences.resize(8 + below(13));
      for (std::size_t& sentence : article.sentences) sentence = below(pool_.size());
    }
    if (article.title.empty()) article.title = pool_[below(pool_.size())];
    return made_.emplace_back(std::move(article));
  }

  [[nodiscard]] std::string text(const Article& article) const {
    std::string text;
    for (std::size_t i = 0; i < article.sentences.size(); ++i) {
      if (i > 0) text += i % 4 == 0 ? "\n\n" : " ";
      text += pool_[article.sentences[i]];
    }
    return text;
  }

  [[nodiscard]] const std::vector<Article>& all() const noexcept { return made_; }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  const SentencePool& pool_;
  std::mt19937_64 random_;
  std::vector<Article> made_;
};

judge::Document document_of(const Articles& articles, const Article& article) {
  judge::Document document;
  document.title = article.title;
  document.text = articles.text(article);
  return document;
}

/// The number of the article that a stream would compare first with each, by its statistics; its own where it
/// would compare none.
std::vector<std::size_t> nearest_of(std::span<const judge::Document> documents, const Dictionary& dictionary,
                                    const judge::CollectionStatistics& statistics) {
  const judge::NumberWords numbers(dictionary);
  judge::Preparer preparer(dictionary, numbers, statistics);
  judge::Window window({});
  std::vector<std::size_t> nearest;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    judge::JudgedDocument prepared = need(preparer.prepare(documents[i]));
    const judge::Candidates candidates = window.candidates(prepared);
    nearest.push_back(candidates.best.empty() ? i : candidates.best.front());
    window.insert({std::to_string(i), 0, nullptr, std::move(prepared)});
  }
  return nearest;
}

/// A model trained on copies, and on other articles beside what a stream would compare them with: what it
/// would not compare teaches nothing of what the model is asked about.
judge::Model trained(const SentencePool& pool, const Dictionary& dictionary) {
  Articles articles(pool, 7);
  std::vector<judge::Document> documents;
  while (documents.size() < kTrainingArticles) documents.push_back(document_of(articles, articles.make()));
  judge::Model model;
  model.name = "made";
  model.statistics = need(judge::count_collection(documents, dictionary));
  const auto nearest = nearest_of(documents, dictionary, model.statistics);
  std::vector<judge::LabelledPair> pairs;
  for (std::size_t i = 0; i < documents.size() && pairs.size() < kTrainingPairs; ++i) {
    const std::size_t source = articles.all()[i].source;
    const bool copy = source != i;
    const std::size_t other = copy ? source : nearest[i];
    if (other == i || copy != (pairs.size() % 2 == 0)) continue;
    pairs.push_back({documents[i], documents[other], copy});
  }
  const auto groups = judge::groups_of(pairs);
  const auto examples = need(judge::compare_pairs(pairs, groups, {&dictionary, &model.statistics, false}));
  model.classifier = need(judge::train_classifier(examples, {}));
  return model;
}

struct Made {
  std::vector<std::string> texts, lines;
  std::vector<std::size_t> sources;
  std::uint64_t bytes = 0;
};

Made make(const SentencePool& pool) {
  Articles articles(pool, 2026);
  Made made;
  for (std::size_t i = 0; i < kDocuments; ++i) {
    const Article& article = articles.make();
    made.sources.push_back(article.source);
    made.texts.push_back(articles.text(article));
    made.bytes += made.texts.back().size();
    made.lines.push_back(nlohmann::json{{"id", std::to_string(i)},
                                        {"title", article.title},
                                        {"text", made.texts.back()},
                                        {"time", "2024-05-17T08:30:00Z"},
                                        {"source", "site" + std::to_string(i % 40) + ".example"}}
                             .dump());
  }
  return made;
}

/// Seconds that the default scheme's features of all texts take on as many threads.
double scan_seconds(const Made& made, const Dictionary& dictionary, unsigned threads) {
  const auto scheme = need(make_scheme(kDefaultScheme));
  std::atomic<std::size_t> next = 0;
  const Stopwatch watch;
  run_threads(threads, [&](unsigned) {
    for (std::size_t i = next++; i < made.texts.size(); i = next++) {
      (void)need(extract_features(made.texts[i], dictionary, *scheme));
    }
  });
  return watch.seconds();
}

struct Outcome {
  double seconds = 0;
  std::size_t copies = 0, found = 0, wrong = 0;
};

Outcome run_stream(const Made& made, const Dictionary& dictionary, std::span<const judge::Model> models,
                   unsigned threads) {
  judge::LineStreamOptions options;
  options.threads = threads;
  if (models.empty()) {
    options.stream.rule = judge::Rule::sentences;
    options.stream.window.candidate_rule = judge::CandidateRule::sentences;
  }
  const judge::LineStream stream(dictionary, models, options);
  std::size_t next = 0;
  std::vector<std::string> answers;
  judge::StreamTally tally;
  const Stopwatch watch;
  need(stream.run(
      [&]() -> Result<std::optional<judge::NumberedLine>> {
        if (next == made.lines.size()) return std::optional<judge::NumberedLine>();
        const std::size_t at = next++;
        return std::optional(judge::NumberedLine{at + 1, made.lines[at]});
      },
      [&](std::string_view answer, bool) {
        answers.emplace_back(answer);
        return true;
      },
      tally));
  Outcome outcome;
  outcome.seconds = watch.seconds();
  for (std::size_t i = 0; i < made.sources.size(); ++i) {
    const bool copy = made.sources[i] != i;
    const bool told = answers[i].find("\"answer\":\"duplicate\"") != std::string::npos;
    outcome.copies += copy ? 1 : 0;
    outcome.found += copy && told ? 1 : 0;
    outcome.wrong += !copy && told ? 1 : 0;
  }
  return outcome;
}

void report(Session& session, const std::string& by, const Made& made, const Outcome& outcome, double scan) {
  const auto documents = static_cast<double>(made.lines.size());
  session.add({"stream by " + by, documents / outcome.seconds * 60, "documents/min", 50'000, Better::higher,
               format("%.1f kB of text each on average; the paper: 50,000 an hour",
                      static_cast<double>(made.bytes) / documents / 1e3)});
  session.add({"stream by " + by + " over a plain scan", outcome.seconds / scan, "ratio", std::nullopt,
               Better::lower, format("features alone: %.0f documents/min", documents / scan * 60)});
  session.add({"stream by " + by + ": copies missed", static_cast<double>(outcome.copies - outcome.found),
               "documents", std::nullopt, Better::lower, format("of %zu", outcome.copies)});
  session.add({"stream by " + by + ": others called copies", static_cast<double>(outcome.wrong), "documents",
               std::nullopt, Better::lower, format("of %zu", made.lines.size() - outcome.copies)});
}

/// What a window of all documents takes, and how long it takes to compare a copy with its source.
void report_window(Session& session, const Made& made, const Dictionary& dictionary,
                   const judge::Model& model) {
  judge::Window window({});
  const judge::NumberWords numbers(dictionary);
  judge::Preparer preparer(dictionary, numbers, model.statistics);
  const std::uint64_t before = memory_now().anonymous;
  for (std::size_t i = 0; i < made.texts.size(); ++i) {
    judge::Document document;
    document.text = made.texts[i];
    window.insert({std::to_string(i), 0, nullptr, need(preparer.prepare(document))});
  }
  const std::uint64_t taken = memory_now().anonymous - before;
  const auto documents = static_cast<double>(made.texts.size());
  const std::string text = format("%.1f kB of text", static_cast<double>(made.bytes) / 1e3 / documents);
  session.add({"stream: memory of a document in the window", static_cast<double>(taken) / documents / 1e3,
               "kB", std::nullopt, Better::lower, text});
  std::size_t pairs = 0;
  double sum = 0;
  const double seconds = median_seconds(3, [&] {
    pairs = 0;
    for (std::size_t i = 0; i < made.sources.size(); ++i) {
      if (made.sources[i] == i) continue;
      const auto values = judge::compare(window[i].document, window[made.sources[i]].document, {});
      sum += values[judge::index_of(judge::Criterion::words)];
      ++pairs;
    }
  });
  if (sum == 0) throw std::runtime_error("copies have no words in common with their sources");
  session.add({"stream: comparing a pair by all criteria", seconds / static_cast<double>(pairs) * 1e6, "us",
               std::nullopt, Better::lower, "the paper: 5 ms"});
}

/// What a window reaches: copies of which no article of their chain is compared, and how many articles are.
struct Reach {
  std::size_t copies = 0, missed = 0, compared = 0;
  std::size_t narrowed = 0, cut = 0;  ///< articles, as StreamTally
};

Reach reach_of(const Made& made, std::span<const judge::JudgedDocument> documents,
               const judge::WindowOptions& options) {
  judge::Window window(options);
  std::vector<std::size_t> first;  // of each article's chain
  Reach reach;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const judge::Candidates candidates = window.candidates(documents[i]);
    const bool copy = made.sources[i] != i;
    first.push_back(copy ? first[made.sources[i]] : i);
    const bool found =
        std::ranges::any_of(candidates.best, [&](std::uint64_t one) { return first[one] == first[i]; });
    reach.copies += copy ? 1 : 0;
    reach.missed += copy && !found ? 1 : 0;
    reach.compared += candidates.best.size();
    reach.narrowed += candidates.generated > candidates.best.size() ? 1 : 0;
    reach.cut += candidates.cut_features > 0 ? 1 : 0;
    window.insert({std::to_string(i), 0, nullptr, documents[i]});
  }
  return reach;
}

std::vector<judge::JudgedDocument> prepared(const Made& made, const Dictionary& dictionary,
                                            const judge::Model& model) {
  const judge::NumberWords numbers(dictionary);
  judge::Preparer preparer(dictionary, numbers, model.statistics);
  std::vector<judge::JudgedDocument> documents;
  judge::Document document;
  for (const std::string& text : made.texts) {
    document.text = text;
    documents.push_back(need(preparer.prepare(document)));
  }
  return documents;
}

/// What the bounds of the window cost where it holds all articles.
void report_bounds(Session& session, const Made& made, std::span<const judge::JudgedDocument> documents) {
  using enum judge::CandidateRule;
  const judge::WindowOptions usual;
  for (const judge::CandidateRule candidate_rule : {both, sentences, two_heaviest}) {
    for (const bool bounded : {true, false}) {
      judge::WindowOptions options;
      options.candidate_rule = candidate_rule;
      options.candidates = bounded ? usual.candidates : kUnbounded;
      options.candidates_by_feature = bounded ? usual.candidates_by_feature : kUnbounded;
      const Reach reach = reach_of(made, documents, options);
      session.add(
          {"stream: copies not compared with their chain, by " +
               std::string(judge::candidate_rule_name(candidate_rule)) + (bounded ? "" : " unbounded"),
           static_cast<double>(reach.missed), "documents", std::nullopt, Better::lower,
           format("of %zu; %.2f compared a document; %zu had more, %zu a feature of more than %zu",
                  reach.copies, static_cast<double>(reach.compared) / static_cast<double>(documents.size()),
                  reach.narrowed, reach.cut, options.candidates_by_feature)});
    }
  }
}

void measure_stream(Session& session) {
  const SentencePool pool = corpora_pool(session);
  const auto dictionary = bench_dictionary();
  const unsigned threads = thread_count(0);
  const Made made = make(pool);
  const std::vector<judge::Model> models{trained(pool, *dictionary)};
  double scan = 1e9;
  Outcome rule{1e9};
  Outcome model{1e9};
  // Turn about, and the quickest of each: other work on the machine hits all alike.
  for (int round = 0; round < 3; ++round) {
    scan = std::min(scan, scan_seconds(made, *dictionary, threads));
    const auto keep_quicker = [](Outcome& best, const Outcome& now) {
      if (now.seconds < best.seconds) best = now;
    };
    keep_quicker(rule, run_stream(made, *dictionary, {}, threads));
    keep_quicker(model, run_stream(made, *dictionary, models, threads));
  }
  report(session, "rule", made, rule, scan);
  report(session, "model", made, model, scan);

  report_window(session, made, *dictionary, models.front());
  report_bounds(session, made, prepared(made, *dictionary, models.front()));
}

}  // namespace

std::vector<Measurement> stream_measurements() {
  return {{"stream", "documents judged as they come, beside a scan of their texts", measure_stream}};
}

}  // namespace akin::bench
