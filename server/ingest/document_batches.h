// Reads documents from files in batches, and reports what was left out.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/collection/bulk.h"
#include "server/ingest/document_feed.h"
#include "server/ingest/validity.h"

namespace akin::ingest {

/// FeedReport::wordless names no more documents than this.
inline constexpr std::size_t kMaxNamed = 10;

/// Statistics of the files besides their documents.
struct FeedReport {
  std::uint64_t read = 0;                                   ///< documents, also those left out
  std::vector<Error> refused;                               ///< one per unread file, named by `what`
  std::array<std::uint64_t, kAllInvalid.size()> invalid{};  ///< documents left out, by reason
  std::vector<std::string> wordless;  ///< names of the first kMaxNamed documents without words
  DumpSkips skips;
  std::uint64_t unchanged = 0;  ///< documents whose files were not read again
  std::uint64_t hidden = 0;     ///< members of archives whose names begin with a dot

  /// Whether there were documents, and none of them has a word; an unchanged one has words.
  [[nodiscard]] bool only_wordless() const noexcept;
  [[nodiscard]] std::uint64_t all_invalid() const noexcept;
};

/// Reads files, and leaves out invalid documents, those without words among them. One thread, except
/// `bytes_read`; all cores test validity.
class DocumentBatches {
 public:
  /// `left_out` (if set) is called for each document that is left out.
  using LeftOut = std::function<void(const OwnedDocument&, const NotValid&)>;
  /// `files` must outlive it.
  DocumentBatches(const std::vector<InputFile>& files, Reading reading, Validity wanted, LeftOut left_out);
  DocumentBatches(const DocumentBatches&) = delete;
  DocumentBatches& operator=(const DocumentBatches&) = delete;

  /// The next valid documents, about `bytes` long together, or a single longer one; none at the end.
  [[nodiscard]] Result<std::vector<OwnedDocument>> next(std::uint64_t bytes);

  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return feed_.bytes_read(); }
  /// The statistics so far.
  [[nodiscard]] FeedReport report() const;

 private:
  [[nodiscard]] std::vector<OwnedDocument> read(std::uint64_t bytes);
  [[nodiscard]] Result<void> leave_out_invalid(std::vector<OwnedDocument>& batch);

  const std::vector<InputFile>& files_;
  DocumentFeed feed_;
  const Validity wanted_;
  const LeftOut left_out_;
  FeedReport report_;
};

}  // namespace akin::ingest
