// Admissions: search, decide and store, without other admissions in between.
#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

#include "base/held_memory.h"
#include "base/waiting.h"
#include "morph/words/has_word.h"
#include "server/gate/entrant.h"
#include "server/json/quoted.h"
#include "server/state/lease_key.h"

namespace akin::gate {

namespace {

constexpr std::chrono::seconds kPatience(30);
constexpr int kMostTries = 10;

/// A document put where there is none with its id.
SourceChange addition(const Submission& one) {
  return {.document = one.document, .condition = {Precondition::Kind::absent}, .features = one.features};
}

/// Why a text is refused without a look at others.
std::optional<Reason> unfit(const Gate& gate, const Submission& submission) {
  const std::uint64_t characters = submission.features->code_points;
  if (!has_word(submission.document.text)) return Reason::no_words;
  if (characters < gate.min_characters) return Reason::too_short;
  if (gate.max_characters > 0 && characters > gate.max_characters) return Reason::too_long;
  return std::nullopt;
}

Result<std::uint64_t> count_stored(const Snapshot& snapshot, const Group& group) {
  std::uint64_t count = 0;
  for (const std::string& id : group.documents) {
    AKIN_TRY(const auto record, snapshot.find(id));
    if (record) ++count;
  }
  return count;
}

/// The outcome for a document that is stored already: the decision of its first admission, if it has the same
/// text. The first document of a group was admitted before there was one.
Result<Admission> reported_again(const Snapshot& snapshot, const StoredDocument& record,
                                 const SourceDocument& document, Admission outcome) {
  AKIN_TRY(const std::string text, snapshot.text(record));
  if (text != document.text) {
    return Error{Errc::already_exists, "document " + json::in_quotes(record.id), "exists with another text",
                 "choose another id, or delete it first"};
  }
  if (outcome.group && outcome.group->documents.front() != record.id) {
    outcome.decision = Decision::grouped;
    outcome.reason = Reason::duplicate;
  }
  outcome.revision = record.revision;
  outcome.repeated = true;
  return outcome;
}

}  // namespace

std::mutex& Gates::alone(const std::string& collection) {
  const std::lock_guard lock(mutex_);
  return admissions_[collection];
}

/// Admits many documents. Those that share no feature with one another cannot find each other in a search, so
/// they may wait to be written together.
class Gates::Admissions {
 public:
  Admissions(Gates& gates, Collection& collection, const Gate& gate,
             const std::vector<Submission>& submissions)
      : gates_(gates),
        collection_(collection),
        gate_(gate),
        submissions_(submissions),
        outcomes_(submissions.size(), Admission()) {}

  std::vector<Result<Admission>> run() && {
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
      auto entrant = Entrant::of(collection_, submissions_[i], gate_);
      if (entrant.has_error()) {
        outcomes_[i] = entrant.error();
        continue;
      }
      if (meets_waiting(*entrant)) write_waiting();
      admit(i, *entrant);
    }
    write_waiting();
    return std::move(outcomes_);
  }

 private:
  [[nodiscard]] bool meets_waiting(const Entrant& entrant) const {
    if (ids_.contains(entrant.submission().document.id)) return true;
    const auto& hashes = entrant.features().hashes;
    return std::any_of(hashes.begin(), hashes.end(), [&](Feature hash) { return features_.contains(hash); });
  }

  void admit(std::size_t i, const Entrant& entrant) {
    outcomes_[i] = assess(entrant);
    if (outcomes_[i].has_error()) return;
    const Admission& outcome = *outcomes_[i];
    if (outcome.repeated || outcome.decision == Decision::refused) return;
    if (outcome.reason) {  // it joins a group, or takes the place of others
      write_waiting();
      outcomes_[i] = gates_.admit_alone(collection_, entrant, gate_);
      snapshot_.reset();
      return;
    }
    waiting_.push_back(i);
    ids_.insert(entrant.submission().document.id);
    features_.insert(entrant.features().hashes.begin(), entrant.features().hashes.end());
  }

  Result<Admission> assess(const Entrant& entrant) {
    AKIN_CHECK(check_document_id(entrant.submission().document.id));
    if (snapshot_ == nullptr) {
      AKIN_TRY(snapshot_, collection_.snapshot());
    }
    return gates_.assess(*snapshot_, collection_.name(), entrant, gate_);
  }

  void write_waiting() {
    if (waiting_.empty()) return;
    const auto written = write();
    for (std::size_t n = 0; n < waiting_.size(); ++n) {
      const std::size_t i = waiting_[n];
      if (written.has_error()) {  // of one of them: each gets its own
        outcomes_[i] = admit_alone(submissions_[i]);
      } else {
        outcomes_[i]->revision = (*written)[n]->revision;
      }
    }
    waiting_.clear();
    ids_.clear();
    features_.clear();
    snapshot_.reset();
  }

  Result<Admission> admit_alone(const Submission& submission) {
    AKIN_TRY(const Entrant entrant, Entrant::of(collection_, submission, gate_));
    return gates_.admit_alone(collection_, entrant, gate_);
  }

  Result<WriteResults> write() {
    std::vector<SourceChange> changes;
    for (const std::size_t i : waiting_) {
      AKIN_CHECK(gates_.groups_.leave(collection_.name(), submissions_[i].document.id));
      changes.push_back(addition(submissions_[i]));
    }
    return collection_.write(changes, WriteMode::all);
  }

  Gates& gates_;
  Collection& collection_;
  const Gate gate_;
  const std::vector<Submission>& submissions_;
  std::vector<Result<Admission>> outcomes_;
  std::unique_ptr<Snapshot> snapshot_;  ///< of all except those that wait
  std::vector<std::size_t> waiting_;    ///< admitted, not yet written
  std::unordered_set<std::string_view> ids_;
  std::unordered_set<Feature> features_;
};

