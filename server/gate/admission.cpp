// Admissions: search, decide and store, without other admissions in between.
#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

#include "server/gate/gates.h"
#include "server/json/quoted.h"

namespace akin::gate {

namespace {

constexpr std::chrono::seconds kPatience(30);
constexpr int kMostTries = 10;

/// The result of the search for duplicates.
struct Duplicates {
  std::optional<Nearest> nearest;  ///< of all that share a feature, or that may reach the threshold
  std::uint64_t count = 0;
  /// Whether the new document survives all of them; `losers` are then these.
  bool survived = true;
  std::vector<Version> losers;

  void add(const Hit& hit, Survivor rule, const FeatureSequence& features) {
    ++count;
    const Contender added{features.code_points, hit.overlap.a_features};
    const Contender stored{hit.document.code_points, hit.overlap.b_features};
    survived = survived && survives(rule, added, stored);
    if (survived) losers.push_back({hit.document.id, hit.document.revision});
  }
};

bool is_nearer(const Nearest& left, const Nearest& right) {
  return left.similarity != right.similarity ? left.similarity > right.similarity : left.id < right.id;
}

/// Reads every document that can reach the threshold, a page at a time.
Result<Duplicates> find_duplicates(const Snapshot& snapshot, const FeatureSequence& features,
                                   const Gate& gate) {
  constexpr std::uint64_t kPage = 1000;
  SearchRequest request;
  request.query = &features;
  request.bound = 0;
  request.min_containment = least_containment(gate.measure, gate.threshold);
  request.limit = kPage;
  Duplicates found;
  if (features.hashes.empty()) return found;
  for (;; request.offset += kPage) {
    AKIN_TRY(const SearchResult page, snapshot.search(request));
    for (const Hit& hit : page.hits) {
      Nearest candidate{hit.document.id, hit.overlap, similarity(gate.measure, hit.overlap)};
      if (candidate.similarity >= gate.threshold) found.add(hit, gate.survivor, features);
      if (!found.nearest || is_nearer(candidate, *found.nearest)) found.nearest = std::move(candidate);
    }
    if (request.offset + page.hits.size() >= page.total || page.hits.empty()) return found;
  }
}

/// A document put where there is none with its id.
SourceChange addition(const Submission& one) {
  return {.document = one.document, .condition = {Precondition::Kind::absent}, .features = one.features};
}

std::optional<Reason> wrong_length(const Gate& gate, std::uint64_t characters) {
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

/// The outcome for a document that is stored already: that of its first admission, if it has the same text.
Result<Outcome> reported_again(const Snapshot& snapshot, const DocumentRecord& record,
                               const SourceDocument& document, Outcome outcome) {
  AKIN_TRY(const std::string text, snapshot.text(record.id));
  if (text != document.text) {
    return Error{Errc::already_exists, "document " + json::in_quotes(record.id), "exists with another text",
                 "choose another id, or delete it first"};
  }
  outcome.decision = outcome.group ? Decision::grouped : Decision::admitted;
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
        outcomes_(submissions.size(), Outcome()) {}

  std::vector<Result<Outcome>> run() && {
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
      if (meets_waiting(submissions_[i])) write_waiting();
      admit(i);
    }
    write_waiting();
    return std::move(outcomes_);
  }

 private:
  [[nodiscard]] bool meets_waiting(const Submission& submission) const {
    if (ids_.contains(submission.document.id)) return true;
    const auto& hashes = submission.features->hashes;
    return std::any_of(hashes.begin(), hashes.end(), [&](Feature hash) { return features_.contains(hash); });
  }

  void admit(std::size_t i) {
    const Submission& one = submissions_[i];
    outcomes_[i] = assess(one);
    if (outcomes_[i].has_error()) return;
    const Outcome& outcome = *outcomes_[i];
    if (outcome.repeated || outcome.decision == Decision::refused) return;
    if (outcome.reason) {  // it joins a group, or takes the place of others
      write_waiting();
      outcomes_[i] = gates_.admit_alone(collection_, one, gate_);
      snapshot_.reset();
      return;
    }
    waiting_.push_back(i);
    ids_.insert(one.document.id);
    features_.insert(one.features->hashes.begin(), one.features->hashes.end());
  }

  Result<Outcome> assess(const Submission& one) {
    AKIN_CHECK(check_document_id(one.document.id));
    if (snapshot_ == nullptr) {
      AKIN_TRY(snapshot_, collection_.snapshot());
    }
    return gates_.assess(*snapshot_, collection_.name(), one, gate_);
  }

  void write_waiting() {
    if (waiting_.empty()) return;
    const auto written = write();
    for (std::size_t n = 0; n < waiting_.size(); ++n) {
      const std::size_t i = waiting_[n];
      if (written.has_error()) {  // of one of them: each gets its own
        outcomes_[i] = gates_.admit_alone(collection_, submissions_[i], gate_);
      } else {
        outcomes_[i]->revision = (*written)[n]->revision;
      }
    }
    waiting_.clear();
    ids_.clear();
    features_.clear();
    snapshot_.reset();
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
  std::vector<Result<Outcome>> outcomes_;
  std::unique_ptr<Snapshot> snapshot_;  ///< of all except those that wait
  std::vector<std::size_t> waiting_;    ///< admitted, not yet written
  std::unordered_set<std::string_view> ids_;
  std::unordered_set<Feature> features_;
};

Result<Outcome> Gates::admit(Collection& collection, const SourceDocument& document) {
  AKIN_CHECK(check_document_id(document.id));
  AKIN_TRY(const FeatureSequence features, collection.analyze(document.text));
  AKIN_TRY(auto outcomes, admit_all(collection, {{document, &features}}));
  return std::move(outcomes.front());
}

Result<std::vector<Result<Outcome>>> Gates::admit_all(Collection& collection,
                                                      const std::vector<Submission>& submissions) {
  AKIN_TRY(const auto gate, get(collection.name()));
  if (!gate) {
    return Error{Errc::not_found, "gate of collection " + json::in_quotes(collection.name()), "there is none",
                 "set one with akin gate set, or PUT /v1/collections/" + collection.name() + "/gate"};
  }
  const std::lock_guard threads(alone(collection.name()));
  AKIN_TRY([[maybe_unused]] const auto servers,
           state_->lease("gate/" + collection.name(), kPatience, "an admission of another akin"));
  return Admissions(*this, collection, *gate, submissions).run();
}

Result<Outcome> Gates::admit_alone(Collection& collection, const Submission& submission, const Gate& gate) {
  // Writers that bypass the gate take no lock, so the duplicates found here may be gone at write time.
  for (int tries = 1;; ++tries) {
    auto outcome = admit_once(collection, submission, gate);
    const bool overtaken = outcome.has_error() && outcome.error().code == Errc::precondition_failed;
    if (!overtaken || tries == kMostTries) return outcome;
  }
}

Result<Outcome> Gates::admit_once(Collection& collection, const Submission& submission, const Gate& gate) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(Outcome outcome, assess(*snapshot, collection.name(), submission, gate));
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

Result<Outcome> Gates::assess(const Snapshot& snapshot, const std::string& collection,
                              const Submission& submission, const Gate& gate) const {
  Outcome outcome;
  outcome.gate = gate;
  AKIN_TRY(const auto record, snapshot.find(submission.document.id));
  if (record) {
    AKIN_TRY(outcome.group, groups_.of(collection, submission.document.id));
    return reported_again(snapshot, *record, submission.document, std::move(outcome));
  }
  AKIN_CHECK(decide(snapshot, *submission.features, collection, outcome));
  return outcome;
}

Result<void> Gates::decide(const Snapshot& snapshot, const FeatureSequence& features,
                           const std::string& collection, Outcome& outcome) const {
  outcome.reason = wrong_length(outcome.gate, features.code_points);
  if (outcome.reason) {
    outcome.decision = Decision::refused;
    return {};
  }
  AKIN_TRY(Duplicates found, find_duplicates(snapshot, features, outcome.gate));
  outcome.nearest = std::move(found.nearest);
  outcome.duplicates = found.count;
  if (found.count == 0) return {};
  outcome.reason = Reason::duplicate;
  if (found.survived) {
    outcome.replaced = std::move(found.losers);
    return {};
  }
  outcome.decision = Decision::refused;
  if (outcome.gate.action == Action::refuse) return {};
  AKIN_TRY(outcome.group, groups_.of(collection, outcome.nearest->id));
  std::uint64_t members = 1;  // a document without a group becomes the first of a new one
  if (outcome.group) {
    AKIN_TRY(members, count_stored(snapshot, *outcome.group));
  }
  if (members < outcome.gate.quota) {
    outcome.decision = Decision::grouped;
  } else {
    outcome.reason = Reason::group_full;
  }
  return {};
}

Result<void> Gates::note_group(const Snapshot& snapshot, const std::string& collection, std::string_view id,
                               Outcome& outcome) {
  AKIN_CHECK(groups_.leave(collection, id));
  if (outcome.decision != Decision::grouped) return {};
  if (!outcome.group) {
    AKIN_TRY(outcome.group, groups_.make(collection, {outcome.nearest->id, std::string(id)}));
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
