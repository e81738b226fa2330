// The texts of a check's sources, for answers and reports.
#pragma once

#include <string_view>

#include "server/api/call.h"
#include "server/check/checks.h"
#include "server/desk/report.h"

namespace akin::api {

/// Finds the texts of a check's sources: what the check keeps of them or, if it keeps nothing, the text of
/// the document unless it has changed. Finds nothing of restricted documents, and nothing at all unless the
/// texts of documents may be shown. Requires a service with checks. Error: corrupt.
[[nodiscard]] Result<desk::SourceText> source_texts(const Service& service, const Json& check,
                                                    bool shows_documents);

/// Adds "a_text" and "b_text" to each passage.
void add_passage_texts(const desk::SourceText& text_of, std::string_view text, Json& check);

}  // namespace akin::api
