// Lines of JSON in, lines of JSON out: a stream of documents between programs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/judge/stream.h"

namespace akin::judge {

struct NumberedLine {
  std::uint64_t number = 0;  ///< in its file, from 1
  std::string text;
  /// When it was stored, in microseconds since 1970, for documents of a collection; used as the time of
  /// arrival.
  std::optional<std::uint64_t> stored = {};
  bool known = false;               ///< goes into the window, but is not answered
  std::optional<Story> story = {};  ///< of a known line that was judged before, and is not judged again
  std::string file = {};            ///< of a folder, where it came from; the answer has it
  bool ends_file = false;           ///< the last line of `file`
  std::optional<Error> error = {};  ///< why the line could not be read: the answer to it
};

struct LineStreamOptions {
  StreamOptions stream;
  unsigned threads = 1;                              ///< that prepare texts, besides the one that judges
  bool verbose = false;                              ///< see answer_line
  const CollectionStatistics* statistics = nullptr;  ///< for the rule; used without a model
  /// Which of the models decides about a document; its names are those of models. Without it, the first.
  std::optional<ModelChoice> choice = {};
  /// If set: called with each line that is answered before its answer is written, on the same thread; with
  /// the time and the story of its document, or null.
  std::function<void(const NumberedLine&, std::int64_t time, const Story*)> taken = nullptr;
};

struct StreamTally {
  std::uint64_t documents = 0, fresh = 0, duplicates = 0, undecided = 0;
  std::uint64_t refused = 0;  ///< lines that are not documents
  /// Documents that were not compared with all documents that share a candidate feature: there were more
  /// candidates than are compared; or a feature occurs in too many others (Candidates).
  std::uint64_t narrowed = 0, cut = 0;
};

/// How far a document may be ahead of now, in seconds, since clocks differ; a later one is refused, because
/// it would push all others out of the window.
inline constexpr std::int64_t kMostAhead = std::int64_t{24} * 3600;

/// Judges the documents of lines in their order. A line that is not a document (document_of_line, or one
/// without an id), or that is too far ahead of its time, is answered by an error_line. A document without a
/// time gets that of its arrival. A known document is neither answered nor counted.
class LineStream {
 public:
  /// The next line, nothing at the end. May wait; called by one thread at a time.
  using Read = std::function<Result<std::optional<NumberedLine>>()>;
  /// Takes an answer, on the caller's thread. `idle`: no other document is under way. False ends the stream.
  using Write = std::function<bool(std::string_view answer, bool idle)>;

  /// All arguments must outlive it. Words are weighed by the statistics of the first model; without a model,
  /// by `options.statistics`; without these either, all but stop words weigh the same.
  LineStream(const Dictionary& dictionary, std::span<const Model> models, const LineStreamOptions& options)
      : dictionary_(dictionary), models_(models), options_(options) {}

  /// Answers every line that `read` gives, then returns the error of `read`, if any; `tally` is valid in any
  /// case.
  [[nodiscard]] Result<void> run(const Read& read, const Write& write, StreamTally& tally) const;

 private:
  const Dictionary& dictionary_;
  std::span<const Model> models_;
  LineStreamOptions options_;
};

}  // namespace akin::judge
