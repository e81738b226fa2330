// What the control words of RTF mean (Rich Text Format Specification 1.9.1).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "extract/child/office/rtf_state.h"

namespace akin::extract {

/// The first words of groups that are not text of the document.
[[nodiscard]] const std::set<std::string_view>& unseen_groups();

/// Where the text of groups belongs that begin with these words.
[[nodiscard]] const std::map<std::string_view, RtfPlace>& places();

/// Words that stand for characters.
[[nodiscard]] const std::map<std::string_view, std::string_view>& characters();

/// \fcharsetN → the code page; 0 for the document's own.
[[nodiscard]] std::uint32_t page_of_charset(std::int32_t charset);

}  // namespace akin::extract
