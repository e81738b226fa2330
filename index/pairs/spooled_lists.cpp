#include "index/pairs/spooled_lists.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <tuple>
#include <utility>

#include "index/pairs/groups.h"
#include "index/pairs/long_lists.h"
#include "index/pairs/named_pairs.h"
#include "index/store/stored_document.h"
#include "morph/schemes/tiers.h"

namespace akin {
namespace {

constexpr const char* kScratch = "a scratch file in TMPDIR";
/// Entries of a run that are read together.
constexpr std::uint64_t kLeastRead = 1U << 10U, kMostRead = 1U << 16U;

Result<FileHandle> scratch_file() {
  std::error_code failure;
  std::string name = (std::filesystem::temp_directory_path(failure) / "akin-lists-XXXXXX").string();
  if (failure) return Error{Errc::io, "TMPDIR", failure.message(), "name a folder in it"};
  FileHandle file(mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0) return system_error(errno, name, "make");
  if (unlink(name.c_str()) != 0) return system_error(errno, name, "remove");
  return file;
}

Result<void> read_whole(const FileHandle& file, std::uint64_t at, std::span<char> bytes) {
  AKIN_TRY(const std::size_t got, read_at(file.get(), at, bytes, kScratch));
  if (got < bytes.size()) return Error{Errc::io, kScratch, "it ends early", "try again"};
  return {};
}

template <class Plain>
std::span<char> bytes_of(std::span<Plain> values) noexcept {
  return {reinterpret_cast<char*>(values.data()), values.size_bytes()};
}

}  // namespace

/// A sorted part of the postings, read from a feature on.
class SpooledLists::Run {
 public:
  Run(const FileHandle& file, std::uint64_t begin, std::uint64_t end, std::uint64_t read)
      : file_(&file), next_(begin), end_(end), read_(read) {}

  /// Skips the entries of smaller features.
  Result<void> seek(Feature from) {
    for (std::uint64_t end = end_; next_ < end;) {
      const std::uint64_t middle = next_ + (end - next_) / 2;
      Entry entry;
      AKIN_CHECK(read_whole(*file_, middle * sizeof(Entry), bytes_of(std::span(&entry, 1))));
      if (entry.feature < from) {
        next_ = middle + 1;
      } else {
        end = middle;
      }
    }
    return {};
  }

  /// The current entry; null at the end.
  Result<const Entry*> current() {
    if (at_ == here_.size()) {
      here_.resize(std::min(read_, end_ - next_));
      at_ = 0;
      AKIN_CHECK(read_whole(*file_, next_ * sizeof(Entry), bytes_of(std::span(here_))));
      next_ += here_.size();
    }
    return here_.empty() ? nullptr : &here_[at_];
  }
  void advance() noexcept { ++at_; }

 private:
  const FileHandle* file_;
  std::uint64_t next_, end_, read_;
  std::vector<Entry> here_;
  std::size_t at_ = 0;
};

class SpooledLists::Stream final : public ListStream {
 public:
  Stream(std::vector<Run> runs, std::optional<std::size_t> tier) noexcept
      : runs_(std::move(runs)), tier_(tier) {}

  Result<void> begin() {
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      if (tier_) AKIN_CHECK(runs_[run].seek(first_of_tier(*tier_)));
      AKIN_CHECK(enter(run));
    }
    return {};
  }

  Result<bool> next() override {
    documents_.clear();
    counts_.clear();
    if (heads_.empty()) return false;
    feature_ = heads_.top().first;
    if (tier_ && tier_of(feature_) != *tier_) return false;
    // Documents of later runs have larger numbers.
    while (!heads_.empty() && heads_.top().first == feature_) {
      const std::size_t run = heads_.top().second;
      heads_.pop();
      AKIN_TRY(const Entry* entry, runs_[run].current());
      while (entry != nullptr && entry->feature == feature_) {
        documents_.push_back(entry->document);
        counts_.push_back(entry->count);
        runs_[run].advance();
        AKIN_TRY(entry, runs_[run].current());
      }
      AKIN_CHECK(enter(run));
    }
    return true;
  }
  Feature feature() const noexcept override { return feature_; }
  std::span<const DocNumber> documents() const noexcept override { return documents_; }
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }

 private:
  using Head = std::pair<Feature, std::size_t>;

  Result<void> enter(std::size_t run) {
    AKIN_TRY(const Entry* const entry, runs_[run].current());
    if (entry != nullptr) heads_.emplace(entry->feature, run);
    return {};
  }

  std::vector<Run> runs_;
  std::optional<std::size_t> tier_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
  Feature feature_{};
  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

