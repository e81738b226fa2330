// Text that is stored backwards and shown forwards by an override of the direction.
#pragma once

#include <string_view>
#include <vector>

#include "morph/normalize/arrangement.h"

namespace akin {

/// Adds an edit that reverses each run stored backwards, in the order of the text.
///
/// A run begins after a right-to-left override (U+202E) and ends before what ends or changes the direction
/// (U+202A to U+202E, U+2066 to U+2069), with its line, or with the text. It is stored backwards if it has
/// two letters or more and all of them are written from left to right (UAX #9, classes L, R and AL).
void find_backward_runs(std::string_view utf8, std::vector<ArrivalEdit>& edits);

}  // namespace akin
