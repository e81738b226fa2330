// The attributes of HTML elements: their bound, before libxml2 reads them and compares each with all before
// it, and what fields show.
#pragma once

#include <cstddef>
#include <string>

namespace akin::extract {

/// Attributes of one element that are read.
inline constexpr std::size_t kMostAttributes = 256;

/// Overwrites the further attributes of every element of a page in UTF-8 with spaces. Text is not changed.
/// Takes time in proportion to the page.
void limit_attributes(std::string& page);

/// What an input element with these attributes shows: what is written in the field or on the button, else
/// what the field asks for. Empty of one without text, such as a check box, and of a password.
[[nodiscard]] std::string text_of_input(const unsigned char* const* attributes);

}  // namespace akin::extract
