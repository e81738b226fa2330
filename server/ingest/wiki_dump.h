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

/// A page of a dump: the last of its revisions in the file.
struct DumpPage {
  std::string title;
  std::uint64_t id = 0, revision = 0;  ///< the wiki's numbers
  std::string time;                    ///< of the revision, as the dump writes it
  std::string text;                    ///< wikitext
};

/// Numbers of skipped pages of a dump.
struct DumpSkips {
  std::uint64_t redirects = 0;
  std::uint64_t other_namespaces = 0;
  std::uint64_t other_models = 0;  ///< pages that are not wikitext: scripts, style sheets, data
};

/// Whether bytes begin as a dump does: XML without a document type, whose first element is <mediawiki>.
[[nodiscard]] bool begins_as_dump(std::string_view begin) noexcept;

/// Streams the file; holds one page in memory. One thread.
class DumpReader {
 public:
  /// Gives pages of these name spaces (0 = articles) that are wikitext and not redirects.
  [[nodiscard]] static Result<std::unique_ptr<DumpReader>> open(std::unique_ptr<ByteSource> source,
                                                                const std::string& name,
                                                                const std::set<std::int64_t>& namespaces);
  virtual ~DumpReader() = default;

  /// The next page; nothing at the end. If a dump breaks off, pages of the last few kilobytes before the
  /// break may be lost. Errors: corrupt (not well-formed XML; gives the line), invalid_argument (not a
  /// MediaWiki dump), as ByteSource::read. Nothing can be read after an error.
  [[nodiscard]] virtual Result<std::optional<DumpPage>> next() = 0;

  [[nodiscard]] virtual const DumpSkips& skips() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t bytes_read() const noexcept = 0;
};

}  // namespace akin::ingest
