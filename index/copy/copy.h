// Copies a collection from one catalog to another, whichever engines they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "index/collection/catalog.h"
#include "index/copy/compare.h"
#include "index/store/job.h"

namespace akin {

struct CopyRequest {
  std::string collection;
  std::size_t sample = 200;  ///< documents that are compared byte for byte
  bool update = false;       ///< makes a collection that exists already equal to the source
};

struct CopyReport {
  std::uint64_t copied = 0;        ///< documents written by this call
  std::uint64_t kept = 0;          ///< documents that an earlier call had written
  std::uint64_t removed = 0;       ///< documents that the target had and the source has not
  bool was_there = false;          ///< the collection existed already; it was equal, or has been updated
  bool written_meanwhile = false;  ///< the source has changed since
  Comparison equal;                ///< what was compared
};

/// Copies documents with ids, titles, metadata, texts, features and revisions, and the time at which the
/// collection expires; compares, and only then makes the collection visible under its name. A copy that was
/// killed continues when called again: documents that the target has with their revision are not copied
/// again. Searches and writes in the source continue meanwhile; what they change is copied too, in passes,
/// until a pass finds nothing or eight have been made; what is written after that is not in the copy, and the
/// report says so. With `update`, a collection of this name that was built in the same way is made equal to
/// the source, which copies only documents that it does not have with their revision; meanwhile it is
/// visible, each document as it was or as it becomes, and after a kill or an error the next call continues.
/// Errors: not_found, already_exists (another collection has the name), mismatch (the copy differs), busy
/// (another process copies it), unsupported (stopped), those of the stores. After an error the copy is
/// unfinished and invisible.
[[nodiscard]] Result<CopyReport> copy_collection(const Catalog& from, Catalog& to, const CopyRequest& request,
                                                 const JobControl& control);

}  // namespace akin
