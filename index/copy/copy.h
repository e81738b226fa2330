// A collection copied from one catalog to another, whichever engine either has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "index/catalog.h"
#include "index/copy/compare.h"
#include "index/job.h"

namespace akin {

struct CopyRequest {
  std::string collection;
  std::size_t sample = 200;  ///< documents that are compared byte for byte
};

struct CopyReport {
  std::uint64_t copied = 0;        ///< documents written by this call
  std::uint64_t kept = 0;          ///< that an earlier call had written
  bool was_there = false;          ///< the collection was there, and equal: nothing was done
  bool written_meanwhile = false;  ///< the source holds something else by now
  Comparison equal;                ///< what was compared
};

/// Copies documents with ids, titles, metadata, texts, features and revisions, and when the collection
/// expires; compares, and only then lets the collection be seen under its name. Killed, it goes on when
/// called again: documents that are there with their revision are not copied again. Searches and writes in
/// the source go on meanwhile; what they change is copied too, in passes, until one of them finds nothing or
/// eight have been made; what is written after that is not in the copy, which the report tells. Errors:
/// not_found, already_exists (another collection has the name), mismatch (the copy differs), busy (another
/// process copies it), unsupported (stopped), those of the stores. After an error the copy is unfinished, and
/// not seen.
[[nodiscard]] Result<CopyReport> copy_collection(const Catalog& from, Catalog& to, const CopyRequest& request,
                                                 const JobControl& control);

}  // namespace akin
