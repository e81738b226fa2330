// Whether the posting lists of a store have what the sequences of its documents have, for the verification of
// every engine that keeps both.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "index/codec/posting.h"
#include "index/codec/posting_digest.h"
#include "index/codec/sequence_codec.h"

namespace akin {

/// Compares digests first, so that a sound store is read once and costs some fifty bytes a document. One
/// thread.
class PostingComparison {
 public:
  /// Of the documents that differ, those whose postings are named one by one; of the others only the numbers.
  static constexpr std::size_t kMostNamed = 100;

  /// A posting as the lists have it.
  using VisitPosting = std::function<void(Feature feature, DocNumber document, std::uint32_t count)>;
  /// Receives what is wrong, and where.
  using Report = std::function<void(std::string where, std::string broken)>;
  /// What of the store is read once more, if documents differ.
  struct Store {
    std::function<Result<void>(const VisitPosting& visit)> for_each_posting;
    std::function<Result<StoredSequence>(DocNumber document)> sequence;
  };

  /// A document that exists; numbers ascend.
  void add(DocNumber document) { accounts_.push_back({.number = document}); }
  /// The sequence of the last one that was added.
  void set_sequence(const StoredSequence& stored);
  [[nodiscard]] bool contains(DocNumber document) const { return find(document) != accounts_.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return accounts_.size(); }
  /// A posting of the lists; false if its document was not added.
  [[nodiscard]] bool add_posting(Feature feature, DocNumber document, std::uint32_t count);

  /// Reports what is missing, left over or counted wrongly in the lists. Errors: those of the store's lists.
  [[nodiscard]] Result<void> report_differences(const Store& store, const Report& report) const;

 private:
  /// A document according to its sequence, and according to the lists.
  struct Account {
    DocNumber number{};
    unsigned shift = 0;  ///< of the stored sequence: features are compared without these last bits
    PostingDigest sequence = {}, listed = {};
  };
  [[nodiscard]] std::vector<Account>::const_iterator find(DocNumber document) const;
  static void compare(const StoredSequence& stored, DocNumber document,
                      std::map<Feature, std::uint32_t> listed, const Report& report);

  std::vector<Account> accounts_;  ///< numbers ascending
};

}  // namespace akin
