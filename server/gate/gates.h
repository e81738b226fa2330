// The gates of collections, stored in the server's state, and admissions through them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/collection/collection.h"
#include "server/gate/gate.h"
#include "server/gate/groups.h"
#include "server/gate/refusals.h"

namespace akin::gate {

enum class Decision : std::uint8_t {
  admitted,  ///< stored, perhaps in place of others
  grouped,   ///< stored as a duplicate
  refused    ///< not stored
};

/// Why a document was not simply admitted.
enum class Reason : std::uint8_t {
  no_words,  ///< it could be compared with nothing, and no search would find it
  too_short,
  too_long,
  duplicate,  ///< of at least one stored document
  group_full  ///< and the group of the most similar one takes no more
};
inline constexpr std::array kAllReasons = {Reason::no_words, Reason::too_short, Reason::too_long,
                                           Reason::duplicate, Reason::group_full};

/// A stored document that a new one is similar to.
struct Nearest {
  /// Its overlap is that of the collection's first tier; its words are set by Measure::words.
  Hit hit;
  double similarity = 0.0;
};

/// The documents that an outcome names.
inline constexpr std::size_t kMostNearest = 5;

/// A stored document as it was seen.
struct Version {
  std::string id;
  Revision revision;
};

struct Admission {
  Decision decision = Decision::admitted;
  std::optional<Reason> reason;
  Gate gate;  ///< the gate that decided
  /// The most similar documents, best first, of equal ones those with the least ids. They have passages, if
  /// the document was refused as a duplicate: aligned ones by Measure::words, else those of features.
  std::vector<Nearest> nearest;
  std::uint64_t duplicates = 0;  ///< stored documents that reach the threshold
  std::optional<Group> group;    ///< the group that it was stored in, or that is full
  /// Documents that it replaced, in the order of the search; they are removed.
  std::vector<Version> replaced;
  Revision revision;      ///< of the stored document
  bool repeated = false;  ///< the id was stored with the same text; nothing was written
};

/// A document at the gate, and the result of Collection::analyze for its text.
struct Submission {
  SourceDocument document;
  const FeatureSequence* features = nullptr;
};

/// Gives a gate for which no measure is named that of the collection: `words` if its texts can be aligned, as
/// a search for reuse aligns them; `resemblance` from 0.5 on if its scheme is the preset `web`; else
/// `sorensen`. A threshold that is named is kept.
void choose_measure(Gate& gate, bool has_threshold, const Collection& collection);

/// Whether a gate can decide about a collection's documents. Error: unsupported (by Measure::words, if
/// searches of the collection do not align texts; by a measure of containment, or Survivor::containing, if
/// its scheme has no containment).
[[nodiscard]] Result<void> check_gate(const Gate& gate, const Collection& collection);

class Entrant;

/// Members may be called from any number of threads; processes and machines may share the state.
class Gates {
 public:
  explicit Gates(std::shared_ptr<state::State> state);

  /// The gate of a collection; nothing if it has none.
  [[nodiscard]] Result<std::optional<Gate>> get(std::string_view collection) const;
  /// Sets or replaces it; returns whether there was none. Documents that are already stored are not tested.
  [[nodiscard]] Result<bool> put(std::string_view collection, const Gate& gate);
  /// Returns whether there was one. Groups stay.
  [[nodiscard]] Result<bool> erase(std::string_view collection);
  /// Removes the gate, the groups and the refusals of a collection that is dropped.
  [[nodiscard]] Result<void> forget(std::string_view collection);

  [[nodiscard]] Groups& groups() noexcept { return groups_; }
  [[nodiscard]] Refusals& refusals() noexcept { return refusals_; }

  /// Stores a document if the collection's gate admits it. Admissions into one collection wait for each
  /// other, in all processes that share the state, so of two copies that arrive at once one finds the other.
  /// The search is exact, over all documents stored before. Documents that it replaces are removed in the
  /// same write. A document that is stored with the same text already is not stored again, and the outcome of
  /// its first admission is reported. Errors: not_found (the collection has no gate), already_exists (the id
  /// is stored with another text), unsupported (likewise, if the collection keeps no texts to compare with),
  /// busy, as check_gate, as Collection::put.
  [[nodiscard]] Result<Admission> admit(Collection& collection, const SourceDocument& document);
  /// The same for many documents, one after another, each compared with all that were admitted before it; but
  /// those that share no feature are written together. Other admissions wait until all are decided. The error
  /// of a single document is in its place.
  [[nodiscard]] Result<std::vector<Result<Admission>>> admit_all(Collection& collection,
                                                                 const std::vector<Submission>& submissions);

 private:
  class Admissions;
  /// Decides on a document whose id is not stored; decides again if another write came first.
  [[nodiscard]] Result<Admission> admit_alone(Collection& collection, const Entrant& entrant,
                                              const Gate& gate);
  [[nodiscard]] Result<Admission> admit_once(Collection& collection, const Entrant& entrant,
                                             const Gate& gate);
  /// What happens to a document given the content of a snapshot: nothing is written.
  [[nodiscard]] Result<Admission> assess(const Snapshot& snapshot, const std::string& collection,
                                         const Entrant& entrant, const Gate& gate) const;
  /// Decision, reason, nearest and duplicates; the group that it may join or that is full.
  [[nodiscard]] Result<void> decide(const Snapshot& snapshot, const Entrant& entrant,
                                    const std::string& collection, Admission& outcome) const;
  [[nodiscard]] Result<void> note_group(const Snapshot& snapshot, const std::string& collection,
                                        std::string_view id, Admission& outcome);
  [[nodiscard]] std::mutex& alone(const std::string& collection);

  std::shared_ptr<state::State> state_;
  Groups groups_;
  Refusals refusals_;
  std::mutex mutex_;  ///< guards the rest
  std::map<std::string, std::mutex> admissions_;
};

}  // namespace akin::gate
