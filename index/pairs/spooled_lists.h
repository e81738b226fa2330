// The posting lists of documents that come one after another, sorted on disk: all pairs for an engine that
// cannot pass over its lists.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "index/codec/feature_counts.h"
#include "index/pairs/list_stream.h"
#include "index/store/store.h"

namespace akin {

/// The scratch files are in TMPDIR and have no names: they end with the object, or with its process. They
/// take 16 bytes a posting, and the records. One thread.
class SpooledLists {
 public:
  /// `memory`: bytes to sort in, and to read in later. Error: io.
  [[nodiscard]] static Result<SpooledLists> make(std::uint64_t memory);

  /// Adds a document, which gets the next number; the first has 0. `record` as encode_record gives it.
  /// Errors: disk_full, io, too_large (numbers have 32 bits).
  [[nodiscard]] Result<void> add(std::string_view record, std::span<const FeatureCount> counts);
  /// Requires that no document is added after it, and no list read before it. Errors: disk_full, io.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] std::uint64_t documents() const noexcept { return record_ends_.size(); }
  /// Requires a number below documents(). Errors: io, corrupt.
  [[nodiscard]] Result<DocumentRecord> record(DocNumber number) const;

  /// As those of Snapshot, of the documents that were added.
  [[nodiscard]] Result<PairsSummary> pairs(const PairsRequest& request, const PairVisitor& visit) const;
  [[nodiscard]] Result<GroupsSummary> groups(const PairsRequest& request, const GroupVisitor& visit) const;
  [[nodiscard]] Result<std::vector<CommonFeature>> most_common(std::size_t count,
                                                               std::optional<std::size_t> tier) const;

  /// All lists, or those of a tier (morph/schemes/tiers.h). The object must outlive them.
  class Lists final : public ListSource {
   public:
    Lists(const SpooledLists& all, std::optional<std::size_t> tier) noexcept : all_(all), tier_(tier) {}
    [[nodiscard]] std::uint64_t document_limit() const noexcept override { return all_.documents(); }
    /// Error: io.
    [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

   private:
    const SpooledLists& all_;
    std::optional<std::size_t> tier_;
  };

 private:
  struct Entry {
    Feature feature{};
    DocNumber document{};
    std::uint32_t count = 0;
  };
  class Run;
  class Stream;
  SpooledLists(FileHandle postings, FileHandle records, std::uint64_t memory) noexcept;
  [[nodiscard]] Result<void> write_run();

  FileHandle postings_, records_;
  std::uint64_t memory_;
  std::vector<Entry> unsorted_;
  std::vector<std::uint64_t> run_ends_;     ///< in entries
  std::vector<std::uint64_t> record_ends_;  ///< in bytes, by document
};

}  // namespace akin
