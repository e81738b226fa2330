// The changes of a write: documents to put, from their parts to bytes, and ids to remove.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/codec/feature_counts.h"
#include "index/codec/stored_file.h"
#include "index/store/document.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// A document to store.
struct NewDocument {
  /// Without a revision the store assigns one. A given revision is kept, for rebuilds of a collection.
  DocumentRecord record;
  std::string_view text;
  const FeatureSequence* features = nullptr;
  /// The file itself, which a store with `store_file` keeps. Then the record has its digest.
  std::optional<FileView> file = {};
  /// What a store that keeps words keeps of those of the text: encode_kept_words of a long one,
  /// encode_word_codes of another; empty: the store reads them itself.
  std::string_view words = {};
};

/// A document as bytes (Store::prepare).
struct PreparedDocument {
  std::string id;
  std::string record, text, sequence;  ///< as stored; text is empty if texts are not kept
  std::string file;                    ///< as stored; empty without one, or if files are not kept
  std::string words;                   ///< as stored; empty if they are not kept
  Revision revision;                   ///< none: the write assigns one, and sets it in `record`
  std::vector<FeatureCount> counts;
  std::uint64_t text_bytes = 0;
  std::uint64_t file_bytes = 0;  ///< of the kept file itself; 0 without one
  std::uint64_t features = 0;
};

/// The result for a document that was put, or for an id that was removed.
struct PutResult {
  bool replaced = false;  ///< there was one with this id
  Revision revision;      ///< none after a removal
  friend bool operator==(const PutResult&, const PutResult&) = default;
};

/// What must hold for the document with an id before the write; decided inside the write.
struct Precondition {
  enum class Kind {
    none,
    absent,       ///< the document does not exist
    present,      ///< there is one
    revision_in,  ///< there is one, and its revision is one of `revisions`
  };
  Kind kind = Kind::none;
  std::vector<Revision> revisions = {};
  bool or_absent = false;  ///< also holds if the document does not exist

  /// Whether it holds for a document that exists and has this revision.
  [[nodiscard]] bool holds_for(Revision revision) const {
    if (kind == Kind::absent) return false;
    return kind != Kind::revision_in || std::ranges::find(revisions, revision) != revisions.end();
  }
};

/// One change of a write: a document to put, or the id of one to remove.
struct Change {
  std::string_view id = {};
  /// The document with this id, or why it cannot be stored; nothing: the one with the id is removed.
  std::optional<Result<PreparedDocument>> document = {};
  Precondition condition = {};  ///< on the document with this id, as it was before the write
};

/// How a change that cannot be made (a document that cannot be stored, a failed precondition) affects the
/// others of its write.
enum class WriteMode {
  all,   ///< nothing is changed, and the write fails with the error of the first
  each,  ///< the error is the change's own result; the others are made
};

/// The result of each change, in the order given. In WriteMode::all none is an error.
using WriteResults = std::vector<Result<PutResult>>;

// For a write of WriteMode::all.
[[nodiscard]] std::vector<PutResult> values_of(const WriteResults& results);
/// How many of the documents put or removed existed before.
[[nodiscard]] std::uint64_t count_replaced(const WriteResults& results);

}  // namespace akin
