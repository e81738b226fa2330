// Digests with which verify compares a document's postings in its sequence and in the lists.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "index/codec/posting.h"

namespace akin {

/// A document's postings as one number; order does not matter. Equal digests mean equal postings, up to a
/// chance of 2^-64.
struct PostingDigest {
  std::uint64_t postings = 0;
  std::uint64_t sum = 0;
  void add(Feature feature, std::uint64_t count) noexcept {
    ++postings;
    sum += mix64(mix64(static_cast<std::uint64_t>(feature)) + count);
  }
  friend bool operator==(const PostingDigest&, const PostingDigest&) = default;
};

}  // namespace akin
