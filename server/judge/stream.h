// A stream of documents in the order of their arrival: each answer names the document that it is taken from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/judge/judging.h"
#include "server/judge/model.h"
#include "server/judge/rule.h"
#include "server/judge/window.h"

namespace akin::judge {

struct StreamOptions {
  WindowOptions window;
  Rule rule = Rule::event;            ///< decides without a model
  double threshold = kRuleThreshold;  ///< from this score on, the rule says that a document is a duplicate
};

/// The rule of this name; without a name the default, which is `sentences` for the rule that uses nothing
/// else. Error: as parse_candidate_rule.
[[nodiscard]] Result<CandidateRule> candidate_rule_of(std::string_view name, bool by_rule, Rule rule);

/// The result of one model (or the rule) for a document and its best candidate.
struct Finding {
  std::string original;  ///< the candidate's id; empty: there was none, and the other members have no meaning
  Judgement judgement{0, Classification::no};  ///< with the rule: its score
  CriteriaValues criteria{};
};

struct StreamAnswer {
  std::string id;
  std::string file = {};                     ///< NumberedLine::file
  std::optional<std::uint64_t> stored = {};  ///< for a document of a collection, in microseconds since 1970
  Story story = {};       ///< its chain of duplicates, of which a new document is the first
  std::string corrects;   ///< the document that was the story's first before this one; empty: it still is
  bool replaced = false;  ///< a document with this id was in the window, and left it
  std::size_t compared = 0;
  std::size_t generated = 0;      ///< more than were compared, if there are too many (Candidates)
  std::size_t cut_features = 0;   ///< as Candidates
  std::vector<Finding> findings;  ///< one for each model
  std::size_t chosen = 0;         ///< the model that decides: the first, or that of LineStreamOptions::choice
  bool by_choice = false;

  [[nodiscard]] const Finding& decisive() const { return findings[chosen]; }
};

/// One thread; models judge next to each other over one window. The weights of words are those of the
/// prepared documents: with models, from the statistics of the first one.
class StreamJudge {
 public:
  /// `models` must outlive it; if empty, the rule decides.
  StreamJudge(std::span<const Model> models, const StreamOptions& options);

  /// Judges a document against those that arrived before it, then adds it to the window. `time` in seconds:
  /// its own, else that of its arrival. Of two documents the later one by time is judged as taken from the
  /// other. If the window has a document with the same id, that one is removed first: an id is never its own
  /// original. `model`: the number of the one that decides; by default the first.
  [[nodiscard]] StreamAnswer take(std::string id, std::int64_t time, JudgedDocument document,
                                  std::optional<std::size_t> model = {});

  /// Adds a document to the window that an earlier stream has judged, with its story as of then. Call in the
  /// order of arrival, before the first `take`.
  void restore(std::string id, std::int64_t time, JudgedDocument document, const Story& story);

  [[nodiscard]] const Window& window() const noexcept { return window_; }

 private:
  void judge(const JudgedDocument& document, std::int64_t time, const WindowEntry& candidate,
             std::vector<Finding>& findings) const;

  std::span<const Model> models_;
  Rule rule_;
  double threshold_;
  Window window_;
  std::unordered_map<std::string, std::weak_ptr<Story>> restored_;  ///< by their groups
};

/// One line of JSON with its line end: docs/cli.md. `verbose` adds criteria and the number of candidates.
[[nodiscard]] std::string answer_line(std::uint64_t line, const StreamAnswer& answer,
                                      std::span<const Model> models, bool verbose);

/// The answer to a line that is not a document. `file`: NumberedLine::file.
[[nodiscard]] std::string error_line(std::uint64_t line, const std::string& file, const Error& error);

}  // namespace akin::judge
