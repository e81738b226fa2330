// MediaWiki's XML dumps, page by page (https://www.mediawiki.org/wiki/Help:Export, schema export-0.10/0.11).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/error.h"
#include "server/ingest/byte_source.h"

namespace akin::ingest {

/// A page of a dump: of several revisions the last one in the file.
struct DumpPage {
  std::string title;
  std::uint64_t id = 0, revision = 0;  ///< the wiki's numbers
  std::string time;                    ///< of the revision, as the dump writes it
  std::string text;                    ///< wikitext
};

/// Pages of a dump that were passed over.
struct DumpSkips {
  std::uint64_t redirects = 0;
  std::uint64_t other_namespaces = 0;
  std::uint64_t other_models = 0;  ///< pages that are no wikitext: scripts, style sheets, data
};

/// Whether bytes begin as a dump does: XML without a document type, whose first element is <mediawiki>.
[[nodiscard]] bool begins_as_dump(std::string_view begin) noexcept;

/// Streams; memory for one page. One thread.
class DumpReader {
 public:
  /// Gives pages of these name spaces (0 are the articles) that are wikitext and no redirects.
  [[nodiscard]] static Result<std::unique_ptr<DumpReader>> open(std::unique_ptr<ByteSource> source,
                                                                const std::string& name,
                                                                const std::set<std::int64_t>& namespaces);
  virtual ~DumpReader() = default;

  /// The next page; nothing at the end. Where a dump breaks off, pages of the last few kilobytes before that
  /// may not be given. Errors: corrupt (no well-formed XML, told with the line),
  /// invalid_argument (no dump of MediaWiki), as ByteSource::read. Nothing
  /// can be read after an error.
  [[nodiscard]] virtual Result<std::optional<DumpPage>> next() = 0;

  [[nodiscard]] virtual const DumpSkips& skips() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
};

}  // namespace akin::ingest
