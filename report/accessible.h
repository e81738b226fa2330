// Completes a tagged PDF, so that it conforms to PDF/UA-1.
#pragma once

#include <string>

#include "report/typeset.h"

namespace akin::report {

/// What Cairo does not write and ISO 14289-1 asks for: title and language, what the file says of itself,
/// words for links; and the footers, as artifacts. The certificate is attached. Throws std::bad_alloc, and
/// std::runtime_error.
[[nodiscard]] std::string accessible(const Typeset& made, const Content& content);

}  // namespace akin::report