Result<Admission> Gates::admit(Collection& collection, const SourceDocument& document) {
  AKIN_CHECK(check_document_id(document.id));
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * document.text.size()));
  AKIN_TRY(const FeatureSequence features, collection.analyze(document.text));
  AKIN_TRY(auto outcomes, admit_all(collection, {{document, &features}}));
  return std::move(outcomes.front());
}

Result<std::vector<Result<Admission>>> Gates::admit_all(Collection& collection,
                                                        const std::vector<Submission>& submissions) {
  AKIN_TRY(const auto gate, get(collection.name()));
  if (!gate) {
    return Error{Errc::not_found, "gate of collection " + json::in_quotes(collection.name()), "there is none",
                 "set one with akin gate set, or PUT /v1/collections/" + collection.name() + "/gate"};
  }
  AKIN_CHECK(check_gate(*gate, collection));
  std::unique_lock threads(alone(collection.name()), std::defer_lock);
  if (wait_for(kPatience, [&] { return threads.try_lock(); }) != Waited::done)
    return state::held_by_another("another admission into collection " + json::in_quotes(collection.name()));
  AKIN_TRY([[maybe_unused]] const auto servers,
           state_->lease("gate/" + collection.name(), kPatience, "an admission of another akin"));
  return Admissions(*this, collection, *gate, submissions).run();
}

Result<Admission> Gates::admit_alone(Collection& collection, const Entrant& entrant, const Gate& gate) {
  // Writers that bypass the gate take no lock, so the duplicates found here may be gone at write time.
  for (int tries = 1;; ++tries) {
    auto outcome = admit_once(collection, entrant, gate);
    const bool overtaken = outcome.has_error() && outcome.error().code == Errc::precondition_failed;
    if (!overtaken || tries == kMostTries) return outcome;
  }
}

Result<Admission> Gates::admit_once(Collection& collection, const Entrant& entrant, const Gate& gate) {
  const Submission& submission = entrant.submission();
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(Admission outcome, assess(*snapshot, collection.name(), entrant, gate));
  if (outcome.repeated || outcome.decision == Decision::refused) return outcome;
  // Its group is recorded first: a crash in between leaves an id in a group that is not stored, but never a
  // duplicate that is in no group.
  AKIN_CHECK(note_group(*snapshot, collection.name(), submission.document.id, outcome));
  std::vector<SourceChange> changes = {addition(submission)};
  for (const Version& one : outcome.replaced) {
    changes.push_back({.document = {.id = one.id},
                       .remove = true,
                       .condition = {Precondition::Kind::revision_in, {one.revision}}});
  }
  AKIN_TRY(const WriteResults stored, collection.write(changes, WriteMode::all));
  outcome.revision = stored.front()->revision;
  return outcome;
}

Result<Admission> Gates::assess(const Snapshot& snapshot, const std::string& collection,
                                const Entrant& entrant, const Gate& gate) const {
  const Submission& submission = entrant.submission();
  Admission outcome;
  outcome.gate = gate;
  AKIN_TRY(const auto record, snapshot.find(submission.document.id));
  if (record) {
    AKIN_TRY(outcome.group, groups_.of(collection, submission.document.id));
    return reported_again(snapshot, *record, submission.document, std::move(outcome));
  }
  AKIN_CHECK(decide(snapshot, entrant, collection, outcome));
  return outcome;
}

Result<void> Gates::decide(const Snapshot& snapshot, const Entrant& entrant, const std::string& collection,
                           Admission& outcome) const {
  outcome.reason = unfit(outcome.gate, entrant.submission());
  if (outcome.reason) {
    outcome.decision = Decision::refused;
    return {};
  }
  AKIN_TRY(Duplicates found, entrant.find_duplicates(snapshot));
  outcome.nearest = std::move(found.nearest);
  outcome.duplicates = found.count;
  if (found.count == 0) return {};
  outcome.reason = Reason::duplicate;
  if (found.survived) {
    outcome.replaced = std::move(found.losers);
    return {};
  }
  outcome.decision = Decision::refused;
  if (outcome.gate.action == Action::refuse) return entrant.show_passages(snapshot, outcome.nearest);
  AKIN_TRY(outcome.group, groups_.of(collection, outcome.nearest.front().hit.document.id));
  std::uint64_t members = 1;  // a document without a group becomes the first of a new one
  if (outcome.group) {
    AKIN_TRY(members, count_stored(snapshot, *outcome.group));
  }
  if (members < outcome.gate.quota) {
    outcome.decision = Decision::grouped;
    return {};
  }
  outcome.reason = Reason::group_full;
  return entrant.show_passages(snapshot, outcome.nearest);
}

Result<void> Gates::note_group(const Snapshot& snapshot, const std::string& collection, std::string_view id,
                               Admission& outcome) {
  AKIN_CHECK(groups_.leave(collection, id));
  if (outcome.decision != Decision::grouped) return {};
  if (!outcome.group) {
    AKIN_TRY(outcome.group,
             groups_.make(collection, {outcome.nearest.front().hit.document.id, std::string(id)}));
    return {};
  }
  const IsStored is_stored = [&](std::string_view member) -> Result<bool> {
    AKIN_TRY(const auto record, snapshot.find(member));
    return record.has_value();
  };
  AKIN_TRY(outcome.group, groups_.add(collection, outcome.group->id, id, is_stored));
  return {};
}

}  // namespace akin::gate
