// The gates of collections, kept with the server's state, and admissions through them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection.h"
#include "server/gate/gate.h"
#include "server/gate/groups.h"

namespace akin::gate {

enum class Verdict : std::uint8_t {
  admitted,  ///< stored, perhaps in place of others
  grouped,   ///< stored as a duplicate
  refused    ///< not stored
};

/// Why a document was not simply admitted.
enum class Reason : std::uint8_t {
  too_short,
  too_long,
  duplicate,  ///< of at least one stored document
  group_full  ///< and the group of the most similar one takes no more
};

/// The stored document that a new one is most similar to; of equals the one with the least id.
struct Nearest {
  std::string id;
  Overlap overlap;
  double similarity = 0.0;
};

struct Outcome {
  Verdict verdict = Verdict::admitted;
  std::optional<Reason> reason;
  Gate gate;  ///< the one that it came to
  std::optional<Nearest> nearest;
  std::uint64_t duplicates = 0;  ///< stored documents that reach the threshold
  std::optional<Group> group;    ///< that it was stored in, or that is full
  /// Documents that it took the place of, in the order of the search; they are removed.
  std::vector<Version> replaced;
  std::uint64_t revision = 0;  ///< of the stored document
  bool repeated = false;       ///< it was there with this very text; nothing was stored
};

/// A document at the gate, and what Collection::analyze gave for its text.
struct Submission {
  SourceDocument document;
  const FeatureSequence* features = nullptr;
};

/// Members may be called from any number of threads; processes and machines may share the state.
class Gates {
 public:
  explicit Gates(std::shared_ptr<state::State> state);

  /// The gate of a collection; nothing if it has none.
  [[nodiscard]] Result<std::optional<Gate>> get(std::string_view collection) const;
  /// Sets or replaces it; whether there was none. Documents that are stored already are not looked at.
  [[nodiscard]] Result<bool> put(std::string_view collection, const Gate& gate);
  /// Whether there was one. Groups stay.
  [[nodiscard]] Result<bool> erase(std::string_view collection);
  /// Forgets the gate and the groups of a collection, which is dropped.
  [[nodiscard]] Result<void> forget(std::string_view collection);

  [[nodiscard]] Groups& groups() noexcept { return groups_; }

  /// Stores a document if the collection's gate lets it in. Admissions into one collection wait for each
  /// other, over all that share the state, so of two copies that come at once one finds the other. The search
  /// is exact, over all that is stored before. Where it takes the place of others, they go in the same write.
  /// A document that is there with this very text is told as it was admitted, and not stored again. Errors:
  /// not_found (the collection has no gate), already_exists (the id is there with another text), unsupported
  /// (and the collection keeps no texts to compare it with), busy, as Collection::put.
  [[nodiscard]] Result<Outcome> admit(Collection& collection, const SourceDocument& document);
  /// The same for many, one after another, each over all that were admitted before it; but those that share
  /// no feature are written together. Other admissions wait until all are decided. Errors of single documents
  /// stand in their places.
  [[nodiscard]] Result<std::vector<Result<Outcome>>> admit_all(Collection& collection,
                                                               const std::vector<Submission>& submissions);

 private:
  class Admissions;
  /// Decides of a document whose id is not there; decides anew where it was overtaken.
  [[nodiscard]] Result<Outcome> admit_alone(Collection& collection, const Submission& submission,
                                            const Gate& gate);
  [[nodiscard]] Result<Outcome> admit_once(Collection& collection, const Submission& submission,
                                           const Gate& gate);
  /// What becomes of a document by what a snapshot holds: nothing is written.
  [[nodiscard]] Result<Outcome> judge(const Snapshot& snapshot, const std::string& collection,
                                      const Submission& submission, const Gate& gate) const;
  /// Verdict, reason, nearest and duplicates; the group that it may join or that is full.
  [[nodiscard]] Result<void> decide(const Snapshot& snapshot, const FeatureSequence& features,
                                    const std::string& collection, Outcome& outcome) const;
  [[nodiscard]] Result<void> note_group(const Snapshot& snapshot, const std::string& collection,
                                        std::string_view id, Outcome& outcome);
  [[nodiscard]] std::mutex& alone(const std::string& collection);

  std::shared_ptr<state::State> state_;
  Groups groups_;
  std::mutex mutex_;  ///< guards the rest
  std::map<std::string, std::mutex> admissions_;
};

}  // namespace akin::gate
