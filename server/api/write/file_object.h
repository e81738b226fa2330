// What an answer says about the file that was handed in: docs/api.md, "Files".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "extract/client/answer.h"
#include "extract/document.h"
#include "server/api/write/objects.h"

namespace akin::api {

/// Whether there is more to say than a text: a map, alerts, or that a filter made it.
[[nodiscard]] bool is_described(const extract::Document& file) noexcept;

/// {"type", "pages", "title", "authors", "language", "date", "identifiers", "alerts"}, without what is
/// unknown; an alert is {"kind", "characters", "share", "sample", "at", "page", "part", "hidden_by"}.
[[nodiscard]] Json file_object(const extract::Document& file);

/// The alerts of such an object, as far as they decide a verdict: kinds and shares.
[[nodiscard]] std::vector<extract::FileAlert> alerts_in(const Json& file);

/// What an answer says of a text that was stored: {"stored", "sentences", "features", "alerts"}, and the
/// "file" that it was read from, unless that is null.
void add_stored(Json& answer, Revision revision, const TextFindings& findings, Json file);

/// Adds the "file" to an answer, and to each of the passages in its `results` ("results" or "sources") the
/// "a_pages" [first, last] and the "a_part". Nothing for a file that is not described.
void add_file(Json& answer, std::string_view results, const extract::Document& file);

/// Adds "b_pages" and "b_part" to the passages of one result: the stored document with this record.
void add_stored_places(Json& passages, const DocumentRecord& record);

/// Adds "a_pages" and "a_part" to the passages of results, whose query is a text with this map.
void add_query_places(Json& results, const extract::Document& file);

/// Whether the document was read from a file with these bytes; not if either is unknown.
[[nodiscard]] bool is_same_file(const std::optional<Sha256>& file_sha256,
                                const DocumentRecord& document) noexcept;
/// Adds "same_file": true to a result if that is so.
void add_same_file(Json& result, const std::optional<Sha256>& file_sha256, const DocumentRecord& document);

/// Takes away again what results have from the file of the query, "same_file", "a_pages" and "a_part": a
/// repeated check knows the text only.
void forget_file(Json& answer, std::string_view results);

/// Whether files of other formats can be read, and what confines their reader: {"ready": true,
/// "no_new_privileges", "seccomp", "limits", "landlock" (its version; 0: the kernel has none)}, or {"ready":
/// false, "reason"}. With `filters`, which are configured, also {"filters": whether they can run}.
[[nodiscard]] Json extraction_object(const Result<extract::Sandbox>& sandbox, bool filters);

}  // namespace akin::api
