// Supplements also remove edges: those by which an affix rule makes one class of two frequent words, as en_US
// does with "i" and "is", the plural of the letter.
#pragma once

#include <span>
#include <vector>

#include "dict/read/source.h"

namespace akin {

/// Removes from the sources the edges that the supplements cut. A lemma is meant in every spelling that folds
/// alike; its own spelling and the forms that supplements join stay. A form that is cut by name and left
/// without a lemma becomes its own lemma: the edge is added to the supplement that cut it. Uses all
/// processors.
void cut_edges(std::span<ExpandedSource> sources, std::span<EdgeList> supplements);

}  // namespace akin