SpooledLists::SpooledLists(FileHandle postings, FileHandle records, std::uint64_t memory) noexcept
    : postings_(std::move(postings)), records_(std::move(records)), memory_(memory) {}

Result<SpooledLists> SpooledLists::make(std::uint64_t memory) {
  AKIN_TRY(FileHandle postings, scratch_file());
  AKIN_TRY(FileHandle records, scratch_file());
  return SpooledLists(std::move(postings), std::move(records), memory);
}

Result<void> SpooledLists::add(std::string_view record, std::span<const FeatureCount> counts) {
  if (documents() == std::numeric_limits<std::uint32_t>::max())
    return Error{Errc::too_large, "all pairs", "the collection has 2^32 documents", "divide it"};
  const DocNumber number{static_cast<std::uint32_t>(documents())};
  const std::uint64_t begin = record_ends_.empty() ? 0 : record_ends_.back();
  AKIN_CHECK(write_all(records_, record, kScratch));
  record_ends_.push_back(begin + record.size());
  for (const FeatureCount& one : counts) unsorted_.push_back({one.feature, number, one.count});
  return unsorted_.size() * sizeof(Entry) < memory_ ? Result<void>() : write_run();
}

Result<void> SpooledLists::write_run() {
  std::ranges::sort(unsorted_, {}, [](const Entry& one) { return std::pair(one.feature, one.document); });
  const std::uint64_t begin = run_ends_.empty() ? 0 : run_ends_.back();
  const std::span<char> bytes = bytes_of(std::span(unsorted_));
  AKIN_CHECK(write_all(postings_, {bytes.data(), bytes.size()}, kScratch));
  run_ends_.push_back(begin + unsorted_.size());
  unsorted_.clear();
  return {};
}

Result<void> SpooledLists::finish() {
  if (!unsorted_.empty()) AKIN_CHECK(write_run());
  unsorted_ = std::vector<Entry>();  // an assigned {} would keep the memory
  return {};
}

Result<DocumentRecord> SpooledLists::record(DocNumber number) const {
  const auto place = static_cast<std::uint32_t>(number);
  const std::uint64_t begin = place == 0 ? 0 : record_ends_[place - 1];
  std::string bytes(record_ends_[place] - begin, '\0');
  AKIN_CHECK(read_whole(records_, begin, bytes));
  return record_of(bytes, place);
}

Result<PairsSummary> SpooledLists::pairs(const PairsRequest& request, const PairVisitor& visit) const {
  const RecordOf record_of = [&](DocNumber number) { return record(number); };
  return find_named_pairs(Lists(*this, request.tier), request, record_of, visit);
}

Result<GroupsSummary> SpooledLists::groups(const PairsRequest& request, const GroupVisitor& visit) const {
  const auto id_of = [&](DocNumber number) -> Result<std::string> {
    AKIN_TRY(DocumentRecord known, record(number));
    return std::move(known.id);
  };
  const auto in_order_of_ids = [&]() -> Result<std::vector<DocNumber>> {
    std::vector<std::pair<std::string, DocNumber>> ids;
    for (std::uint32_t number = 0; number < documents(); ++number) {
      AKIN_TRY(std::string id, id_of(DocNumber{number}));
      ids.emplace_back(std::move(id), DocNumber{number});
    }
    std::ranges::sort(ids);
    std::vector<DocNumber> numbers;
    numbers.reserve(ids.size());
    for (const auto& [id, number] : ids) numbers.push_back(number);
    return numbers;
  };
  return find_groups(Lists(*this, request.tier), request, {in_order_of_ids, id_of}, visit);
}

Result<std::vector<CommonFeature>> SpooledLists::most_common(std::size_t count,
                                                             std::optional<std::size_t> tier) const {
  AKIN_TRY(const std::vector<LongList> longest, longest_lists(Lists(*this, tier), count));
  std::vector<CommonFeature> common;
  for (const LongList& list : longest) {
    AKIN_TRY(DocumentRecord first, record(list.first));
    common.push_back({list.feature, list.documents, std::move(first.id)});
  }
  return common;
}

Result<std::unique_ptr<ListStream>> SpooledLists::Lists::lists() const {
  const std::uint64_t read =
      std::clamp(all_.memory_ / sizeof(Entry) / (all_.run_ends_.size() + 1), kLeastRead, kMostRead);
  std::vector<Run> runs;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : all_.run_ends_)
    runs.emplace_back(all_.postings_, std::exchange(begin, end), end, read);
  auto stream = std::make_unique<Stream>(std::move(runs), tier_);
  AKIN_CHECK(stream->begin());
  return std::unique_ptr<ListStream>(std::move(stream));
}

}  // namespace akin
