// The documents that a new one may be taken from: candidates are those in a window of time that share
// features with it.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/judge/document.h"
#include "server/judge/story.h"

namespace akin::judge {

/// The features by which candidates are found.
enum class CandidateRule : std::uint8_t {
  sentence_pairs,  ///< one feature of the scheme sentence-pairs in common
  sentences,       ///< one sentence in common, words in any order and form
  two_heaviest,    ///< the same two heaviest words (the paper's signature)
  heavy_words,     ///< kSharedHeavy of the kHeaviestWords heaviest words in common
  both,            ///< sentences, or heavy_words
};

inline constexpr unsigned kSharedHeavy = 4;

/// "sentence-pairs" …; error: invalid_argument (lists them).
[[nodiscard]] Result<CandidateRule> parse_candidate_rule(std::string_view name);
[[nodiscard]] std::string_view candidate_rule_name(CandidateRule candidate_rule) noexcept;

struct WindowOptions {
  /// A document leaves when one that is later by more than this arrives and all that arrived before it have
  /// left.
  std::int64_t seconds = std::int64_t{72} * 3600;
  std::size_t documents = 1'000'000;  ///< beyond that the documents that arrived first leave
  CandidateRule candidate_rule =
      CandidateRule::both;  ///< heavy words need statistics: without them all weigh the same
  /// A feature that more documents of the window have finds only so many of them, those that arrived last:
  /// for instance a sentence in every article of a site.
  std::size_t candidates_by_feature = 300;
  std::size_t candidates = 16;  ///< the most candidates, those that share most
};

/// A document of the window. Lives until the next `insert`.
struct WindowEntry {
  std::string id;
  std::int64_t time = 0;         ///< that of the document, or of its arrival
  std::shared_ptr<Story> story;  ///< one object for all documents of a chain
  JudgedDocument document;
};

/// The documents to compare with, and what the bounds of WindowOptions left out.
struct Candidates {
  std::vector<std::uint64_t> best;  ///< entries, at most WindowOptions::candidates
  std::size_t generated = 0;        ///< documents found, including those of `best`
  /// Features of the document that more than WindowOptions::candidates_by_feature entries have: some of those
  /// entries were skipped.
  std::size_t cut_features = 0;
};

/// One thread. Memory grows with the documents in the window, about 9 kB for an article of 2.5 kB.
class Window {
 public:
  explicit Window(const WindowOptions& options) : options_(options) {}

  /// Removes the documents that are too old for a document of this time. Time never goes back: an earlier one
  /// changes nothing.
  void advance(std::int64_t time);

  /// Entries that share features with the document, best first; among equals the earlier ones first.
  [[nodiscard]] Candidates candidates(const JudgedDocument& document);

  /// Adds an entry and returns its number, which increases by one each time. An entry with the same id must
  /// have been removed. Removes the first one if there are too many.
  std::uint64_t insert(WindowEntry entry);

  /// The number of the entry with this id.
  [[nodiscard]] std::optional<std::uint64_t> find(const std::string& id) const;
  void remove(std::uint64_t number);

  /// Requires a number from candidates, insert or find since the last `advance`, `insert` or `remove`.
  [[nodiscard]] const WindowEntry& operator[](std::uint64_t number) const {
    return *slots_[number - first_].entry;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t features() const noexcept { return heads_.size(); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// An entry's node in the list of one of its features; lists run from the last document to the first.
  struct Node {
    std::uint64_t feature = 0, number = 0;
    float weight = 0;
    std::uint32_t newer = kNone, older = kNone;
  };
  struct Slot {
    std::optional<WindowEntry> entry;  ///< nothing once it has left
    std::vector<std::uint32_t> nodes;
  };
  struct Weighed {
    std::uint64_t feature = 0;
    float weight = 0;
  };
  /// The way through the list of a feature, of which the last `left` documents are looked at.
  struct Walk {
    std::uint32_t at = kNone;
    std::size_t left = 0;

    [[nodiscard]] bool goes_on() const noexcept { return at != kNone && left > 0; }
    /// Begins to fetch the next node.
    void step(const std::vector<Node>& nodes) noexcept {
      at = nodes[at].older;
      --left;
      if (at != kNone) __builtin_prefetch(&nodes[at]);
    }
  };

  /// The features that find the document; heavy words weigh `kHeavy`, sentences the sum of their words.
  void list_features(const JudgedDocument& document, std::vector<Weighed>& out) const;
  void link(std::uint64_t number, const Weighed& feature, std::vector<std::uint32_t>& nodes);
  void unlink(std::uint32_t node);
  void drop_gone();

  WindowOptions options_;
  std::int64_t now_ = std::numeric_limits<std::int64_t>::min();
  std::deque<Slot> slots_;
  std::uint64_t first_ = 0;  ///< number of the first slot
  std::size_t size_ = 0;
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;  ///< unused nodes, linked by `older`
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> heads_;
  boost::unordered_flat_map<std::string, std::uint64_t> numbers_;

  // Reused by `candidates`.
  struct Score {
    float sentences = 0;
    unsigned heavy = 0;
  };
  boost::unordered_flat_map<std::uint64_t, Score> scores_;
  std::vector<Weighed> features_;
  std::vector<Walk> walks_;
};

}  // namespace akin::judge
