#include "index/store/posting_comparison.h"

#include <algorithm>
#include <utility>

#include "index/codec/feature_counts.h"

namespace akin {

namespace {

/// Features as stored in sequences with this shift, and back, with the last bits zero.
Feature without_last(Feature feature, unsigned shift) noexcept {
  return Feature{static_cast<std::uint64_t>(feature) >> shift};
}
Feature whole(Feature leading, unsigned shift) noexcept {
  return Feature{static_cast<std::uint64_t>(leading) << shift};
}

}  // namespace

std::vector<PostingComparison::Account>::const_iterator PostingComparison::find(DocNumber document) const {
  const auto at = std::ranges::lower_bound(accounts_, document, {}, &Account::number);
  return at == accounts_.end() || at->number != document ? accounts_.end() : at;
}

void PostingComparison::set_sequence(const StoredSequence& stored) {
  Account& account = accounts_.back();
  account.shift = stored.shift;
  if (stored.derived) account.sequence = stored.derived->postings;
  for (const FeatureCount& entry : count_features(stored.sequence.hashes))
    account.sequence.add(entry.feature, entry.count);
}

bool PostingComparison::add_posting(Feature feature, DocNumber document, std::uint32_t count) {
  const auto found = find(document);
  if (found == accounts_.end()) return false;
  Account& account = accounts_[static_cast<std::size_t>(found - accounts_.begin())];
  account.listed.add(without_last(feature, account.shift), count);
  return true;
}

Result<void> PostingComparison::report_differences(const Store& store, const Report& report) const {
  std::map<DocNumber, std::map<Feature, std::uint32_t>> listed;
  for (const Account& account : accounts_) {
    if (account.listed == account.sequence) continue;
    if (listed.size() < kMostNamed) {
      listed[account.number];
    } else {
      report(name_of(account.number), "its sequence and its postings differ");
    }
  }
  if (listed.empty()) return {};
  AKIN_CHECK(store.for_each_posting([&](Feature feature, DocNumber document, std::uint32_t count) {
    const auto own = listed.find(document);
    if (own != listed.end()) own->second[without_last(feature, find(document)->shift)] = count;
  }));
  for (auto& [document, postings] : listed) {
    const Result<StoredSequence> stored = store.sequence(document);
    if (!stored.has_error()) {
      compare(*stored, document, std::move(postings), report);
    } else if (find(document)->sequence.postings > 0) {  // else the caller has reported it
      report(stored.error().what, stored.error().reason);
    }
  }
  return {};
}

void PostingComparison::compare(const StoredSequence& stored, DocNumber document,
                                std::map<Feature, std::uint32_t> listed, const Report& report) {
  for (const FeatureCount& entry : count_features(stored.sequence.hashes)) {
    const std::string where = name_of(whole(entry.feature, stored.shift));
    const auto posting = listed.find(entry.feature);
    if (posting == listed.end()) {
      report(where, "the posting of " + name_of(document) + " is missing");
      continue;
    }
    if (posting->second != entry.count) {
      report(where, "the posting of " + name_of(document) + " counts " + std::to_string(posting->second) +
                        ", its sequence " + std::to_string(entry.count));
    }
    listed.erase(posting);
  }
  for (const auto& [feature, count] : listed) {
    report(name_of(whole(feature, stored.shift)),
           "there is a posting of " + name_of(document) + ", whose sequence does not have the feature");
  }
}

}  // namespace akin
