// Sets the content of a report on pages.
#pragma once

#include <cstddef>
#include <string>

#include "report/content.h"

namespace akin::report {

struct Typeset {
  std::string pages;    ///< a tagged PDF of A4 pages, with bookmarks of headings
  std::string footers;  ///< a PDF with the footer of each of these pages
};

/// Sets text by Pango and Cairo, in the system's sans-serif font and, for letters that it lacks, in others.
/// Throws std::bad_alloc, and std::runtime_error where Cairo fails.
[[nodiscard]] Typeset typeset(const Content& content);

}  // namespace akin::report
