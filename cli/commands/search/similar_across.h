// akin similar over several collections.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"
#include "cli/frame/program.h"
#include "extract/document.h"
#include "server/search/question.h"

namespace akin::cli {

/// What is searched for, where, and how much of it is printed.
struct AcrossRequest {
  api::Question question;
  std::string_view collections;   ///< their names, separated by commas
  const extract::Document& file;  ///< of the text; empty for a stored document
  std::size_t passages = 0;       ///< printed of each document; 0 = all
  bool whole = false;             ///< whether they are printed to their ends
};

/// Searches the collections at the same time, wherever they are kept, and prints the answer of the interface,
/// or the same for people. Returns whether something was found. Errors: as api::search_across; not_found,
/// which names the collections that there are.
[[nodiscard]] Result<bool> search_collections(const AcrossRequest& request, Session& session);

}  // namespace akin::cli
