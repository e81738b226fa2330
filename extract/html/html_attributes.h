// Bounds the attributes of HTML elements before libxml2 reads them: it compares each with all before it.
#pragma once

#include <cstddef>
#include <string>

namespace akin::extract {

/// Attributes of one element that are read.
inline constexpr std::size_t kMostAttributes = 256;

/// Overwrites the further attributes of every element of a page in UTF-8 with spaces. Text is not changed.
/// Takes time in proportion to the page.
void limit_attributes(std::string& page);

}  // namespace akin::extract
