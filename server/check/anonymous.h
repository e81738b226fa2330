// Checks as those read them who are not to know whose they are.
#pragma once

#include "server/json/json.h"

namespace akin::check {

/// A check, or an entry of its history, without names: of its author and of owners of its sources ("owner"),
/// of the persons who decided ("by"), of its access key ("key"); without its title, and without what the file
/// says of itself. Titles of sources stay.
[[nodiscard]] json::Json without_names(json::Json object);

}  // namespace akin::check
