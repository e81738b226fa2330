// Removes edges by which an affix rule makes one class of two frequent words, as en_US does with "the" and
// "thing", which it makes of the+ing.
#pragma once

#include <span>
#include <vector>

#include "dict/read/source.h"

namespace akin {

/// Removes from the sources the edges that the supplements cut. A lemma is meant in every spelling that folds
/// alike; its own spelling and the forms that supplements join stay. A form that a supplement or a source
/// cuts by name and that is left without a lemma becomes its own lemma, in each spelling that was cut. Uses
/// all processors.
void cut_edges(std::span<ExpandedSource> sources, std::span<EdgeList> supplements);

}  // namespace akin
