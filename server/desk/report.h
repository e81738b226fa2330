// A check as a page that a person reads and keeps.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/check/excerpts.h"
#include "server/desk/overview.h"
#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// The text of a source around its passages, as it was when it was compared; nothing if it is not known any
/// more, or may not be shown.
using SourceText = std::function<std::optional<check::Excerpts>(const json::Json& source)>;

/// What a report shows beside the check itself.
struct ReportParts {
  SourceText text_of;
  /// Whether the text of the document may not be shown; if set.
  std::function<bool(const json::Json& source)> is_restricted = nullptr;
  /// Whether the document was changed or removed since; if set.
  std::function<bool(const json::Json& source)> has_changed = nullptr;
  std::vector<json::Json> history = {};         ///< of its decision, the oldest entry first
  json::Json later = nullptr;                   ///< the later outcome of a standing check; null: none
  json::Json statements = json::Json::array();  ///< of the author (check/links.h)
  /// Of the page that marks findings, and of the form that switches one; empty: the reader may not.
  std::string marks_path = {}, switch_path = {};
  MatchFilter filter = {};
  std::string filter_path = {};  ///< of the page that takes a filter; empty: it takes none
  bool links_documents = false;  ///< sources lead to the pages of their documents
  std::string pages_path = {};  ///< of the pages of the file, without their number; empty: they are not shown
};

/// HTML that begins below the page's first heading: verdict, reasons, sources with their passages side by
/// side, and the text with every match marked. `check`: a stored check (docs/checks.md); `text`: its text.
/// Asks for the text of one source after another.
[[nodiscard]] std::string report(const Words& words, const json::Json& check, std::string_view text,
                                 const ReportParts& parts);

/// A section with what a certificate (docs/checks.md) signs, and the certificate as data.
[[nodiscard]] std::string certificate(const Words& words, const json::Json& certificate);

/// The title of a check or, of one without, its number.
[[nodiscard]] std::string title_of(const Words& words, const json::Json& check);
/// A verdict by its name, in words.
[[nodiscard]] std::string_view verdict_of(const Words& words, std::string_view name);

}  // namespace akin::desk
