#include "index/lmdb/postings/run_filters.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/exceptions.h"
#include "base/held_memory.h"
#include "index/lmdb/tables/packed_block.h"

namespace akin {

std::atomic<std::uint64_t>& RunFilter::in_use() noexcept {
  static std::atomic<std::uint64_t> bytes = 0;
  return bytes;
}

std::uint64_t RunFilter::most_bytes() {
  static const std::uint64_t kMost =
      std::max<std::uint64_t>(std::uint64_t{128} << 20U, available_memory() / 32);
  return kMost;
}

RunFilter::RunFilter(Feature from, std::uint64_t room)
    : from_(static_cast<std::uint64_t>(from)),
      to_(from_),
      words_(room / sizeof(std::uint64_t) + 1),
      memory_(words_ * sizeof(std::uint64_t)),
      room_(room) {
  in_use() += room_;
}

RunFilter::~RunFilter() { in_use() -= room_; }

void RunFilter::read_on(const lmdb::Txn& txn, const Tables& tables, const RunInfo& run,
                        std::uint64_t postings) {
  damaged_ = read_blocks(txn, tables, run, postings).has_error();
}

Result<void> RunFilter::read_blocks(const lmdb::Txn& txn, const Tables& tables, const RunInfo& run,
                                    std::uint64_t postings) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(tables.runs));
  AKIN_TRY(bool there, seek_next(cursor, run.id));
  for (std::uint64_t read = 0; (read < postings || to_ == from_) && features_ < room_;) {
    const std::optional<RunKey> key = there ? decode_run_key(cursor.key()) : std::nullopt;
    const std::optional<PackedBlock> block = key ? PackedBlock::open(cursor.value()) : std::nullopt;
    if (there && (!key || !block)) return corrupt("table 'runs'", "a block of postings is damaged");
    if (!there || key->run != run.id) {
      end_of_ = run.postings;
      return {};
    }
    std::uint64_t last = 0;
    if (block->is_of_list()) {
      last = static_cast<std::uint64_t>(key->feature);
      add(key->feature);
    } else {
      std::optional<Feature> before;
      const bool whole = block->for_each_feature([&](Feature feature) {
        if (feature != before) add(feature);
        before = feature;
      });
      if (!whole) return corrupt("table 'runs'", "a block of postings is damaged");
      last = static_cast<std::uint64_t>(*before);
    }
    if (last == std::numeric_limits<std::uint64_t>::max()) {
      end_of_ = run.postings;
      return {};
    }
    set_expected();
    to_.store(std::max(from_, last + 1), std::memory_order_release);
    read += block->size();
    AKIN_TRY(there, block->is_of_list() && to_ != from_ ? seek_next(cursor, run.id) : cursor.next());
  }
  return {};
}

/// The next block that has not been read. A block ends where a list does, or is of one list; what has been
/// merged away may end within one.
Result<bool> RunFilter::seek_next(lmdb::Cursor& cursor, std::uint32_t run) const {
  const std::uint64_t to = to_.load(std::memory_order_relaxed);
  const std::string key = run_key(run, Feature{to}, DocNumber{0});
  if (to != from_) return cursor.seek_at_least(key);
  AKIN_TRY(const bool there, cursor.seek_at_most(key));
  const std::optional<RunKey> before = there ? decode_run_key(cursor.key()) : std::nullopt;
  return before && before->run == run ? Result<bool>(true) : cursor.to_key_after();
}

void RunFilter::add(Feature feature) noexcept {
  Bits& next = expected_[features_ % expected_.size()];
  set(next);
  next = bits_of(feature);
  __builtin_prefetch(place_of(next.word), 1);
  ++features_;
}

void RunFilter::set(const Bits& bits) noexcept {
  const std::atomic_ref<std::uint64_t> word = word_at(bits.word);
  word.store(word.load(std::memory_order_relaxed) | bits.mask, std::memory_order_relaxed);
}

void RunFilter::set_expected() noexcept {
  for (const Bits& bits : expected_) set(bits);
}

RunFilters::~RunFilters() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

std::vector<std::shared_ptr<const RunFilter>> RunFilters::of(const PostingState& state) {
  std::vector<std::shared_ptr<const RunFilter>> filters(state.runs.size());
  if (++searches_ <= kFirst) return filters;
  const std::lock_guard guard(mutex_);
  if (!reading_ && !are_complete(state)) start();
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const auto known = by_run_.find(state.runs[i].id);
    if (known != by_run_.end() && !is_recent(state, state.runs[i])) filters[i] = known->second;
  }
  return filters;
}

void RunFilters::wait() const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return !reading_; });
}

bool RunFilters::are_complete(const PostingState& state) const {
  return std::ranges::all_of(state.runs, [&](const RunInfo& run) {
    if (is_recent(state, run)) return true;
    const auto known = by_run_.find(run.id);
    if (known == by_run_.end()) return false;
    return !known->second || (known->second->fits(run) && known->second->is_complete(run));
  });
}

void RunFilters::start() noexcept {
  static_cast<void>(without_exceptions([this]() -> Result<void> {
    if (thread_.joinable()) thread_.join();
    thread_ = std::thread([this] { run(); });
    reading_ = true;
    return {};
  }));
}

void RunFilters::run() noexcept {
  for (bool more = true; more && !stop_;) {
    const Result<bool> read = without_exceptions([this] { return read_on(); });
    more = !read.has_error() && *read;
  }
  const std::lock_guard guard(mutex_);
  reading_ = false;
  ended_.notify_all();
}

Result<bool> RunFilters::read_on() {
  AKIN_TRY(const lmdb::ReadTxn txn, env_.read());
  AKIN_TRY(const PostingState state, read_posting_state(txn, tables_));
  {
    const std::lock_guard guard(mutex_);
    std::erase_if(by_run_, [&](const auto& one) {
      return std::ranges::find(state.runs, one.first, &RunInfo::id) == state.runs.end();
    });
  }
  for (const RunInfo& run : state.runs) {
    if (is_recent(state, run)) continue;
    const std::shared_ptr<RunFilter> filter = filter_of(run);
    if (!filter || filter->is_complete(run)) continue;
    filter->read_on(txn, tables_, run, kPostingsAtOnce);
    return true;
  }
  return false;
}

std::shared_ptr<RunFilter> RunFilters::filter_of(const RunInfo& run) {
  const std::lock_guard guard(mutex_);
  std::shared_ptr<RunFilter>& filter = by_run_[run.id];
  if (filter && filter->fits(run) && !filter->is_outgrown(run)) return filter;
  const std::uint64_t used = RunFilter::bytes_in_use();
  const std::uint64_t room =
      std::min(run.postings, RunFilter::most_bytes() - std::min(used, RunFilter::most_bytes()));
  if (filter && filter->fits(run) && room <= run.postings / 2) return filter;
  filter.reset();
  static_cast<void>(without_exceptions([&]() -> Result<void> {
    if (room > 0) filter = std::make_shared<RunFilter>(run.from, room);
    return {};
  }));
  return filter;
}

}  // namespace akin
