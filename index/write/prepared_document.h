// Prepares documents for a store before the write, and holds the checks that a write makes.
#pragma once

#include <span>
#include <string_view>

#include "index/codec/sequence_codec.h"
#include "index/store/store.h"

namespace akin {

/// What a store's format has room for.
struct StoredForm {
  HashWidth hashes = HashWidth::narrowest;
  bool derived = false;                ///< no hashes of those that a stored text gives (derived_features.h)
  const EncodeWords* words = nullptr;  ///< makes their words, if these are kept
};

/// Store::prepare, for a store that keeps texts and files as `store` says.
[[nodiscard]] Result<PreparedDocument> prepare(NewDocument document, const StoreIdentity& store,
                                               const StoredForm& form = {});

/// The errors of the documents that cannot be stored, in their places; in WriteMode::all the first is the
/// error.
[[nodiscard]] Result<WriteResults> refusals(std::span<const Change> changes, WriteMode mode);
/// Whether none of the changes can be made, or there are none.
[[nodiscard]] bool are_all_refused(const WriteResults& results);

/// Error: invalid_argument (over kMaxRevision).
[[nodiscard]] Result<void> check_revision(Revision revision);
/// Checks the existence of a document against a condition on its id. Error: precondition_failed.
[[nodiscard]] Result<void> require_presence(std::string_view id, const Precondition& condition, bool there);
/// The same for the revision of an existing document.
[[nodiscard]] Result<void> require_revision(std::string_view id, const Precondition& condition,
                                            Revision revision);

/// The revision to assign after `last`: the current time, or the next number if the time is not later.
[[nodiscard]] Revision revision_after(Revision last);

}  // namespace akin
