// A stream of documents in the order of their arrival: each is answered with the one it is taken from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/lab/judge/model.h"
#include "server/lab/judge/window.h"

namespace akin::judge {

struct StreamOptions {
  WindowOptions window;
  /// Without a model the rule decides: a document is a duplicate of one that has this share of its sentences
  /// or more, each weighed by the number of its words.
  double threshold = 0.5;
};

/// What one model (or the rule) says of a document beside the candidate that fits best.
struct Finding {
  std::string original;  ///< the candidate's id; empty: there was none, and all the rest says nothing
  Judgement judgement{0, Verdict::no};  ///< of the rule: the share of sentences
  CriteriaValues criteria{};
};

struct StreamAnswer {
  std::string id;
  std::optional<std::uint64_t> stored = {};  ///< of a document of a collection, in microseconds since 1970
  std::string group;  ///< the first of the chain of duplicates that it belongs to; its own id if it is new
  bool replaced = false;  ///< a document of this id was in the window, and left it
  std::size_t compared = 0;
  std::size_t nominated = 0;      ///< more than were compared, where there are too many (Candidates)
  std::size_t cut_features = 0;   ///< as Candidates
  std::vector<Finding> findings;  ///< one for each model; the first decides

  [[nodiscard]] const Finding& decisive() const { return findings.front(); }
};

/// One thread; models are judged side by side over one window. Weights of words come from whoever prepared
/// the documents: with models, from the first one's statistics.
class StreamJudge {
 public:
  /// `models` must outlive it; none: the rule.
  StreamJudge(std::span<const Model> models, const StreamOptions& options);

  /// Judges a document beside those before it, then adds it to the window. `time` in seconds: its own, else
  /// that of its arrival. Of a document whose id is in the window that one is let go first: an id is never
  /// its own original.
  [[nodiscard]] StreamAnswer take(std::string id, std::int64_t time, JudgedDocument document);

  [[nodiscard]] const Window& window() const noexcept { return window_; }

 private:
  void judge(const JudgedDocument& document, const WindowEntry& candidate,
             std::vector<Finding>& findings) const;

  std::span<const Model> models_;
  double threshold_;
  Window window_;
};

/// One line of JSON with its end: docs/cli.md. `verbose` adds criteria and the number of candidates.
[[nodiscard]] std::string answer_line(std::uint64_t line, const StreamAnswer& answer,
                                      std::span<const Model> models, bool verbose);

/// The answer to a line that is no document.
[[nodiscard]] std::string error_line(std::uint64_t line, const Error& error);

}  // namespace akin::judge
