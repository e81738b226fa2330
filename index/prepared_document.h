// Prepares documents for a store before the write, and holds the checks that a write makes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/feature_counts.h"
#include "index/kept_words.h"
#include "index/sequence_codec.h"
#include "index/store.h"

namespace akin {

/// A document as bytes, prepared before the write lock is taken.
struct PreparedDocument {
  std::string id;
  std::string record, text, sequence;  ///< as stored; text is empty if texts are not kept
  std::string file;                    ///< as stored; empty without one, or if files are not kept
  std::string words;                   ///< of a long text, as stored; empty if they are not kept
  Revision revision;                   ///< none: the store assigns one, `record` does not have it yet
  std::vector<FeatureCount> counts;
  std::uint64_t text_bytes = 0;
  std::uint64_t file_bytes = 0;  ///< of the kept file itself; 0 without one
  std::uint64_t features = 0;
};

/// What a store's format has room for.
struct StoredForm {
  HashWidth hashes = HashWidth::narrowest;
  bool in_parts = false;               ///< long texts are stored in parts (encode_text)
  const EncodeWords* words = nullptr;  ///< makes their words, if these are kept
};

/// Checks and encodes, for a store that keeps texts and files as `store` says. Errors: invalid_argument (the
/// id; the revision; lengths that contradict each other), too_large.
[[nodiscard]] Result<PreparedDocument> prepare(const NewDocument& document, const StoreIdentity& store,
                                               const StoredForm& form = {});

/// The same for the documents of changes, on all cores; an empty one for a removal. In WriteMode::all the
/// first error fails the call.
[[nodiscard]] Result<std::vector<Result<PreparedDocument>>> prepare_changes(std::span<const Change> changes,
                                                                            WriteMode mode,
                                                                            const StoreIdentity& store,
                                                                            const StoredForm& form = {});

[[nodiscard]] inline std::string_view id_of(const Change& change) noexcept {
  return change.document != nullptr ? std::string_view(change.document->record.id) : change.id;
}

/// Checks the existence of a document against a condition on its id. Error: precondition_failed.
[[nodiscard]] Result<void> require_presence(std::string_view id, const Precondition& condition, bool there);
/// The same for the revision of an existing document.
[[nodiscard]] Result<void> require_revision(std::string_view id, const Precondition& condition,
                                            Revision revision);

/// The revision to assign after `last`: the current time, or the next number if the time is not later.
[[nodiscard]] Revision revision_after(Revision last);

}  // namespace akin
