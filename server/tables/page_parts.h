// The page's parts, from the files in page/.
#pragma once

#include <string_view>

namespace akin::tables {

[[nodiscard]] std::string_view
page_template() noexcept;  ///< pairs.html, with @name@ for the others and the policy
[[nodiscard]] std::string_view page_style() noexcept;  ///< pairs.css
[[nodiscard]] std::string_view page_table() noexcept;  ///< table.js
[[nodiscard]] std::string_view page_sides() noexcept;  ///< sides.js

}  // namespace akin::tables
