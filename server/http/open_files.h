// How many connections and collections the process may have open: what its limit of open files allows.
#pragma once

#include <cstddef>

#include "base/error.h"

namespace akin::http {

struct OpenFiles {
  std::size_t connections = 0;
  std::size_t collections = 0;
};

/// What of `wanted` fits if the process may have `limit` files open, and room remains for its own files, for
/// connections that are refused, and for what a request opens. Error: unsupported, if that is too little for
/// a server.
[[nodiscard]] Result<OpenFiles> fit_open_files(const OpenFiles& wanted, std::size_t limit);

/// The same for this process's limit, which it raises as far as that is needed and permitted. Warns in the
/// log if less fits than is wanted.
[[nodiscard]] Result<OpenFiles> allow_open_files(const OpenFiles& wanted);

}  // namespace akin::http
