// Groups in which every two documents are a pair.
#pragma once

#include <cstdint>

#include "index/pairs/groups.h"

namespace akin {

/// Memory for each pair, about.
inline constexpr std::uint64_t kBytesPerLinkedPair = 64;

/// Groups of the pairs that `find` visits, by complete linkage: beginning with the most similar pair (by
/// resemblance of X or of words, whichever is larger; equal ones by their ids), the groups of its documents
/// are merged if every document of one is a pair with every document of the other. Copies that `find` leaves
/// out join those that have the same text. Groups are visited as NamedGroups has them. Error: too_large, if
/// there are more pairs than `most_pairs`; those of `find` and `visit`.
[[nodiscard]] Result<GroupsSummary> link_completely(const FindPairs& find, std::uint64_t most_pairs,
                                                    const GroupVisitor& visit,
                                                    const TextCopies* copies = nullptr);

}  // namespace akin
