// The attributes of HTML elements: their bound, before libxml2 reads them and compares each with all before
// it, and what fields show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace akin::extract {

/// Attributes of one element that are read.
inline constexpr std::size_t kMostAttributes = 256;

/// Overwrites the further attributes of every element of a page in UTF-8 with spaces. Text is not changed.
/// Takes time in proportion to the page.
void limit_attributes(std::string& page);

/// What an address has in itself: "data:text/css;base64,…".
[[nodiscard]] std::string data_of_address(std::string_view address);

/// Whether elements of this name show text of their attributes.
[[nodiscard]] bool is_field(std::string_view name);

/// What a field with these attributes shows: of an input what is written in it or on the button, else what it
/// asks for; of an option and a group of them its label. Empty of one without text, such as a check box, and
/// of a password.
[[nodiscard]] std::string text_of_field(std::string_view name, const unsigned char* const* attributes);

/// The page that an iframe with these attributes has in itself (srcdoc), or the drawing (SVG) that an element
/// has in its address; empty of any other element.
[[nodiscard]] std::string page_of_frame(std::string_view name, const unsigned char* const* attributes);

/// The text that a frame or an object has in its address (data:text/html,…), as it is written there; empty of
/// any other.
[[nodiscard]] std::string data_of_frame(std::string_view name, const unsigned char* const* attributes);

/// Whether an element is a template whose content browsers show at once (shadowrootmode).
[[nodiscard]] bool is_shown_template(std::string_view name, const unsigned char* const* attributes);

}  // namespace akin::extract
