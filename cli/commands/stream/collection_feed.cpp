#include "cli/commands/stream/collection_feed.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/rfc3339.h"
#include "server/json/json.h"

namespace akin::cli {

namespace {

constexpr std::size_t kListedAtOnce = 256;
constexpr std::chrono::milliseconds kPoll(500);
constexpr std::chrono::milliseconds kNap(50);  ///< how soon a stop is noticed
constexpr std::uint64_t kMicroseconds = 1'000'000;

Revision begin_of_window(const FeedOptions& options) {
  const std::uint64_t window = static_cast<std::uint64_t>(options.window_seconds) * kMicroseconds;
  return Revision(options.after.value > window ? options.after.value - window : 0);
}

void wait(std::chrono::milliseconds time, const CollectionFeed::Stopped& stopped) {
  for (; time > time.zero() && !stopped(); time -= kNap) std::this_thread::sleep_for(kNap);
}

}  // namespace

CollectionFeed::CollectionFeed(OpenCollection collection, const FeedOptions& options)
    : collection_(std::move(collection)), options_(options), position_(begin_of_window(options)) {}

Result<CollectionFeed> CollectionFeed::open(const CommonOptions& options, const FeedOptions& feed) {
  AKIN_TRY(OpenCollection collection, open_collection(options));
  if (!collection->keeps_texts()) {
    return Error{Errc::unsupported, "collection '" + options.collection + "'",
                 "it keeps no texts, which a stream needs", "create it without --no-text"};
  }
  return CollectionFeed(std::move(collection), feed);
}

Result<void> CollectionFeed::read_page() {
  // Another process may have rebuilt it.
  AKIN_TRY(collection_.collection, collection_.catalog->get(collection_->name()));
  AKIN_TRY(snapshot_, collection_->snapshot());
  AKIN_TRY(const auto page, snapshot_->changes(position_, kListedAtOnce));
  if (!page.empty()) position_ = page.back().revision;
  listed_.assign(page.begin(), page.end());
  return {};
}

Result<std::optional<judge::NumberedLine>> CollectionFeed::line_of(const StoredDocument& record) {
  AKIN_TRY(std::string text, snapshot_->text(record));
  json::Json document = {{"id", record.id}, {"title", record.title}, {"text", std::move(text)}};
  json::Json metadata = json::Json::parse(record.metadata, nullptr, false);
  if (metadata.is_object()) document["metadata"] = std::move(metadata);
  const bool known = record.revision <= options_.after;
  return std::optional(judge::NumberedLine{.number = known ? 0 : ++number_,
                                           .text = json::compact(document),
                                           .stored = record.revision.value,
                                           .known = known});
}

Result<std::optional<judge::NumberedLine>> CollectionFeed::next(const Stopped& stopped) {
  while (!stopped()) {
    if (!listed_.empty()) {
      const StoredDocument record = std::move(listed_.front());
      listed_.pop_front();
      return line_of(record);
    }
    AKIN_CHECK(read_page());
    if (!listed_.empty()) continue;
    snapshot_.reset();  // an open snapshot would keep the pages of what others replace
    if (!options_.follow) break;
    wait(kPoll, stopped);
  }
  return std::optional<judge::NumberedLine>();
}

}  // namespace akin::cli
